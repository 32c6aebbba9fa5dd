/** @import { Io } from '../channel/socketio.js' */
/** @import { Followed } from './index.js' */

/**
 * Follows a feed by Socket.IO with its defaults: long polling, then the upgrade; it connects again by itself.
 * @param {{ io: Io, url: string }} options `url`: with the feed in its query @param {Followed} followed gets what happens
 * @returns {() => void} ends it
 */
export function followSocketio({ io, url }, followed) {
  const { origin, pathname, searchParams } = new URL(url);
  const socket = io(origin, { path: pathname, query: Object.fromEntries(searchParams), forceNew: true });
  socket.on('connect', () => {
    const { engine } = socket.io;
    followed.onOpen(engine.transport.name);
    engine.once('upgrade', () => followed.onUpgrade(engine.transport.name));
  });
  socket.on('message', followed.onMessage);
  socket.on('disconnect', (reason) => followed.onLost(reason));
  return () => void socket.disconnect();
}
