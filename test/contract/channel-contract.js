/**
 * What every kind of connection must do, client half and server half together, over the endpoints that echo. The same checks run
 * in Node and, as they are, in a browser; so they use nothing but the language, and throw where something is wrong.
 */
import { connect } from '../../core/net/channel/channel.js';
import { openHttp } from '../../core/net/channel/http.js';
import { kinds, openChannel } from '../../core/net/channel/index.js';

/**
 * @import { Channel } from '../../core/net/channel/channel.js'
 * @import { TransportRow } from '../../core/net/echo/index.js'
 * @typedef {{ row: TransportRow, library: any, url: string, lostUrl: string }} Subject `library`: absent where the platform has it;
 *   `url` of the endpoint, whose server is up; `lostUrl`: nobody is at that address
 */

const LIMIT_MS = 60_000;
/** Few: a message over a fallback takes its client 25 ms and more. */
const MESSAGE_COUNT = 5;

let streamCount = 0;

/** Of a connection that lasts. @type {Record<string, (subject: Subject) => Promise<void>>} */
const channelContract = {
  'opens, and says by which protocol and in which time': (subject) =>
    withChannel(subject, async ({ isOpen, protocol, setUpMs }) => {
      equal([isOpen, Number(setUpMs) > 0], [true, true]);
      const isKnown = protocol === undefined ? subject.row.kind === 'event-stream' : isOf(subject.row, protocol);
      if (!isKnown) throw new Error(`Expected one of ${subject.row.protocols}, got ${protocol}`);
    }),

  'hears the answers in the order of the messages': (subject) =>
    withChannel(subject, async (channel) => {
      const counts = await exchange(subject, channel);
      // Requests beside a stream may overtake each other, on their way to several workers.
      equal(kinds[subject.row.kind].sendsNothing ? counts.sort() : counts, [1, 2, 3, 4, 5]);
    }),

  'hears by the hooks that came last': (subject) =>
    withChannel(subject, async (channel) => {
      let lateCount = 0;
      channel.on({ message: () => lateCount++ });
      equal([(await exchange(subject, channel)).length, lateCount], [MESSAGE_COUNT, 0]);
    }),

  'takes nothing once it was ended, and may be ended again': (subject) =>
    withChannel(subject, async (channel) => {
      channel.end();
      channel.end();
      // A poll of JSONP ends with an answer.
      while (channel.isOpen) await nextTask();
      equal((await failureOf(() => channel.send(toMessage(subject, 0)))).outcome, 'closed');
    }),

  'is closed where nobody listens': async (subject) => {
    equal((await failureOf(() => connect(() => open(subject, subject.lostUrl), limit()))).outcome, 'closed');
  },

  'is given up while it connects as soon as its signal says so': async (subject) => {
    const controller = new AbortController();
    const connecting = connect(() => open(subject, subject.url), controller);
    controller.abort(new Error('enough'));
    equal((await failureOf(() => connecting)).message, 'enough');
  },

  'says where its kind sends nothing': async ({ row: { kind }, library, url }) => {
    if (!kinds[kind].sendsNothing) return;
    const channel = await connect(() => openChannel(kind, addressOf(kind, url), { library }), limit());
    equal((await failureOf(() => channel.send('{"count":0}'))).message, 'An event stream sends nothing.');
    channel.end();
  },
};

/** Of requests. @type {typeof channelContract} */
const requestContract = {
  'gives each of several requests at once its own answer': async ({ row, library, url }) => {
    const ask = openHttp(row.library, library).json;
    const asked = [3, 1, 2].map((count) => new Promise(answerOf(ask, url, count)));
    equal(await Promise.all(asked), [{ count: 4 }, { count: 2 }, { count: 3 }]);
  },

  'is closed where nobody listens': async ({ row, library, lostUrl }) => {
    const asked = new Promise(answerOf(openHttp(row.library, library).json, lostUrl, 1));
    equal((await failureOf(() => asked)).outcome, 'closed');
  },
};

/** @param {{ isSocket: boolean }} row @returns {typeof channelContract} */
export const channelContractOf = ({ isSocket }) => (isSocket ? channelContract : requestContract);

/** @param {Subject} subject @param {string} url @returns {Channel} that begins to connect */
function open({ row: { kind, only }, library }, url) {
  const address = addressOf(kind, url);
  return openChannel(kind, address, { library, only, lastMessage: '{"count":0}', postsTo: address });
}

/** @param {Subject} subject @param {(channel: Channel) => Promise<void>} use */
export async function withChannel(subject, use) {
  const channel = await connect(() => open(subject, subject.url), limit());
  try {
    await use(channel);
  } finally {
    channel.end();
  }
}

/** @param {Subject} subject @param {object | number} payload or its count @returns {any} as its kind carries it */
export function toMessage({ row }, payload) {
  const value = typeof payload === 'number' ? { count: payload } : payload;
  return kinds[row.kind].carries.includes('value') ? value : JSON.stringify(value);
}

/** @param {Subject} subject @param {Channel} channel @returns {Promise<number[]>} the counts of the answers */
export function exchange(subject, channel) {
  /** @type {number[]} */
  const counts = [];
  return new Promise((resolve, reject) => {
    channel.on({
      message(data) {
        counts.push((typeof data === 'string' ? JSON.parse(data) : data).count);
        if (counts.length === MESSAGE_COUNT) resolve(counts);
      },
      end: reject,
    });
    for (let count = 0; count < MESSAGE_COUNT; count++) channel.send(toMessage(subject, count));
  });
}

/** @param {ReturnType<typeof openHttp>['json']} ask @param {string} url @param {number} count */
function answerOf(ask, url, count) {
  return (/** @type {(answer: any) => void} */ resolve, /** @type {(error: unknown) => void} */ reject) =>
    void ask({ url, query: { count } }, { resolve, reject });
}

/** @param {TransportRow} row @param {string} protocol */
const isOf = ({ protocols }, protocol) => protocols.includes(protocol);

/** @param {string} kind @param {string} url */
const addressOf = (kind, url) =>
  kinds[kind].sendsNothing
    ? `${url}/contract-${Date.now()}-${streamCount++}-${Math.random().toString(36).slice(2)}`
    : url;

const limit = () => ({ signal: AbortSignal.timeout(LIMIT_MS) });
const nextTask = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {() => unknown} act @returns {Promise<any>} what it threw, or was rejected with */
async function failureOf(act) {
  let value;
  try {
    value = await act();
  } catch (error) {
    return error;
  }
  throw new Error(`Expected a failure, got ${JSON.stringify(value)}`);
}

/** @param {unknown} got @param {unknown} expected */
function equal(got, expected) {
  const [gotText, expectedText] = [got, expected].map((value) => JSON.stringify(value));
  if (gotText !== expectedText) throw new Error(`Expected ${expectedText}, got ${gotText}`);
}
