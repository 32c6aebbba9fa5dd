/** A channel: the same way to send, to hear and to end over every kind of connection that lasts. */
import { abortable } from '../../base/async.js';
import { ExchangeError } from '../exchange-error.js';

/** The `readyState` of a socket, the same in every library: https://websockets.spec.whatwg.org/#dom-websocket-readystate */
export const CONNECTING = 0;
export const OPEN = 1;
export const CLOSED = 3;
/** The close code of a WebSocket that was interrupted. */
export const ABNORMAL = 1006;
/** The codes with which a page closes a socket before it is open. */
export const CLOSE_GONE = 4001;
export const CLOSE_SILENT = 4002;

/**
 * @import { Now } from '../../base/clock.js'
 * @typedef {Pick<WebSocket, 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'onerror' | 'send' | 'close'> & {
 *   transport?: string, bufferedAmount?: number, setUpMs?: number, upgradeMs?: number }} Socket what a kind opens, and what a
 *   WebSocket has of it; `transport`: what was negotiated, while it is open; `setUpMs` and `upgradeMs`: see Channel
 * @typedef {{ code?: number, reason: string }} CloseEvent without a code if the library tells none
 * @typedef {object} Hooks
 * @property {() => void} [open] messages may be sent from now on
 * @property {(data: any) => void} [message]
 * @property {(error: ExchangeError, event?: CloseEvent) => void} [end] by whichever side; may be called twice. Without an event: it
 *   was never open, and in most cases the event follows
 * @typedef {object} Channel begins to connect at once
 * @property {(hooks: Hooks) => void} on replaces those before
 * @property {(message: any) => void} send throws the ExchangeError by which it ended, or where it is not open yet
 * @property {() => void} end may be called at any time, and again
 * @property {boolean} isOpen
 * @property {string | undefined} protocol as negotiated; absent before it is open, and where the kind does not say
 * @property {number | undefined} setUpMs until it was open
 * @property {number | undefined} upgradeMs until messages went over a WebSocket, where it was set up before that
 * @property {number} unsentBytes that were handed over but not sent, where the kind says
 */

/**
 * @param {Socket} socket that begins to connect @param {{ protocols: readonly string[] }} kind what it may negotiate
 * @returns {Channel}
 */
export function createChannel(socket, { protocols }) {
  let closed = new ExchangeError('closed', 'The connection was closed.');
  /** @type {Hooks} */
  let hooks = {};
  /** @param {ExchangeError} error @param {CloseEvent} [event] */
  const finish = (error, event) => {
    closed = error;
    hooks.end?.(error, event);
  };
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    // SockJS drops the name when it closes.
    channel.protocol = socket.transport ?? (protocols.length === 1 ? protocols[0] : undefined);
    channel.setUpMs = socket.setUpMs;
    channel.upgradeMs = socket.upgradeMs;
    hooks.open?.();
  };
  socket.onclose = (event) => finish(toClosed(event), event);
  // If a policy forbids the URL, Chromium reports an error but no close, and in Node.js ws throws an error that nobody
  // listens to. Once the socket is open, a close follows each error and has all the information.
  socket.onerror = () => {
    if (!wasOpen) finish(new ExchangeError('closed', 'The connection could not be opened.'));
  };

  /** @type {Channel} */
  const channel = {
    on(next) {
      hooks = next;
      const { message } = next;
      socket.onmessage = message ? ({ data }) => message(data) : null;
    },
    send(message) {
      // A socket that is not open drops messages silently.
      if (socket.readyState !== OPEN) throw closed;
      socket.send(message);
    },
    end: () => socket.close(),
    get isOpen() {
      return socket.readyState === OPEN;
    },
    protocol: undefined,
    setUpMs: undefined,
    upgradeMs: undefined,
    get unsentBytes() {
      return socket.bufferedAmount ?? 0;
    },
  };
  return channel;
}

/**
 * Waits until a channel is open. Its setup ends when messages may be sent. What comes with the opening waits for the hooks of whoever
 * waited.
 * @param {() => Channel} open begins to connect @param {{ now?: Now, signal?: AbortSignal }} options
 * @returns {Promise<Channel & { setUpMs: number }>} rejects with an ExchangeError, or with the signal's reason
 */
export function connect(open, { now = () => performance.now(), signal }) {
  return abortable(signal, (resolve, reject) => {
    const startedAtMs = now();
    const channel = open();
    const onOpen = () => {
      const setUpMs = channel.setUpMs ?? now() - startedAtMs;
      keepUntilHeard(channel);
      resolve(Object.assign(channel, { setUpMs }));
    };
    channel.on({ open: onOpen, end: reject });
    return channel.end;
  });
}

/** Keeps what comes until a channel gets its next hooks. @param {Channel} channel */
function keepUntilHeard(channel) {
  const { on } = channel;
  /** @type {((hooks: Hooks) => void)[]} */
  const kept = [];
  on({
    message: (data) => kept.push((hooks) => hooks.message?.(data)),
    end: (error, event) => kept.push((hooks) => hooks.end?.(error, event)),
  });
  channel.on = (hooks) => {
    channel.on = on;
    on(hooks);
    for (const tell of kept) tell(hooks);
  };
}

/**
 * Creates a browser's connection. Some browsers throw where others report an error: for a blocked port, or for a URL that a
 * policy forbids.
 * @template T @param {() => T} create @returns {T} @throws {ExchangeError}
 */
export function construct(create) {
  try {
    return create();
  } catch (error) {
    // Firefox throws what is neither an Error nor a DOMException.
    const { message } = /** @type {{ message: string }} */ (error);
    throw new ExchangeError('closed', `The connection could not be opened: ${message}`);
  }
}

/** Describes the close of a connection, by its code and its reason. @param {CloseEvent} event @returns {ExchangeError} */
export function toClosed({ code, reason }) {
  if (code === CLOSE_SILENT) return new ExchangeError('timeout', `${reason}.`);
  const withCode = code === undefined ? '' : ` with code ${code}`;
  return new ExchangeError('closed', `The socket closed${withCode}${reason && ` (${reason})`}.`);
}
