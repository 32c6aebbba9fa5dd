import { WebSocketServer } from 'ws';

export function serveMessages({ server, answer }) {
  // Pages of other sites can open a WebSocket, too, with the cookies of this one.
  const verifyClient = ({ origin, req }) => origin?.replace(/^https?:\/\//, '') === req.headers.host;
  const sockets = new WebSocketServer({ server, path: '/messages', maxPayload: 100_000, verifyClient });

  sockets.on('connection', (socket) => {
    socket.on('error', () => socket.terminate());
    socket.on('message', (text) => {
      try {
        const { id, message } = JSON.parse(text);
        socket.send(JSON.stringify({ id, answer: answer(message) }));
      } catch {
        socket.close(1007, 'expected JSON');
      }
    });
  });
}
