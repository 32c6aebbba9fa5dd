import { Server } from 'socket.io';

export function serveNews({ server, news }) {
  new Server(server).on('connection', (socket) => {
    const send = (piece) => socket.emit('news', piece);
    news.since(Number(socket.handshake.auth.since)).forEach(send);

    news.on('news', send);
    socket.on('disconnect', () => news.off('news', send));
  });
}
