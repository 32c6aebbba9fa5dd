import { Server } from 'socket.io';

/** Made once: news and messages share its connections. */
export const acceptSockets = (server) =>
  new Server(server, {
    // Pages of other sites could use this site's cookies.
    allowRequest({ headers: { origin, host } }, decide) {
      decide(
        null,
        origin === undefined ||
          origin.replace(/^https?:\/\//, '') === host,
      );
    },
  });
