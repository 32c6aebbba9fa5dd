/**
 * How much of a chunk may go to the library in this turn of the event loop.
 *
 * @typedef {{ code: number, reason: string, name: string }} Refusal by RFC 6455, section 7.4.1; `name` is for the metrics
 *
 * @typedef {object} Admission
 * @property {number} end where what may go ends
 * @property {number} work that it is, in bytes
 * @property {Refusal} [refusal] why the frame from there on may not go at all
 */

/**
 * @import { FrameParser } from './frame-parser.js'
 * @import { SocketLimits } from './socket-meter.js'
 */

/** To handle a frame, however short, takes about as long as so many bytes of payload. */
export const FRAME_WORK = 8192;

/** @type {Refusal} */
const TOO_LARGE = { code: 1009, reason: 'Message is too large', name: 'too-large' };
/** @type {Refusal} */
const TOO_MANY_PARTS = { code: 1008, reason: 'Too many parts of one message', name: 'too-many' };

/**
 * @param {FrameParser} frames has read all before the chunk, and then what may go of it
 * @param {Buffer} chunk
 * @param {{ limits: Pick<SocketLimits, 'messageBytes' | 'partCount'>, work: number, isTurn: boolean }} options `work`: that
 *   there is room for; `isTurn`: one frame goes at least, however large
 * @returns {Admission}
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
    const refusal = refusalOf(frames, limits);
    if (refusal) return { end: frameAt, work, refusal };
  }
  return { end: at, work };
}

/**
 * A library does nothing with a frame's payload until all of it is there, and then everything at once.
 *
 * @param {FrameParser} frames
 * @param {number} bytes that there are
 */
function workOfNext(frames, bytes) {
  if (!frames.isInPayload) return frames.isBetweenFrames ? FRAME_WORK : 0;
  return frames.leftBytes <= bytes ? frames.payloadBytes : 0;
}

/** @param {FrameParser} frames @param {Pick<SocketLimits, 'messageBytes' | 'partCount'>} limits */
function refusalOf({ declaredBytes, partCount }, limits) {
  if (declaredBytes > limits.messageBytes) return TOO_LARGE;
  return partCount > limits.partCount ? TOO_MANY_PARTS : undefined;
}
