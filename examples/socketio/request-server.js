import { Server } from 'socket.io';

export function serveMessages({ server, answer }) {
  new Server(server).on('connection', (socket) => {
    socket.on('message', (message, reply) => {
      if (typeof reply === 'function') reply(answer(message));
    });
  });
}
