/**
 * Makes the connection of a WebSocket silent, as a path does that loses all packets. Nothing more is read from it or written to
 * it, and neither its end nor its break gets through. What libraries write in that time waits. It is not for a connection
 * of requests: Node.js's HTTP server goes on with the next of them when it has ended one that cannot end.
 */

/**
 * @import { Socket } from 'node:net'
 * @typedef {{ lift(): void, breakOff(): void }} Silence `lift` lets everything pass that has waited, an end included; `breakOff`
 *   resets the connection instead
 */

/** Node.js and the libraries call these to end the connection. */
const ENDS = ['end', 'destroySoon', 'destroy'];
/** And these to send at once, or to read on. */
const HELD_METHODS = [...ENDS, 'uncork', 'resume'];

/** Silences a connection that is not silent yet. @param {Socket} socket @returns {Silence} */
export function silence(socket) {
  /** @type {{ name: string, args: unknown[] } | undefined} how it was ended last */
  let ending;
  const own = /** @type {Socket & Record<string, any>} */ (socket);
  /** The methods that other code had put on this connection. */
  const replaced = HELD_METHODS.filter((name) => Object.hasOwn(own, name)).map((name) => [name, own[name]]);
  for (const name of HELD_METHODS) {
    own[name] = (/** @type {unknown[]} */ ...args) => {
      if (ENDS.includes(name)) ending = { name, args };
      return socket;
    };
  }
  socket.cork();
  socket.pause();

  const restore = () => {
    for (const name of HELD_METHODS) delete own[name];
    for (const [name, method] of replaced) own[name] = method;
  };
  return {
    lift() {
      restore();
      while (socket.writableCorked > 0) socket.uncork();
      socket.resume();
      if (ending) own[ending.name](...ending.args);
    },
    breakOff() {
      restore();
      socket.resetAndDestroy();
    },
  };
}
