import { WebSocketServer } from 'ws';

/** Accepts the WebSockets at a path of a server, whatever else is at others. */
export function acceptSockets(server, path, options) {
  const sockets = new WebSocketServer({ noServer: true, ...options });
  server.on('upgrade', (req, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (req.url.split('?')[0] !== path) {
      // Left to others; what none of them accepts would stay open.
      setTimeout(() => socket.bytesWritten === 0 && socket.destroy(), 1000);
      return;
    }
    const { origin = '', host } = req.headers;
    // Pages of other sites can open a WebSocket, too, with the cookies of this one.
    if (origin.replace(/^https?:\/\//, '') !== host) return socket.destroy();
    sockets.handleUpgrade(req, socket, head, (accepted) => {
      accepted.on('error', () => accepted.terminate());
      sockets.emit('connection', accepted, req);
    });
  });
  return sockets;
}
