/** Hands the messages of a post to a library, a few in each turn of the event loop. */
import { Readable } from 'node:stream';
import { guardEmitter } from '../http/boundary.js';
import { whenOver } from '../http/exchange.js';
import { FRAME_WORK } from '../http/turns.js';

/**
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { TurnQueue } from '../http/turns.js'
 */

/**
 * @template T
 * @typedef {{ perTurn: number, turns: TurnQueue, hear(messages: T[]): boolean, finish(rest: T[]): void }} Handing `hear`: false
 *   where there is no such session any more; `finish` has the library take what is left, and answer
 */

/**
 * Passes on messages, a few in each turn.
 * @template T @param {readonly T[]} all @param {Request} req @param {Response} res if the client leaves, this ends, too
 * @param {Handing<T>} options
 */
export function handInTurns(all, req, res, { perTurn, turns, hear, finish }) {
  let at = 0;
  let isOver = false;
  const waiting = {
    connection: req.socket,
    takeTurn() {
      if (isOver) return 0;
      const isLast = all.length - at <= perTurn;
      if (!isLast && hear(all.slice(at, at + perTurn))) {
        at += perTurn;
        turns.add(waiting);
      } else {
        finish(all.slice(at));
      }
      return perTurn * FRAME_WORK;
    },
  };
  whenOver(req, res, () => (isOver = true));
  turns.add(waiting);
}

/**
 * Creates a request from one whose body has been read, for a library to read again: by itself sockjs-node copies
 * everything received so far for each chunk, without a limit.
 * @param {Request} req @param {Buffer | string} body a string is JSON @returns {Request}
 */
export function withBody({ method, url, headers: given, httpVersion, socket }, body) {
  const bytes = Buffer.from(body);
  const headers = typeof body === 'string' ? { ...given, 'content-type': 'text/plain' } : given;
  const replay = Readable.from(bytes.length > 0 ? [bytes] : []);
  guardEmitter(replay, socket);
  // Its type is that of a whole request; libraries read no more of one than this.
  return /** @type {any} */ (Object.assign(replay, { method, url, headers, httpVersion, socket, connection: socket }));
}
