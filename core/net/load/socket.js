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
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { connectSocket, OPEN, openWebSocket, toClosed } from '../sockets.js';
import { OFFSET_SPAN } from '../transfer/content.js';
import { createChunkWindow } from './chunk-window.js';
import { checkLength } from './http.js';

/**
 * @import { LoadDirection, LoadSocket } from './index.js'
 * @typedef {{ resolve: () => void, reject: (error: unknown) => void }} Waiting
 */

/** The size of a small message, or of the answer to one. */
const SMALL_BYTES = 16;

/**
 * Opens a socket for a load in one direction.
 * @param {{ WebSocket: new (url: string) => WebSocket, baseUrl: string, direction: LoadDirection, content:
 *   Uint8Array<ArrayBuffer>, signal: AbortSignal }} options `content` to upload
 * @returns {Promise<LoadSocket>}
 */
export function openLoadSocket({ WebSocket, baseUrl, direction, content, signal }) {
  const create = direction === 'down' ? createDownload : createUpload;
  return connectSocket({
    signal,
    open() {
      const socket = openWebSocket(WebSocket, `${baseUrl}/payload/ws/${direction}`);
      socket.binaryType = 'arraybuffer';
      return socket;
    },
    use: (socket) => create(socket, content),
  });
}

/**
 * What both directions have: whoever waits learns of the socket's end, and of an error that the server says.
 * @param {WebSocket} socket open @param {(data: string | ArrayBuffer) => void} onData may throw
 */
function watchEnd(socket, onData) {
  /** @type {Set<Waiting>} */
  const waiting = new Set();
  let closed = new ExchangeError('closed', 'The connection was closed.');
  /** @param {unknown} error */
  const endAll = (error) => {
    for (const { reject } of waiting) reject(error);
    waiting.clear();
  };
  socket.onclose = (event) => endAll((closed = toClosed(event)));
  socket.onmessage = ({ data }) => {
    const error = typeof data === 'string' ? parseRejection(data[0] === '{' ? parseJson(data) : undefined) : undefined;
    try {
      if (error) throw error;
      onData(data);
    } catch (reason) {
      // The next answers would belong to nobody knows which message.
      endAll(reason);
      socket.close();
    }
  };
  // Dozens of messages may wait for one signal.
  const listen = createAbortListener(endAll);
  return {
    /** @param {AbortSignal} signal @param {(one: Waiting) => void} send @returns {Promise<void>} */
    wait: (signal, send) =>
      new Promise((resolve, reject) => {
        listen(signal);
        // A socket that is not open drops messages silently.
        if (socket.readyState !== OPEN) throw closed;
        const one = { resolve: () => (waiting.delete(one), resolve()), reject };
        waiting.add(one);
        send(one);
      }),
    common: {
      protocol: /** @type {const} */ ('websocket'),
      unsentBytes: () => socket.bufferedAmount,
      close: () => socket.close(),
    },
  };
}

/** @param {WebSocket} socket @returns {LoadSocket} */
function createDownload(socket) {
  /** @type {Waiting[]} of small messages, in their order */
  const small = [];
  /** @type {{ begin: () => void, onBytes: (count: number) => void } | undefined} */
  let load;
  const { wait, common } = watchEnd(socket, (data) => {
    if (typeof data !== 'string') load?.onBytes(data.byteLength);
    else if (data[0] === '{') load?.begin();
    else small.shift()?.resolve();
  });
  return {
    ...common,
    exchange: ({ index, signal }) =>
      wait(signal, (one) => {
        small.push(one);
        socket.send(JSON.stringify({ bytes: SMALL_BYTES, offset: index }));
      }),
    async transfer({ onFirst, signal, ...options }) {
      const chunks = createChunkWindow(options, (from, bytes) => {
        const announce = from === 0 ? { announce: true } : {};
        socket.send(JSON.stringify({ bytes, offset: from % OFFSET_SPAN, binary: true, ...announce }));
      });
      const received = wait(signal, ({ resolve }) => {
        load = { begin: onFirst, onBytes: chunks.onArrival };
        chunks.begin(resolve);
      });
      await closeIfAborted(socket, received);
      checkLength(chunks.arrivedBytes(), chunks.sentBytes());
      return chunks.arrivedBytes();
    },
  };
}

/** @param {WebSocket} socket @param {Uint8Array<ArrayBuffer>} content @returns {LoadSocket} */
function createUpload(socket, content) {
  /** @type {{ bytes: number, onReceipt: () => void }[]} of messages that the server has not answered, in their order */
  const sent = [];
  const { wait, common } = watchEnd(socket, (data) => {
    const first = sent.shift();
    checkLength(parseJson(String(data))?.bytes, Number(first?.bytes));
    first?.onReceipt();
  });
  /** @param {number} from @param {number} bytes @param {() => void} onReceipt */
  const send = (from, bytes, onReceipt) => {
    sent.push({ bytes, onReceipt });
    socket.send(content.subarray(from, from + bytes));
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
      await closeIfAborted(socket, received);
      checkLength(chunks.arrivedBytes(), chunks.sentBytes());
      return chunks.arrivedBytes();
    },
  };
}

/**
 * The rest of a load that was given up would go on and delay what comes after it.
 * @param {WebSocket} socket @param {Promise<void>} transfer
 */
async function closeIfAborted(socket, transfer) {
  try {
    await transfer;
  } catch (error) {
    socket.close();
    throw error;
  }
}
