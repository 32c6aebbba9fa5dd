/**
 * What is done in one turn of the event loop: so much for each socket, and so much for all of them together, so that
 * everybody else is served in between.
 *
 * @import { FrameParser } from './frame-parser.js'
 * @import { SocketLimits } from './socket-meter.js'
 * @typedef {{ code: number, reason: string, name: string }} Refusal by RFC 6455, section 7.4.1; `name` is for the metrics
 * @typedef {{ takeTurn(): number }} Waiting gives the work that was done; whoever needs another turn asks for it
 * @typedef {ReturnType<typeof createTurnQueue>} TurnQueue
 */

/** To handle a frame, however short, takes about as long as so many bytes of payload. */
export const FRAME_WORK = 8192;
const RATE_WINDOW_MS = 1000;

/** @type {Refusal} */
const TOO_LARGE = { code: 1009, reason: 'Message is too large', name: 'too-large' };
/** @type {Refusal} */
const TOO_MANY_PARTS = { code: 1008, reason: 'Too many parts of one message', name: 'too-many' };

/**
 * How much of a chunk may go to the library in this turn.
 * @param {FrameParser} frames has read all before the chunk, and then what may go of it @param {Buffer} chunk
 * @param {{ limits: Pick<SocketLimits, 'messageBytes' | 'partCount'>, work: number, isTurn: boolean }} options
 *   `work`: that there is room for; `isTurn`: one frame goes at least, however large
 * @returns {{ end: number, work: number, refusal?: Refusal }} `end`: where what may go ends; `work`: that it is, in bytes;
 *   `refusal`: why the frame from there on may not go at all
 */
export function admit(frames, chunk, { limits, work: room, isTurn }) {
  let at = 0;
  let work = 0;
  let frameAt = 0;
  while (at < chunk.length) {
    const moreWork = workOfNext(frames, chunk.length - at);
    if (work + moreWork > room && !(isTurn && work === 0)) break;
    work += moreWork;
    if (frames.isBetweenFrames) frameAt = at;
    at = frames.isInPayload ? frames.skipPayload(chunk, at) : frames.readHead(chunk, at);
    if (frames.declaredBytes > limits.messageBytes) return { end: frameAt, work, refusal: TOO_LARGE };
    if (frames.partCount > limits.partCount) return { end: frameAt, work, refusal: TOO_MANY_PARTS };
  }
  return { end: at, work };
}

/** A library handles a payload when all of it is there. @param {FrameParser} frames @param {number} bytes that there are */
function workOfNext(frames, bytes) {
  if (!frames.isInPayload) return frames.isBetweenFrames ? FRAME_WORK : 0;
  return frames.leftBytes <= bytes ? frames.payloadBytes : 0;
}

/**
 * Sockets that sent more than is handled at once wait here, first come, first served.
 * @param {number} workPerTurn once as much is done, the others wait for the next turn
 */
export function createTurnQueue(workPerTurn) {
  /** @type {Waiting[]} */
  let waiting = [];
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(runTurn);
  };

  const runTurn = () => {
    isScheduled = false;
    const due = waiting;
    waiting = [];
    let servedCount = 0;
    for (let work = 0; servedCount < due.length && work < workPerTurn; servedCount++) {
      work += due[servedCount].takeTurn();
    }
    if (servedCount < due.length) waiting = due.slice(servedCount).concat(waiting);
    if (waiting.length > 0) schedule();
  };

  return {
    /** @param {Waiting} socket that does not wait yet */
    add(socket) {
      waiting.push(socket);
      schedule();
    },
  };
}

/**
 * At most so many per second, counted from the first in each second.
 * @param {number} perSecond @param {() => number} [now] ms
 * @returns {(count: number) => boolean} counts so many more, and says whether that is too many
 */
export function createRateLimit(perSecond, now = () => performance.now()) {
  let total = 0;
  let beganMs = -Infinity;
  return (count) => {
    const nowMs = now();
    if (nowMs - beganMs >= RATE_WINDOW_MS) {
      beganMs = nowMs;
      total = 0;
    }
    total += count;
    return total > perSecond;
  };
}
