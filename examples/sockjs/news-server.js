import sockjs from 'sockjs';

export function serveNews({ server, news }) {
  const sockets = sockjs.createServer({
    prefix: '/news',
    log() {},
  });

  sockets.on('connection', (connection) => {
    const send = (piece) =>
      connection.write(JSON.stringify(piece));
    connection.once('data', (lastId) => {
      news.since(Number(lastId)).forEach(send);
      news.on('news', send);
    });
    connection.on('close', () => news.off('news', send));
  });
  sockets.installHandlers(server);
}
