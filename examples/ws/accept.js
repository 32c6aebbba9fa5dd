import { WebSocketServer } from 'ws';

/** Accepts the WebSockets at one path of a server. */
export function acceptSockets(server, path, options) {
  const sockets = new WebSocketServer({
    noServer: true,
    ...options,
  });
  server.on('upgrade', (req, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (req.url.split('?')[0] !== path) {
      // Another handler may accept it.
      // If none does, close it.
      setTimeout(
        () => socket.bytesWritten === 0 && socket.destroy(),
        1000,
      );
      return;
    }
    const { origin = '', host } = req.headers;
    // Pages of other sites could use this site's cookies.
    if (origin.replace(/^https?:\/\//, '') !== host)
      return socket.destroy();
    sockets.handleUpgrade(req, socket, head, (accepted) => {
      accepted.on('error', () => accepted.terminate());
      sockets.emit('connection', accepted, req);
    });
  });
  return sockets;
}
