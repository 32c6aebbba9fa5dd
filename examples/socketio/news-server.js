export function serveNews({ io, news }) {
  io.on('connection', (socket) => {
    const send = (piece) => socket.emit('news', piece);
    news
      .since(Number(socket.handshake.auth.since))
      .forEach(send);

    news.on('news', send);
    socket.on('disconnect', () => news.off('news', send));
  });
}
