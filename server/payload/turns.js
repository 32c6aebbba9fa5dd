/**
 * One message at a time over one WebSocket, whichever library reads it: the next one's turn comes when the answer to the
 * one before has left. Until then nothing is read, so a client that does not fetch its answers cannot make them pile up.
 *
 * Every byte is counted from when it arrives until its answer has left. Who makes no progress meanwhile is cut off.
 */
import { LINGER_MS, NO_BODY } from '../body.js';
import { createFrameMeter } from './frame-meter.js';

/** Tiny messages may have come together, in one chunk or in one frame of SockJS's. */
const WAITING_COUNT = 16 * 1024;

/** Browsers send a large message in parts, some of them in many. */
export const PART_COUNT = 16 * 1024;
/** It may come in packets of half a kilobyte, each of which the libraries keep apart until the message is whole. */
export const CHUNK_COUNT = 32 * 1024;

/** What the libraries take for each of them until the message is whole, besides its bytes. */
const PART_BYTES = 128;
const CHUNK_BYTES = 512;

/** RFC 6455, section 7.4.1, and its registry. */
const TOO_LARGE = { code: 1009, reason: 'Message is too large' };
const TOO_MANY = { code: 1008, reason: 'Too many messages, or parts of one, at once' };
const BUSY = { code: 1013, reason: 'This server has too much payload in flight' };

/**
 * @typedef {object} Library what reads the WebSocket
 * @property {() => void} pause stops reading
 * @property {() => void} resume
 * @property {(code: number, reason: string) => void} close sends a close
 *
 * @typedef {ReturnType<typeof createTurns>} Turns
 */

/**
 * @param {object} options
 * @param {import('node:net').Socket} options.socket that the WebSocket is on; the library has its listeners there already
 * @param {Buffer} [options.received] what of it has been given to the library already
 * @param {import('./bytes-in-flight.js').BytesInFlight} options.inFlight
 * @param {Pick<import('../limits.js').Limits, 'answerMs' | 'requestMs'>} options.limits
 * @param {number} options.mostBytes of one message, framing of the library's own included
 * @param {Library} options.library
 * @param {(code: string) => void} options.refused is told why the client was sent away
 */
export function createTurns({ socket, received = NO_BODY, inFlight, limits, mostBytes, library, refused }) {
  const holder = inFlight.openHolder();
  const meter = createFrameMeter();
  /** @type {{ bytes: number, answer: () => void }[]} */
  let waiting = [];
  let waitingBytes = 0;
  /** Of the message that is not whole. */
  let chunkCount = 0;
  let isSending = false;
  let isPaused = false;
  let hasEnded = false;
  /** @type {NodeJS.Timeout | undefined} while there is something on hand */
  let deadline;

  const end = () => {
    hasEnded = true;
    waiting = [];
    watch(false);
    holder.release();
  };

  /** @param {{ code: number, reason: string }} why @param {string} name for the metrics */
  const sendAway = ({ code, reason }, name) => {
    end();
    refused(name);
    library.close(code, reason);
    // What still comes is thrown away for a moment: to close at once would reset the connection, and the client would
    // never read why.
    socket.unpipe().removeAllListeners('data').resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };

  /** @param {boolean} isBusy */
  const watch = (isBusy) => {
    if (isBusy === (deadline !== undefined)) return;
    clearTimeout(deadline);
    deadline = isBusy ? setTimeout(() => socket.destroy(), limits.requestMs) : undefined;
    // Node looks at how much of a write is left, too: whoever reads slowly is not idle.
    socket.setTimeout(isBusy ? limits.answerMs : 0);
  };

  /**
   * @param {number} [moreBytes] than there are
   * @returns {boolean} false where that is too much; the client has been sent away then
   */
  const hold = (moreBytes = 0) => {
    if (hasEnded) return false;
    const keptApartBytes = PART_BYTES * meter.partCount() + CHUNK_BYTES * chunkCount;
    const bytes = meter.pendingBytes() + keptApartBytes + waitingBytes + socket.writableLength + moreBytes;
    if (!holder.hold(bytes)) {
      sendAway(BUSY, 'busy');
      return false;
    }
    watch(bytes > 0);
    return true;
  };

  const answerWaiting = () => {
    while (waiting.length > 0 && !isSending) {
      const [{ bytes, answer }] = waiting.splice(0, 1);
      waitingBytes -= bytes;
      answer();
      if (!hasEnded && socket.writableLength > 0) {
        isSending = true;
        // Nothing, but it says when all before it has left.
        socket.write(NO_BODY, onSent);
      }
    }
    hold();
    setPaused(isSending);
  };

  /** @param {boolean} paused */
  const setPaused = (paused) => {
    if (hasEnded || paused === isPaused) return;
    isPaused = paused;
    if (paused) library.pause();
    else library.resume();
  };

  const onSent = () => {
    isSending = false;
    deadline?.refresh();
    answerWaiting();
  };

  /** @param {Buffer} chunk */
  const onData = (chunk) => {
    meter.put(chunk);
    chunkCount = meter.pendingBytes() > 0 ? chunkCount + 1 : 0;
    if (meter.declaredBytes() > mostBytes) sendAway(TOO_LARGE, 'too-large');
    else if (chunkCount > CHUNK_COUNT || meter.partCount() > PART_COUNT) sendAway(TOO_MANY, 'too-many');
    // SockJS's library goes on reading by itself.
    else if (hold() && isPaused) library.pause();
  };

  meter.put(received);
  socket.prependListener('data', onData);
  socket.on('timeout', () => socket.destroy());
  socket.once('close', end);

  return {
    /**
     * A message has come.
     *
     * @param {number} bytes
     * @param {() => void} answer is called when its turn comes, and writes the answer
     */
    take(bytes, answer) {
      if (hasEnded) return;
      if (bytes > mostBytes) {
        sendAway(TOO_LARGE, 'too-large');
        return;
      }
      if (waiting.length >= WAITING_COUNT) {
        sendAway(TOO_MANY, 'too-many');
        return;
      }
      waiting.push({ bytes, answer });
      waitingBytes += bytes;
      chunkCount = 0;
      deadline?.refresh();
      if (!isSending) answerWaiting();
    },

    /**
     * Is there room for an answer of that size?
     *
     * @param {number} bytes
     * @returns {boolean} false: the client has been sent away
     */
    mayAnswer: (bytes) => hold(bytes),

    /** Sends away who sent more at once than any client does, as was seen before it came here. */
    refuseMany() {
      if (!hasEnded) sendAway(TOO_MANY, 'too-many');
    },

    /** The library closes the socket: what still comes is not kept. */
    end,
  };
}
