/** What moving to a method takes, with code before and after, which stands in examples/. */
import { readFileSync } from 'node:fs';
import { transports } from '../core/net/echo/index.js';

/**
 * @typedef {object} Moving what its page shows
 * @property {string} label of the method
 * @property {'Small' | 'Medium'} effort
 * @property {readonly (readonly [what: string, words: string])[]} changes
 * @property {readonly { title: string, steps: readonly Step[] }[]} examples
 * @property {readonly { label: string, path: string }[]} others the other methods
 *
 * @typedef {keyof typeof TITLES} Topic
 * @typedef {{ title: string, codes: readonly Code[] }} Step before or after
 * @typedef {{ title: string, text: string }} Code of one side
 */

/** The facts of each method; `does`: the examples that it has. */
const METHODS = Object.freeze({
  sse: {
    label: transports.sse.library,
    effort: /** @type {const} */ ('Small'),
    does: /** @type {readonly Topic[]} */ (['news']),
    changes: {
      Page: 'An EventSource replaces the polling loop. It is part of every browser. It only receives: messages to the server stay requests.',
      Server: 'Each page keeps one request open, and the server writes news to it. A comment every 25 s keeps it open.',
      Proxy:
        'It must not buffer this answer, and close an idle connection after 25 s at the earliest. Over HTTP/1.1, a browser has six connections to a site, for all its tabs: with six such pages open, the next one waits. Use HTTP/2.',
      'Sign-in': 'Cookies are sent. Headers of your own, such as Authorization, cannot be set.',
      Reconnecting:
        'The browser reconnects, and sends the ID of the last piece that it got. After an answer other than 200, such as 502 during a deployment, it gives up, and the page has to open a new one. A connection that dies silently is not noticed.',
      Library: 'None is needed.',
    },
  },
  'long-poll': {
    label: 'long polling',
    effort: /** @type {const} */ ('Small'),
    does: /** @type {readonly Topic[]} */ (['news']),
    changes: {
      Page: 'The polling loop stays, without its pause.',
      Server: 'It answers when there is news, or after 25 s without. Each page keeps one request open.',
      Proxy: 'It must wait longer than 25 s for an answer.',
      'Sign-in': 'As with any request.',
      Reconnecting:
        'Each request says which piece came last, so nothing is lost. After an error, the page waits before it asks again.',
      Library: 'None is needed.',
    },
  },
  ws: {
    label: 'WebSocket',
    effort: /** @type {const} */ ('Medium'),
    does: /** @type {readonly Topic[]} */ (['news', 'request']),
    changes: {
      Page: 'A WebSocket replaces requests. Every answer needs an ID, as answers may come in any order, and nothing says which request failed.',
      Server:
        'A library accepts the connections. It has to check Origin, as pages of other sites can connect, with your cookies.',
      Proxy: 'It must pass Upgrade and Connection on, and close an idle connection after 25 s at the earliest.',
      'Sign-in':
        'Cookies are sent. Headers of your own, such as Authorization, cannot be set. A session that ends does not end the connection.',
      Reconnecting:
        'The page connects again, after a pause that differs from page to page, and says which piece came last. It notices a connection that died silently only by a missing heartbeat.',
      Library: 'Node.js has no server for it: ws has releases each year. In the page, none is needed.',
    },
  },
  sockjs: {
    label: 'SockJS',
    effort: /** @type {const} */ ('Medium'),
    does: /** @type {readonly Topic[]} */ (['news', 'request']),
    changes: {
      Page: 'As with a WebSocket, by the client of SockJS. Messages are text.',
      Server:
        'The server of SockJS accepts the connections. All requests of a session must reach the process that opened it.',
      Proxy: 'As for a WebSocket. With several servers, it must send all requests of a session to the same one.',
      'Sign-in': 'The server does not get cookies: send a token as the first message.',
      Reconnecting:
        'The page connects again, with a new session, and says which piece came last. The client does not notice a connection that died silently.',
      Library:
        'sockjs-client 1.6.1 and sockjs 0.3.24 have been the newest releases for years. The fallbacks matter only where a WebSocket does not get through.',
    },
  },
  socketio: {
    label: 'Socket.IO',
    effort: /** @type {const} */ ('Medium'),
    does: /** @type {readonly Topic[]} */ (['news', 'request']),
    changes: {
      Page: 'The client of Socket.IO replaces requests. Answers belong to their messages, with a time limit.',
      Server: 'The server of Socket.IO accepts the connections. Other WebSocket clients cannot use it.',
      Proxy:
        'As for a WebSocket. With several servers, it must send all requests of a session to the same one, unless only WebSockets are allowed.',
      'Sign-in': 'Cookies are sent, and the client can send a token when it connects.',
      Reconnecting:
        'The client reconnects, and notices a connection that died silently, after 45 s by default. What it missed, the server has to send.',
      Library: 'socket.io and socket.io-client, which must have the same major version.',
    },
  },
});

const TITLES = Object.freeze({ news: 'Showing news', request: 'Sending a message' });

const SIDES = Object.freeze({ page: 'in the page', server: 'on the server' });

/** @param {string} name of its file @param {keyof typeof SIDES} side @returns {Code} */
const readCode = (name, side) => ({
  title: SIDES[side],
  text: readFileSync(new URL(`../examples/${name}.js`, import.meta.url), 'utf8'),
});

/** @param {string} folder @param {string} topic @returns {readonly Code[]} */
const readSides = (folder, topic) => [
  readCode(`${folder}/${topic}-page`, 'page'),
  readCode(`${folder}/${topic}-server`, 'server'),
];

/** @param {string} method @param {Topic} topic @returns {readonly Step[]} */
const readSteps = (method, topic) => [
  { title: 'Before', codes: readSides('before', topic) },
  { title: 'After', codes: readSides(method, topic) },
  ...(topic === 'news' ? [{ title: 'Before and after', codes: [readCode('news', 'server')] }] : []),
];

/** @returns {ReadonlyMap<string, () => Moving>} the pages by path */
export function createMovings() {
  const all = Object.entries(METHODS).map(([name, { does, changes, ...method }]) => ({
    ...method,
    path: `/moving/${name}`,
    changes: Object.entries(changes),
    examples: does.map((topic) => ({ title: TITLES[topic], steps: readSteps(name, topic) })),
  }));
  return new Map(
    all.map((page) => {
      const whole = { ...page, others: all.filter((other) => other !== page) };
      return [page.path, () => whole];
    }),
  );
}
