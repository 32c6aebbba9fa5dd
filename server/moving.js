/** What moving to a method takes, with code before and after, which stands in examples/. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { capitalize } from '../core/base/format.js';
import { integer } from '../core/experiment/plan/fields.js';
import { transports } from '../core/net/echo/index.js';
import { deliveries, pushOver } from '../core/net/delivery/index.js';

/**
 * @typedef {object} Moving what its page shows
 * @property {string} label of the method
 * @property {'Small' | 'Medium'} effort
 * @property {readonly (readonly [what: string, words: string])[]} changes
 * @property {string} path
 * @property {Memory} [memory] that its connections take on the server, absent if it was not measured
 * @property {readonly { id: string, title: string, steps: readonly Step[] }[]} examples
 * @property {readonly { label: string, path: string }[]} others the other methods, as items of a list
 *
 * @typedef {{ command: string, usersCount: number, mbPerPage: number }} Memory as it was measured
 * @typedef {{ count: string, memory: string, isOwn: boolean }} MemoryRow `count`: of open pages; `isOwn`: the visitor's
 * @typedef {keyof typeof TITLES} Topic
 * @typedef {{ title: string, codes: readonly Code[], more: readonly Code[] }} Step one side; `more`: what not everybody reads
 * @typedef {{ title: string, text: string, copyId?: string }} Code of one file; `copyId`: of what stands there after the move, on its page
 */

/**
 * The facts of each method; `does`: the examples that it has.
 * @type {Readonly<Record<string, { label: string, effort: Moving['effort'], does: readonly Topic[], changes: Record<string, string> }>>}
 */
const METHODS = Object.freeze({
  sse: {
    label: transports.sse.library,
    effort: 'Small',
    does: ['news'],
    changes: {
      Page: 'An EventSource replaces the polling loop. It is part of every browser. It only receives: to send, the page still uses HTTP requests.',
      Server: 'Each page keeps one request open, and the server writes news to it. A comment every 25 s keeps it open.',
      Proxy:
        'It must not buffer the response. Its idle timeout must be longer than 25 s. Use HTTP/2: over HTTP/1.1, a browser opens only six connections to a site, so a seventh open page waits.',
      'Sign-in': 'Cookies are sent. You cannot set headers, such as Authorization.',
      Reconnecting:
        'The browser reconnects and sends Last-Event-ID. After a status other than 200, such as 502 during a deployment, it gives up: the page must open a new EventSource. It does not notice a connection that dies silently.',
      Library: 'None is needed.',
    },
  },
  'long-poll': {
    label: 'long polling',
    effort: 'Small',
    does: ['news'],
    changes: {
      Page: 'The polling loop stays, without its pause.',
      Server: 'It answers when there is news, or after 25 s without. Each page keeps one request open.',
      Proxy:
        'Its timeout must be longer than 25 s. Use HTTP/2: over HTTP/1.1, a browser opens only six connections to a site, so a seventh open page waits.',
      'Sign-in': 'As with any request.',
      Reconnecting:
        'Each request sends the ID of the last item it received, and gets those that came since, of the last 1,000. After an error, the page waits before it asks again.',
      Library: 'None is needed.',
    },
  },
  ws: {
    label: 'WebSocket',
    effort: 'Medium',
    does: ['news', 'request'],
    changes: {
      Page: 'A WebSocket replaces requests. Give every message an ID: answers may come in any order, and no status says which one failed.',
      Server:
        'A library accepts the connections. It has to check Origin, as pages of other sites can connect, with your cookies.',
      Proxy: 'It must forward the Upgrade, Connection and Host headers. Its idle timeout must be longer than 25 s.',
      'Sign-in':
        'Cookies are sent. You cannot set headers, such as Authorization. When a session ends, its connection stays open.',
      Reconnecting:
        'The page connects again after a random pause, and sends the ID of the last item it received. It notices a connection that died silently only by a missing heartbeat.',
      Library: 'Node.js has no WebSocket server: use ws, which has releases each year. The page needs no library.',
    },
  },
  sockjs: {
    label: 'SockJS',
    effort: 'Medium',
    does: ['news', 'request'],
    changes: {
      Page: 'Same changes as for WebSocket, with the SockJS client. Messages are text only.',
      Server:
        'The server of SockJS accepts the connections. All requests of a session must reach the process that opened it.',
      Proxy: 'As for a WebSocket. With several servers, it must send all requests of a session to the same one.',
      'Sign-in': 'The server does not get cookies: send a token as the first message.',
      Reconnecting:
        'The page connects again, with a new session, and sends the ID of the last item it received. The client does not notice a connection that died silently.',
      Library:
        'sockjs-client 1.6.1 and sockjs 0.3.24, without a new release for years. Its fallbacks help only where WebSockets are blocked.',
    },
  },
  socketio: {
    label: 'Socket.IO',
    effort: 'Medium',
    does: ['news', 'request'],
    changes: {
      Page: 'The client of Socket.IO replaces requests. It matches each answer to its message, and has a timeout.',
      Server:
        'The server of Socket.IO accepts the connections. It has to check Origin, as pages of other sites can connect, with your cookies. Other WebSocket clients cannot use it.',
      Proxy:
        'As for a WebSocket. With several servers, it must send all requests of a session to the same one, unless only WebSockets are allowed.',
      'Sign-in': 'Cookies are sent, and the client can send a token when it connects.',
      Reconnecting:
        'The client reconnects, and notices a connection that died silently, after 45 s by default. The server must resend what it missed.',
      Library: 'socket.io and socket.io-client, which must have the same major version.',
    },
  },
});

