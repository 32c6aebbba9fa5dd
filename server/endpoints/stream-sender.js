/** Sends the pieces of a stream over one connection, and resets it where the stream says so. */
import { sendOnSchedule } from './on-schedule.js';
import { pieceOf } from './streams.js';

/**
 * @import { Piece } from '../../core/net/stream/stream.js'
 * @import { Owned } from '../http/boundary.js'
 * @import { TurnQueue } from '../http/turns.js'
 * @import { Streams, Subscription } from './streams.js'
 * @typedef {object} Line the connection
 * @property {(piece: Piece) => void} say
 * @property {() => void} finish called after the last piece
 * @property {() => void} reset
 * @property {() => boolean} isBehind does too much wait for the client to read it?
 * @property {Owned} owned ends where a listener throws
 */

/** How long until a client that has much to read is looked at again. */
const LOOK_MS = 50;

const now = () => performance.now();

/**
 * Begins to send. The pieces of a new stream are due from now on, to a fraction of a millisecond; a resumed one goes on as it
 * began. What a client does not read is made when it does.
 * @param {{ streams: Streams, turns: TurnQueue }} parts @param {Subscription} subscription @param {Line} line
 * @returns {() => void} stops it
 */
export function sendPieces({ streams, turns }, subscription, line) {
  const { say, finish, reset, isBehind, owned } = line;
  const { stream, since, isResumed } = subscription;
  const startedAtMs = now() - (isResumed ? streams.now() - stream.startMs : 0);
  const stop = sendOnSchedule({
    count: stream.pieces,
    next: since,
    dueAtMs: (n) => startedAtMs + stream.dueMs[n],
    heldForMs: () => (isBehind() ? LOOK_MS : undefined),
    say(n) {
      if (n === stream.cut && !isResumed) {
        stop();
        reset();
      } else say(pieceOf(subscription, n, now() - startedAtMs));
    },
    finish,
    owned,
    now,
    turns,
  });
  return stop;
}
