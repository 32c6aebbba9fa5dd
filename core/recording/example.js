/**
 * The recording of a page that nobody has, for those who want to see first what is found in one: a shop's back office, whose three
 * polls differ in what should be done about them. It is the same each time.
 */
import { createRandom } from '../base/random.js';

/**
 * @typedef {object} ExamplePoll
 * @property {string} url with `since=` where it asks by the last identifier
 * @property {number} pauseMs after each answer
 * @property {number} newsEveryMs on average
 * @property {number} requestHead @property {number} responseHead in bytes
 * @property {(id: number) => string} describe the body of an answer, whose latest news has that identifier
 */

const SITE = 'https://shop.example';
/** That of each request, as a browser uses one version with one host. */
const HTTP_VERSION = 'HTTP/1.1';
const START_MS = Date.UTC(2026, 10, 2, 9);
const RECORDED_MS = 600_000;
const SEED = 2012;
/** A request takes so long, and up to as much again in one of a few. */
const [ROUND_TRIP_MS, SERVER_MS] = [90, 60];

/** @type {readonly ExamplePoll[]} */
const POLLS = [
  {
    ...{ url: '/orders?since=', pauseMs: 2000, newsEveryMs: 37_000 },
    ...{ requestHead: 640, responseHead: 280 },
    describe: (id) =>
      JSON.stringify({ last: id, open: 12 + (id % 7), queue: `warehouse ${(id % 3) + 1}`, hint: 'x'.repeat(60) }),
  },
  {
    ...{ url: '/inbox/unread', pauseMs: 5000, newsEveryMs: 300_000 },
    ...{ requestHead: 610, responseHead: 260 },
    describe: (id) => JSON.stringify({ unread: id }),
  },
  {
    ...{ url: '/status', pauseMs: 30_000, newsEveryMs: Infinity },
    ...{ requestHead: 420, responseHead: 220 },
    describe: () => '{}',
  },
];

/** @returns {string} a HAR file */
export function createExample() {
  const random = createRandom(SEED);
  const entries = [createPage(), ...POLLS.flatMap((poll) => createPoll(poll, random))];
  entries.sort((one, other) => one.startedDateTime.localeCompare(other.startedDateTime));
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'SockShootout', version: 'example' }, entries } });
}

function createPage() {
  const body = '<!doctype html><title>Orders</title>';
  return createEntry(0, {
    ...{ url: '/', kind: 'document', mimeType: 'text/html', body, waitMs: ROUND_TRIP_MS, connectMs: ROUND_TRIP_MS },
    ...{ requestHead: 400, responseHead: 300 },
  });
}

/** @param {ExamplePoll} poll @param {() => number} random */
function createPoll({ url, describe, pauseMs, newsEveryMs, ...sizes }, random) {
  const entries = [];
  const nextNews = (/** @type {number} */ atMs) => atMs - newsEveryMs * Math.log(1 - random());
  let [id, newsMs] = [40, nextNews(0)];
  for (let atMs = 300 + 900 * random(); atMs < RECORDED_MS;) {
    const since = url.endsWith('=') ? id : '';
    for (; newsMs <= atMs; newsMs = nextNews(newsMs)) id++;
    const waitMs = ROUND_TRIP_MS + SERVER_MS * (1 + random() ** 4);
    const body = describe(id);
    entries.push(
      createEntry(atMs, { ...{ url: url + since, kind: 'xhr', mimeType: 'application/json', body, waitMs }, ...sizes }),
    );
    atMs += waitMs + pauseMs + 4 * random();
  }
  return entries;
}

/**
 * @param {number} atMs since the recording began
 * @param {{ url: string, kind: string, mimeType: string, body: string, waitMs: number, connectMs?: number, requestHead: number,
 *   responseHead: number }} exchange
 */
function createEntry(atMs, { url, kind, mimeType, body, waitMs, connectMs = 0, requestHead, responseHead }) {
  const connect = connectMs > 0 ? connectMs : -1;
  return {
    ...{ startedDateTime: new Date(START_MS + atMs).toISOString(), time: waitMs + connectMs, _resourceType: kind },
    request: {
      method: 'GET',
      url: SITE + url,
      httpVersion: HTTP_VERSION,
      headers: [],
      headersSize: requestHead,
      bodySize: 0,
    },
    response: {
      ...{
        status: 200,
        statusText: 'OK',
        httpVersion: HTTP_VERSION,
        headers: [],
        headersSize: responseHead,
        bodySize: body.length,
      },
      content: { size: body.length, mimeType, text: body },
    },
    timings: { blocked: -1, dns: -1, connect, ssl: -1, send: 0, wait: waitMs, receive: 0 },
  };
}
