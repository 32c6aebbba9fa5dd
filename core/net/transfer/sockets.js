/** The transfer methods over a channel that lasts: one message at a time. */
import { abortable } from '../../base/async.js';
import { connect } from '../channel/channel.js';
import { kinds, openChannel } from '../channel/index.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Channel } from '../channel/channel.js'
 * @import { Direction, MethodOptions, TransferConnection, TransferMethod } from './index.js'
 * @import { Message } from './content.js'
 */

/**
 * Creates a transfer method that sends all messages over one connection.
 * @param {MethodOptions} options @returns {TransferMethod}
 */
export function createSocketTransfer({
  name,
  kind,
  form,
  url,
  directionIn,
  now = () => performance.now(),
  ...options
}) {
  const open = (/** @type {Direction} */ direction) =>
    openChannel(kind, directionIn === 'query' ? `${url}?direction=${direction}` : `${url}/${direction}`, options);
  // The form to request, if there is a choice.
  const binary = kinds[kind].carries.includes('binary') ? form === 'binary' : undefined;
  /** @type {TransferMethod['connect']} */
  const connectTo = async (direction, { signal }) => {
    const channel = await connect(() => open(direction), { now, signal });
    return createConnection(channel, { binary, now });
  };
  return {
    name,
    form,
    connect: connectTo,
    connectAnew: async (direction) => ({
      protocol: 'websocket',
      setUpMs: undefined,
      async send(message, options) {
        const startedAtMs = now();
        const connection = await connectTo(direction, options);
        try {
          return { ...(await connection.send(message, options)), startedAtMs };
        } finally {
          connection.close();
        }
      },
      close() {},
    }),
  };
}

/** @param {Channel} channel open @param {{ binary?: boolean, now: Now }} options @returns {TransferConnection} */
function createConnection(channel, { binary, now }) {
  /** @type {((answer: string | ArrayBuffer) => void) | undefined} */
  let take;
  /** @type {((error: unknown) => void) | undefined} */
  let giveUp;
  channel.on({ message: (answer) => take?.(answer), end: (error) => giveUp?.(error) });

  return {
    protocol: channel.protocol,
    setUpMs: channel.setUpMs,
    send: (message, { signal }) =>
      abortable(signal, (resolve, reject) => {
        giveUp = reject;
        let startedAtMs = 0;
        take = (answer) => resolve({ startedAtMs, endedAtMs: now(), answer });
        startedAtMs = now();
        channel.send(contentOf(message, binary));
        // A late answer could be mistaken for the next one's.
        return channel.end;
      }),
    close: channel.end,
  };
}

/** @param {Message} message @param {boolean} [binary] */
function contentOf({ direction, bytes, offset, text, binary: content }, binary) {
  if (direction === 'down') return JSON.stringify({ bytes, offset, binary });
  return text ?? /** @type {Uint8Array<ArrayBuffer>} */ (content);
}
