import { Server } from 'socket.io';

/** Made once: news and messages share its connections. */
export const acceptSockets = (server) =>
  new Server(server, {
    // Pages of other sites can open a WebSocket, too, with the cookies of this one.
    allowRequest({ headers: { origin, host } }, decide) {
      decide(null, origin === undefined || origin.replace(/^https?:\/\//, '') === host);
    },
  });
