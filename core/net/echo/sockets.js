/** The echoes over a channel that lasts: answers belong to the messages in their order, over every kind. */
import { createAbortListener } from '../../base/async.js';
import { createId } from '../../base/random.js';
import { connect } from '../channel/channel.js';
import { kinds, openChannel } from '../channel/index.js';
import { checkAnswer, parseAnswer } from '../exchange-error.js';
import { watchConnection } from '../resource-timing.js';

/**
 * @import { Channel } from '../channel/channel.js'
 * @import { Connection, EchoOptions, Transport } from './index.js'
 * @typedef {{ encode: (payload: object) => any, decode: (data: any) => any }} Codec of a kind's messages; `decode` throws
 *   ExchangeErrors
 */

/** Changes nothing, and is answered. */
const LAST_MESSAGE = '{"count":0}';

/** @type {Codec} */
const JSON_TEXT = { encode: JSON.stringify, decode: parseAnswer };
/** @type {Codec} */
const VALUES = { encode: (payload) => payload, decode: checkAnswer };

/** Creates a transport that sends all messages over one connection. @param {EchoOptions} options @returns {Transport} */
export function createSocketTransport({ name, kind, url, doesFallBack, performance, ...options }) {
  const { carries, sendsNothing } = kinds[kind];
  const codec = carries.includes('value') ? VALUES : JSON_TEXT;
  return {
    name,
    capabilities: { socket: true, doesFallBack },
    async connect({ signal }) {
      // Messages that go beside a stream name it by its ID.
      const address = sendsNothing ? `${url}/${createId(24)}` : url;
      const means = { ...options, lastMessage: LAST_MESSAGE, postsTo: sendsNothing && address };
      const channel = await connect(() => openChannel(kind, address, means), { signal });
      const named = sendsNothing ? watchConnection(performance ?? globalThis.performance, address) : channel;
      return createConnection(channel, named, codec);
    },
  };
}

/**
 * @param {Channel} channel open @param {{ readonly protocol: string | undefined }} named may be known later @param {Codec} codec
 * @returns {Connection}
 */
function createConnection(channel, named, { encode, decode }) {
  /** @type {{ resolve: (answer: any) => void, reject: (error: unknown) => void }[]} */
  const waiting = [];
  // Aborted exchanges stay in the list: their answers may still come, and must not be mistaken for the next one's.
  const listen = createAbortListener((reason) => {
    for (const { reject } of waiting) reject(reason);
  });

  channel.on({
    message(data) {
      const first = waiting.shift();
      try {
        first?.resolve(decode(data));
      } catch (error) {
        first?.reject(error);
      }
    },
    end(error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    },
  });

  return {
    setUpMs: channel.setUpMs,
    upgradeMs: channel.upgradeMs,
    close: channel.end,
    get protocol() {
      return named.protocol;
    },
    /** @type {Connection['exchange']} */
    exchange: (payload, { signal }) =>
      new Promise((resolve, reject) => {
        listen(signal);
        const message = encode(payload);
        waiting.push({ resolve, reject });
        channel.send(message);
      }),
  };
}
