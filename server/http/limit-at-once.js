/** @import { RequestHandler } from 'express' */

/** There is no room for one more just now. */
export class BusyError extends Error {
  status = 503;

  constructor() {
    super('This server has too many of these to do at once; try again in a moment');
  }
}

/**
 * @param {object} options
 * @param {number} options.count of requests that may be under way, from their headers to the last byte of their answers
 * @param {number} [options.limitMs] one that takes longer loses its connection
 * @returns {RequestHandler} passes on a BusyError where there is no room
 */
export function limitAtOnce({ count, limitMs }) {
  let takenCount = 0;
  return (req, res, next) => {
    // Its close would not be told again.
    if (res.closed) return;
    if (takenCount >= count) {
      next(new BusyError());
      return;
    }
    takenCount++;
    const { socket } = req;
    const timer = limitMs === undefined ? undefined : setTimeout(() => socket.destroy(), limitMs);
    let isTaken = true;
    const release = () => {
      if (!isTaken) return;
      isTaken = false;
      takenCount--;
      clearTimeout(timer);
      socket.off('close', release);
    };
    res.once('close', release);
    // An answer that stands in line behind others of its connection is not told of that connection's end.
    socket.once('close', release);
    next();
  };
}
