export function serveMessages({ io, answer }) {
  io.on('connection', (socket) => {
    socket.on('message', (message, reply) => {
      try {
        reply(answer(message));
      } catch {
        socket.disconnect(true);
      }
    });
  });
}
