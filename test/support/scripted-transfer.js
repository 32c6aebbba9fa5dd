/**
 * Transfer methods over virtual time: a message takes what a law says, and its answer is right unless a script says otherwise.
 */
import { toText } from '../../core/net/transfer/content.js';
import { crc32, formatCrc32 } from '../../core/base/crc32.js';
import { ExchangeError } from '../../core/net/exchange-error.js';

/**
 * @import { FailureOutcome } from '../../core/net/exchange-error.js'
 * @import { TransferMethod, TransferConnection, Form, Receipt } from '../../core/net/transfer/index.js'
 * @import { Message } from '../../core/net/transfer/content.js'
 */

/**
 * What a server answers, as the message's form has it.
 *
 * @param {Message} message
 * @param {Uint8Array} [bytes] that the server sends, or got
 * @returns {string | ArrayBuffer}
 */
export function answerTo({ direction, form, binary }, bytes = binary) {
  if (direction === 'up') return JSON.stringify({ bytes: bytes.length, crc32: formatCrc32(crc32(bytes)) });
  return form === 'text' ? toText(bytes) : bytes.slice().buffer;
}

/**
 * @param {ReturnType<typeof import('./virtual-time.js').createVirtualTime>} time
 * @param {object} options
 * @param {string} options.name
 * @param {Form} [options.form]
 * @param {(message: Message, count: number) => number} options.law milliseconds; `count` of messages sent before
 * @param {number} [options.setUpMs]
 * @param {number} [options.openingMs] so much more the first message over a connection takes
 * @param {(message: Message, count: number) => FailureOutcome | 'silence' | 'lie' | undefined} [options.fail]
 * @param {boolean} [options.isDeaf] it cannot be connected to
 */
export function createScriptedTransfer(
  time,
  { name, form = 'text', law, setUpMs = 7, openingMs = 0, fail, isDeaf = false },
) {
  const state = { sent: /** @type {Message[]} */ ([]), connectCount: 0, closeCount: 0 };

  /** @returns {TransferConnection['send']} */
  const createSend = () => {
    let extraMs = openingMs;
    return (message, options) => {
      const ownMs = extraMs;
      extraMs = 0;
      return sendOver(message, options, ownMs);
    };
  };

  /**
   * @param {Message} message
   * @param {{ signal?: AbortSignal }} options
   * @param {number} extraMs
   * @returns {Promise<Receipt>}
   */
  const sendOver = async (message, { signal }, extraMs) => {
    const count = state.sent.length;
    state.sent.push(message);
    const startedAtMs = time.now();
    const failure = fail?.(message, count);
    if (failure === 'silence') {
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    }
    await time.sleepUntil(startedAtMs + extraMs + law(message, count));
    if (signal?.aborted) throw signal.reason;
    const endedAtMs = time.now();
    if (failure === 'lie') return { startedAtMs, endedAtMs, answer: answerTo(message, spoil(message.binary)) };
    if (failure) throw new ExchangeError(failure, `scripted ${failure}`);
    return { startedAtMs, endedAtMs, answer: answerTo(message) };
  };

  return {
    state,
    /** @type {TransferMethod} */
    transfer: {
      name,
      form,
      async connect() {
        state.connectCount++;
        if (isDeaf) throw new ExchangeError('closed', 'scripted: nobody there');
        await time.sleepUntil(time.now() + setUpMs);
        return { protocol: 'script', setUpMs, send: createSend(), close: () => state.closeCount++ };
      },
    },
  };
}

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} with another last byte
 */
export function spoil(bytes) {
  const spoilt = bytes.slice();
  spoilt[spoilt.length - 1] ^= 1;
  return spoilt;
}
