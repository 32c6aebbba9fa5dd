import { acceptSockets } from './accept.js';

export function serveNews({ server, news }) {
  const sockets = acceptSockets(server, '/news', {
    maxPayload: 1000,
  });

  sockets.on('connection', (socket, { url }) => {
    const send = (piece) =>
      socket.send(JSON.stringify(piece));
    const query = new URL(url, 'http://site').searchParams;
    news.since(Number(query.get('since'))).forEach(send);

    news.on('news', send);
    const heartbeat = setInterval(() => send({}), 25_000);
    socket.on('close', () => {
      news.off('news', send);
      clearInterval(heartbeat);
    });
  });
}
