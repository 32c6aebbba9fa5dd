/**
 * A WebSocket that carries a load and small messages. Of a download the server says when it begins to send, as a page
 * learns of a message only when all of it has arrived; the load is binary and small answers are text. Of an upload the
 * server answers each message with a receipt, in their order.
 *
 * In chunks, at most two are under way: another one is sent when the receiver has one. What the sender has handed over to its
 * system says nothing, as a system takes in up to some megabytes, and a small message would wait for all of them.
 */
import { createAbortListener } from '../../base/async.js';
import { parseJson } from '../../base/foreign-text.js';
import { parseRejection } from '../exchange-error.js';
import { connect } from '../channel/channel.js';
import { kinds, openChannel } from '../channel/index.js';
import { OFFSET_SPAN } from '../transfer/content.js';
import { createChunkWindow } from './chunk-window.js';
import { checkLength } from './http.js';

/**
 * @import { Channel } from '../channel/channel.js'
 * @import { LoadDirection, LoadSocket } from './index.js'
 * @typedef {{ resolve: () => void, reject: (error: unknown) => void }} Waiting
 */

/** The size of a small message, or of the answer to one. */
const SMALL_BYTES = 16;

/**
 * Opens a socket for a load in one direction.
 * @param {{ kind: string, library: any, baseUrl: string, direction: LoadDirection, content:
 *   Uint8Array<ArrayBuffer>, signal: AbortSignal }} options `content` to upload
 * @returns {Promise<LoadSocket>}
 */
export async function openLoadSocket({ kind, library, baseUrl, direction, content, signal }) {
  const url = `${baseUrl}${kinds[kind].paths.payload}/${direction}`;
  const channel = await connect(() => openChannel(kind, url, { library }), { signal });
  return direction === 'down' ? createDownload(channel) : createUpload(channel, content);
}

/**
 * What both directions have: whoever waits learns of the socket's end, and of an error that the server says.
 * @param {Channel} channel open @param {(data: string | ArrayBuffer) => void} onData may throw
 */
function watchEnd(channel, onData) {
  /** @type {Set<Waiting>} */
  const waiting = new Set();
  /** @param {unknown} error */
  const endAll = (error) => {
    for (const { reject } of waiting) reject(error);
    waiting.clear();
  };
  /** @param {string | ArrayBuffer} data */
  const message = (data) => {
    const error = typeof data === 'string' ? parseRejection(data[0] === '{' ? parseJson(data) : undefined) : undefined;
    try {
      if (error) throw error;
      onData(data);
    } catch (reason) {
      // The next answers would belong to nobody knows which message.
      endAll(reason);
      channel.end();
    }
  };
  channel.on({ message, end: endAll });
  // Dozens of messages may wait for one signal.
  const listen = createAbortListener(endAll);
  return {
    /** @param {AbortSignal} signal @param {(one: Waiting) => void} send @returns {Promise<void>} */
    wait: (signal, send) =>
      new Promise((resolve, reject) => {
        listen(signal);
        const one = { resolve: () => (waiting.delete(one), resolve()), reject };
        waiting.add(one);
        send(one);
      }),
    common: {
      protocol: String(channel.protocol),
      unsentBytes: () => channel.unsentBytes,
      close: channel.end,
    },
  };
}

/** @param {Channel} channel @returns {LoadSocket} */
function createDownload(channel) {
  /** @type {Waiting[]} of small messages, in their order */
  const small = [];
  /** @type {{ begin: () => void, onBytes: (count: number) => void } | undefined} */
  let load;
  const { wait, common } = watchEnd(channel, (data) => {
    if (typeof data !== 'string') load?.onBytes(data.byteLength);
    else if (data[0] === '{') load?.begin();
    else small.shift()?.resolve();
  });
  return {
    ...common,
    exchange: ({ index, signal }) =>
      wait(signal, (one) => {
        small.push(one);
        channel.send(JSON.stringify({ bytes: SMALL_BYTES, offset: index }));
      }),
    async transfer({ onFirst, signal, ...options }) {
      const chunks = createChunkWindow(options, (from, bytes) => {
        const announce = from === 0 ? { announce: true } : {};
        channel.send(JSON.stringify({ bytes, offset: from % OFFSET_SPAN, binary: true, ...announce }));
      });
      const received = wait(signal, ({ resolve }) => {
        load = { begin: onFirst, onBytes: chunks.onArrival };
        chunks.begin(resolve);
      });
      await closeIfAborted(channel, received);
      checkLength(chunks.arrivedBytes(), chunks.sentBytes());
      return chunks.arrivedBytes();
    },
  };
}

/** @param {Channel} channel @param {Uint8Array<ArrayBuffer>} content @returns {LoadSocket} */
function createUpload(channel, content) {
  /** @type {{ bytes: number, onReceipt: () => void }[]} of messages that the server has not answered, in their order */
  const sent = [];
  const { wait, common } = watchEnd(channel, (data) => {
    const first = sent.shift();
    checkLength(parseJson(String(data))?.bytes, Number(first?.bytes));
    first?.onReceipt();
  });
  /** @param {number} from @param {number} bytes @param {() => void} onReceipt */
  const send = (from, bytes, onReceipt) => {
    sent.push({ bytes, onReceipt });
    channel.send(content.subarray(from, from + bytes));
  };
  return {
    ...common,
    exchange: ({ signal }) => wait(signal, ({ resolve }) => send(0, SMALL_BYTES, resolve)),
    async transfer({ onFirst, signal, ...options }) {
      const chunks = createChunkWindow(options, (from, bytes) => send(from, bytes, () => chunks.onArrival(bytes)));
      const received = wait(signal, ({ resolve }) => {
        onFirst();
        chunks.begin(resolve);
      });
      await closeIfAborted(channel, received);
      checkLength(chunks.arrivedBytes(), chunks.sentBytes());
      return chunks.arrivedBytes();
    },
  };
}

/**
 * The rest of a load that was given up would go on and delay what comes after it.
 * @param {Channel} channel @param {Promise<void>} transfer
 */
async function closeIfAborted(channel, transfer) {
  try {
    await transfer;
  } catch (error) {
    channel.end();
    throw error;
  }
}
