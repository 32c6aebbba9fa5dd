import { acceptSockets } from './accept.js';

export function serveMessages({ server, answer }) {
  const sockets = acceptSockets(server, '/messages', {
    maxPayload: 100_000,
  });

  sockets.on('connection', (socket) => {
    socket.on('message', (text) => {
      try {
        const { id, message } = JSON.parse(text);
        socket.send(
          JSON.stringify({ id, answer: answer(message) }),
        );
      } catch {
        socket.close(1007, 'expected another message');
      }
    });
  });
}
