/**
 * The answers to messages of the payload experiment's sockets, by direction.
 */
import { formatError, RefusalError } from '../http/answer.js';
import { parseDownloadMessage } from './download.js';
import { receiptOf } from './receipt.js';

/** @import { ContentPool } from './content-pool.js' */

/** The maximum length of a message that requests a download. */
const REQUEST_BYTES = 1024;

export const DIRECTIONS = /** @type {const} */ (['up', 'down', 'echo']);

/**
 * @typedef {typeof DIRECTIONS[number]} Direction
 *
 * @typedef {object} Answer
 * @property {Buffer | string} message
 * @property {boolean} isBinary
 * @property {string} [code] of the error that it tells of
 *
 * @typedef {object} Prepared
 * @property {number} [bytes] of the answer, where they are more than those of the message
 * @property {() => Answer} make
 *
 * @typedef {ReturnType<typeof createAnswers>} Answers
 */

/** @param {{ content: ContentPool, mostBytes: number }} options the most is of a message, and of a download */
export function createAnswers({ content, mostBytes }) {
  /** @param {Direction} direction @returns {number} of a message in that direction */
  const mostBytesOf = (direction) => (direction === 'down' ? Math.min(REQUEST_BYTES, mostBytes) : mostBytes);

  /** @param {string} text @param {{ mayBeBinary: boolean, mostBytes: number }} transport @returns {Prepared} */
  const prepareDownload = (text, transport) => {
    try {
      const download = parseDownloadMessage(text, transport.mostBytes, transport);
      return {
        bytes: download.bytes,
        make: () => ({ message: content(download), isBinary: download.binary }),
      };
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      return failed(error.code, error.message);
    }
  };

  return {
    mostBytesOf,

    /**
     * Over a WebSocket, which distinguishes text from bytes.
     *
     * @type {(direction: Direction, message: Buffer, isBinary: boolean) => Prepared}
     */
    toMessage(direction, message, isBinary) {
      if (direction === 'up') return { make: () => ({ message: receiptOf(message), isBinary: false }) };
      if (direction === 'echo') return { make: () => ({ message, isBinary }) };
      if (isBinary) return failed('bad-message', 'message: expected text holding a JSON object, got bytes');
      return prepareDownload(message.toString(), { mayBeBinary: true, mostBytes });
    },

    /**
     * Over SockJS, whose frames contain any JSON.
     *
     * @type {(direction: Direction, message: unknown, mostTextBytes: number) => Prepared} the most is of a download
     */
    toText(direction, message, mostTextBytes) {
      if (typeof message !== 'string') return failed('bad-message', 'message: expected text, got another type');
      if (direction === 'up') return { make: () => ({ message: receiptOf(message), isBinary: false }) };
      if (direction === 'echo') return { make: () => ({ message, isBinary: false }) };
      return prepareDownload(message, { mayBeBinary: false, mostBytes: mostTextBytes });
    },
  };
}

/** @param {string} code @param {string} message @returns {Prepared} */
function failed(code, message) {
  return { make: () => ({ message: formatError(code, message), isBinary: false, code }) };
}
