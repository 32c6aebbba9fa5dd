import sockjs from 'sockjs';

export function serveMessages({ server, answer }) {
  const sockets = sockjs.createServer({
    prefix: '/messages',
    log() {},
  });

  sockets.on('connection', (connection) => {
    connection.on('data', (text) => {
      try {
        const { id, message } = JSON.parse(text);
        connection.write(
          JSON.stringify({ id, answer: answer(message) }),
        );
      } catch {
        connection.close(1007, 'expected JSON');
      }
    });
  });
  sockets.installHandlers(server);
}
