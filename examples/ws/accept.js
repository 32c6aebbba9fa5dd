import { WebSocketServer } from 'ws';

/** Accepts the WebSockets at a path of a server, whatever else is at others. */
export function acceptSockets(server, path, options) {
  const sockets = new WebSocketServer({ noServer: true, ...options });
  server.on('upgrade', (req, socket, head) => {
    const { origin = '', host } = req.headers;
    if (new URL(req.url, 'http://site').pathname !== path) return;
    // Pages of other sites can open a WebSocket, too, with the cookies of this one.
    if (origin.replace(/^https?:\/\//, '') !== host) return socket.destroy();
    sockets.handleUpgrade(req, socket, head, (accepted) => {
      accepted.on('error', () => accepted.terminate());
      sockets.emit('connection', accepted, req);
    });
  });
  return sockets;
}