const TITLES = Object.freeze({ news: 'Showing news', request: 'Sending a message' });

/** Those whose connections are accepted in one place for news and messages. */
const ACCEPTING = Object.freeze(['ws', 'socketio']);
/** Those whose connections a proxy has to upgrade. */
const UPGRADING = Object.freeze(['ws', 'sockjs', 'socketio']);

/** @param {string} name of its file @param {string} [when] before or after @param {string} [ending] @returns {Code} */
const readCode = (name, when, ending = '.js') => ({
  title: [when, path.basename(name) + ending].filter(Boolean).join(': '),
  ...(when === 'After' && { copyId: `after-${path.basename(name)}` }),
  text: readFileSync(new URL(`../examples/${name}${ending}`, import.meta.url), 'utf8'),
});

/** @param {string} method @param {Topic} topic @returns {readonly Step[]} */
const readSteps = (method, topic) => [
  {
    title: 'In the page',
    codes: [readCode(`before/${topic}-page`, 'Before'), readCode(`${method}/${topic}-page`, 'After')],
    more: topic === 'news' ? [readCode('before/news-page-jquery', 'Before, with jQuery')] : [],
  },
  {
    title: 'On the server',
    codes: [readCode(`before/${topic}-server`, 'Before'), readCode(`${method}/${topic}-server`, 'After')],
    more: topic === 'news' ? [readCode('news', 'Before and after')] : [],
  },
];

/** What news and messages share. @param {string} method @returns {Moving['examples']} */
const readShared = (method) => [
  ...(ACCEPTING.includes(method)
    ? [describeShared('accept', 'Accepting connections', 'On the server', readCode(`${method}/accept`, 'After'))]
    : []),
  ...(UPGRADING.includes(method)
    ? [describeShared('proxy', 'Forwarding connections', 'In nginx', readCode('nginx', 'After', '.conf'))]
    : []),
];

/** @param {string} id @param {string} title @param {string} where @param {Code} code @returns {Moving['examples'][number]} */
const describeShared = (id, title, where, code) => ({ id, title, steps: [{ title: where, codes: [code], more: [] }] });

/** How pages poll: with what is part of browsers, and with the library that a recording may name. */
const POLLING = Object.freeze([
  { name: 'polling', library: '', file: 'before/news-page' },
  { name: 'polling with jQuery', library: 'jQuery', file: 'before/news-page-jquery' },
]);

/**
 * What a page changes to get its news by a method, for a page that shows both sides at once.
 * @param {string} method
 * @returns {{ method: string, label: string, path: string, befores: readonly { name: string, library: string, text: string }[], after:
 *   Code }} `befores`: one for each library that pages poll with
 */
export const readChange = (method) => ({
  ...{ method, label: METHODS[method].label, path: pathOf(method) },
  befores: POLLING.map(({ name, library, file }) => ({ name, library, text: readCode(file).text })),
  after: readCode(`${method}/news-page`),
});

/** @param {string} method */
const pathOf = (method) => `/moving/${method}`;

const PAGE_COUNTS = Object.freeze([1000, 10_000, 100_000]);
/** The visitor's own number of users who have the page open. */
export const USERS = integer({
  parameter: 'users',
  label: 'Your concurrent users',
  min: 1,
  max: 1_000_000_000,
  isLater: true,
});
/**
 * What `npm run figures` measured of some delivery methods.
 * @type {Partial<Record<string, { command: string, usersCount: number, mbPerThousand: number }>>}
 */
const MEMORIES = JSON.parse(readFileSync(new URL('connection-memory.json', import.meta.url), 'utf8'));

/** @param {string} method @returns {Memory | undefined} */
function memoryOf(method) {
  const measured = MEMORIES[method in deliveries ? method : pushOver(method).name];
  return measured && { ...measured, mbPerPage: measured.mbPerThousand / 1000 };
}

/** @param {Memory} memory @param {number} [users] of the visitor @returns {MemoryRow[]} rising */
export const scaleMemory = ({ mbPerPage }, users) =>
  [...new Set([...PAGE_COUNTS, ...(users ? [users] : [])])]
    .sort((a, b) => a - b)
    .map((count) => ({
      count: count.toLocaleString('en'),
      memory: formatMemory(mbPerPage * count),
      isOwn: count === users,
    }));

/** @param {number} mb @returns {string} like '630 MB', or '6.3 GB' */
function formatMemory(mb) {
  if (mb < 1) return 'below 1 MB';
  if (mb < 999.5) return `${Math.round(mb)} MB`;
  return mb < 999_950 ? `${(mb / 1000).toFixed(1)} GB` : `${(mb / 1e6).toFixed(1)} TB`;
}

/** @returns {ReadonlyMap<string, Moving>} the pages by path */
export function createMovings() {
  const all = Object.entries(METHODS).map(([name, { does, changes, ...method }]) => ({
    ...method,
    path: pathOf(name),
    changes: Object.entries(changes),
    memory: memoryOf(name),
    examples: [
      ...does.map((topic) => ({ id: topic, title: TITLES[topic], steps: readSteps(name, topic) })),
      ...readShared(name),
    ],
  }));
  const others = all.map(({ path: to, label }) => ({ path: to, label: capitalize(label) }));
  return new Map(
    all.map((page) => [page.path, { ...page, others: others.filter((other) => other.path !== page.path) }]),
  );
}
