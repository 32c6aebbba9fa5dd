/** Clients that keep a server busy with requests: each repeats a round of them, as fast as it is answered. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createFeeds } from '../../server/endpoints/feeds.js';
import { createShootout } from './submissions.js';

/**
 * @typedef {(method: string, path: string, body?: string | Buffer, headers?: Record<string, string>) => Promise<string>} Ask gives the
 *   answer's body
 * @typedef {{ path: string, round: (ask: Ask) => Promise<unknown> }} RequestFlood `path`: of the requests, for people
 */

const MIB = 1024 * 1024;
/** The most that a SockJS fallback may send at once. */
const MESSAGES = 16_384;
const MANY_MESSAGES = JSON.stringify(Array(MESSAGES).fill('{}'));
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const MANY_IN_FORM = `d=${encodeURIComponent(JSON.stringify(Array(MESSAGES).fill('0')))}`;
const NESTED = '['.repeat(MIB);
const WIDE = `{"count":1,"x":[${'0,'.repeat(MIB / 2 - 100)}0]}`;
/** As much structure as a message may have, and as much text. */
const FULL = JSON.stringify({ count: 1, x: Array(9000).fill('x'.repeat(100)) });
const BOUNDARY = 'x';
/** Of the form of 2019, as small as it can be sent. */
export const MANY_FILES = gzipSync(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="runs"; filename=""\r\n\r\n\r\n`.repeat(14_000) +
    `--${BOUNDARY}--`,
);
export const GZIPPED_FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-encoding': 'gzip' };
/** A document that takes long to check, in a body that takes no time to send. */
export const LARGE_RUN = gzipSync(
  JSON.stringify({
    document: createShootout({
      plan: { transports: ['ajax', 'sockjs'], blocks: 50, iterations: 1000, warmUpCount: 0, payloadBytes: 0, seed: 1 },
    }),
  }),
);
export const GZIPPED_JSON = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
/** What those runs have in common that a store must have so that reading them takes time. */
export const FLOOD_LABEL = 'flooded';
/** What a server must have for feeds that it did not make. */
export const FLOOD_SECRET = 'a-secret-for-floods-of-feeds';
/** The longest that there is: all of its messages were due a second ago. */
const PAST_FEED = /** @type {const} */ ({ rate: 20, count: 3600, cut: 'none', cutAtMs: 0, cutMs: 0 });
const pastFeeds = createFeeds({ secret: Buffer.from(FLOOD_SECRET), now: () => Date.now() - 181_000 });
const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket' };

/** @param {string} action @param {string} body @param {Record<string, string>} [headers] @returns {RequestFlood} */
const sending = (action, body, headers) => ({
  path: `/echo/000/x/${action}`,
  async round(ask) {
    const session = `/echo/000/${randomUUID()}`;
    await ask('POST', `${session}/xhr`);
    // It polls, too, as what is not fetched closes the session.
    await Promise.all([ask('POST', `${session}/xhr`), ask('POST', `${session}/${action}`, body, headers)]);
    await ask('POST', `${session}/xhr`);
  },
});

/** @param {string} path @returns {RequestFlood} */
const reading = (path) => ({ path, round: (ask) => ask('GET', path) });

/** @type {Record<string, RequestFlood>} */
export const REQUEST_FLOODS = {
  'posts full of messages': sending('xhr_send', MANY_MESSAGES),
  'forms full of messages': sending('jsonp_send', MANY_IN_FORM, FORM),
  'posts of nested JSON': { path: '/ajaxecho', round: (ask) => ask('POST', '/ajaxecho', NESTED) },
  'posts of wide JSON': { path: '/ajaxecho', round: (ask) => ask('POST', '/ajaxecho', WIDE) },
  'posts of full JSON': { path: '/ajaxecho', round: (ask) => ask('POST', '/ajaxecho', FULL) },
  'forms of 2019 full of files': {
    path: '/submission',
    round: (ask) => ask('POST', '/submission', MANY_FILES, GZIPPED_FORM),
  },
  'requests for a page': reading('/'),
  'requests for no page': reading('/no-such-page'),
  'requests for a study': reading(`/c?label=${FLOOD_LABEL}`),
  'requests for a list': reading('/results?experiment=in-flight&browser=Firefox'),
  'requests for an empty list': reading('/api/results?server=nowhere&valid=1'),
  'requests for empty lists, each another': {
    path: '/results?place=…&valid=1',
    round: (ask) => ask('GET', `/results?place=${randomUUID()}&valid=1`),
  },
  'requests for feeds of the past': {
    path: '/feed/…/events?since=0',
    round: (ask) => ask('GET', `/feed/${pastFeeds.make(PAST_FEED).id}/events?since=0`),
  },
  'requests for streams at once': reading('/pieces?pieces=1000&bytes=500&rate=0&spread=0&seed=1'),
  'polls for streams at once': reading('/pieces/poll?pieces=1000&bytes=500&rate=0&spread=0&seed=1'),
  // Together as many as one address may have.
  'requests for streams at the highest rate': {
    path: '/pieces',
    round: (ask) =>
      Promise.all(
        Array.from({ length: 10 }, (_, seed) =>
          ask('GET', `/pieces?pieces=100&bytes=12&rate=100&spread=100&seed=${seed}`),
        ),
      ),
  },
  'uploads of runs': { path: '/api/results', round: (ask) => ask('POST', '/api/results', LARGE_RUN, GZIPPED_JSON) },
  'requests for CSV files': {
    path: '/api/results/….csv',
    async round(ask) {
      const [{ id }] = JSON.parse(await ask('GET', `/api/results?label=${FLOOD_LABEL}`)).results;
      await ask('GET', `/api/results/${id}.csv`);
    },
  },
  'refused requests': { path: '/xhr', round: (ask) => ask('GET', '/xhr?count=x') },
  'refused upgrades': { path: '/reach/ws', round: (ask) => ask('GET', '/reach/ws?probe=x', undefined, UPGRADE) },
};

/** Until the process ends. @param {{ port: number, kind: string }} options `kind`: of {@link REQUEST_FLOODS} */
export async function floodWithRequests({ port, kind }) {
  const agent = new Agent({ keepAlive: true });
  /** @type {Ask} */
  const ask = (method, path, body = '', headers = {}) =>
    new Promise((resolve) => {
      const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => (text += part));
        answer.on('close', () => resolve(text));
      });
      // A connection that is closed is what some floods are for.
      sent.on('error', () => resolve('')).end(body);
    });
  for (;;) await REQUEST_FLOODS[kind].round(ask);
}
