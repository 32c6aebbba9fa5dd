import { WebSocketServer } from 'ws';

export function serveNews({ server, news }) {
  // Pages of other sites can open a WebSocket, too, with the cookies of this one.
  const verifyClient = ({ origin, req }) => origin?.replace(/^https?:\/\//, '') === req.headers.host;
  const sockets = new WebSocketServer({ server, path: '/news', maxPayload: 1000, verifyClient });

  sockets.on('connection', (socket, { url }) => {
    const send = (piece) => socket.send(JSON.stringify(piece));
    const since = new URL(url, 'http://site').searchParams.get('since');
    news.since(Number(since)).forEach(send);

    news.on('news', send);
    const heartbeat = setInterval(() => send({}), 25_000);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      news.off('news', send);
      clearInterval(heartbeat);
    });
  });
}
