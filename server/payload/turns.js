/**
 * One message at a time over one WebSocket, whichever library reads it: the next one's turn comes when the answer to the
 * one before has left. Until then nothing is read, so a client that does not fetch its answers cannot make them pile up.
 *
 * Every byte is counted from when it arrives until its answer has left. Who makes no progress meanwhile is cut off.
 */
import { NO_BODY } from '../http/body.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Limits } from '../http/limits.js'
 * @import { Refusal } from '../sockets/admit.js'
 * @import { SocketMeter } from '../sockets/socket-meter.js'
 * @import { BytesInFlight } from './bytes-in-flight.js'
 */

/** Tiny messages may have come together, in one chunk or in one frame of SockJS's. */
const WAITING_COUNT = 16 * 1024;

/** What the libraries take for each part and each packet until the message is whole, besides its bytes. */
const PART_BYTES = 128;
const PACKET_BYTES = 512;

/** RFC 6455, section 7.4.1, and its registry. */
const TOO_LARGE = { code: 1009, reason: 'Message is too large', name: 'too-large' };
const TOO_MANY = { code: 1008, reason: 'Too many messages, or parts of one, at once', name: 'too-many' };
const BUSY = { code: 1013, reason: 'This server has too much payload in flight', name: 'busy' };

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
 * @param {Socket} options.socket that the WebSocket is on; the library has its listeners there already
 * @param {SocketMeter} options.meter of that socket
 * @param {BytesInFlight} options.inFlight
 * @param {Pick<Limits, 'answerMs' | 'requestMs'>} options.limits
 * @param {number} options.mostBytes of one message, framing of the library's own included
 * @param {Library} options.library
 * @param {(code: string) => void} options.refused is told why the client was sent away
 */
export function createTurns({ socket, meter, inFlight, limits, mostBytes, library, refused }) {
  const holder = inFlight.openHolder();
  /** @type {{ bytes: number, answer: () => void }[]} */
  let waiting = [];
  let waitingBytes = 0;
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

  /** @param {Refusal} why */
  const close = ({ code, reason }) => {
    end();
    library.close(code, reason);
    meter.discard();
  };

  /** @param {Refusal} why */
  const sendAway = (why) => {
    refused(why.name);
    close(why);
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
    const keptApartBytes = PART_BYTES * meter.frames.partCount + PACKET_BYTES * meter.packetCount;
    const bytes = meter.frames.pendingBytes + keptApartBytes + waitingBytes + socket.writableLength + moreBytes;
    if (!holder.hold(bytes)) {
      sendAway(BUSY);
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

  const onData = () => {
    // SockJS's library goes on reading by itself.
    if (hold() && isPaused) library.pause();
  };

  meter.onRefuse = close;
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
        sendAway(TOO_LARGE);
        return;
      }
      if (waiting.length >= WAITING_COUNT) {
        sendAway(TOO_MANY);
        return;
      }
      waiting.push({ bytes, answer });
      waitingBytes += bytes;
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
      if (!hasEnded) sendAway(TOO_MANY);
    },

    /** The library closes the socket: what still comes is not kept. */
    end,
  };
}
