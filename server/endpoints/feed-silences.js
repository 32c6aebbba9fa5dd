/** The connections of feeds that are silent, until their cuts end. */
import { guard } from '../http/boundary.js';
import { silence } from '../sockets/silence.js';

/** @import { Socket } from 'node:net' */
/** @import { Feed } from './feeds.js' */
/** @typedef {ReturnType<typeof createSilences>} Silences */

/** @param {Feed} feed @param {number} nowMs @returns {boolean} are new connections and requests silent, too? */
export const isStalled = ({ cut, cutStartMs, cutEndMs }, nowMs) =>
  cut === 'stall' && nowMs >= cutStartMs && nowMs < cutEndMs;

/** @param {{ now: () => number }} feeds of this worker */
export function createSilences({ now }) {
  /** By connection, over which several requests may come. @type {Map<Socket, () => void>} */
  const breakOffs = new Map();

  return {
    /** Silences a connection until the cut of its feed ends, by itself. @param {Feed} feed @param {Socket} socket */
    begin({ cut, cutEndMs }, socket) {
      if (breakOffs.has(socket)) return;
      const { lift, breakOff } = silence(socket);
      const end = (/** @type {() => void} */ act) => {
        clearTimeout(timer);
        breakOffs.delete(socket);
        act();
      };
      const endCut = guard(socket, () => end(cut === 'stall' ? lift : breakOff));
      const timer = setTimeout(endCut, cutEndMs - now());
      breakOffs.set(socket, () => end(breakOff));
    },

    /** Breaks all off: whoever is silent could not be told about a drain. */
    breakOffAll() {
      for (const breakOff of [...breakOffs.values()]) breakOff();
    },
  };
}
