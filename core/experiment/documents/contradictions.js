/**
 * What cannot be true of a document that fits its format. Such a document is refused when it is saved; one that was stored
 * or downloaded before still opens, marked.
 *
 * No experiment is imported, and no validation library: a page that draws one experiment needs this, too.
 */
import { isVisible, visible, visibleThroughout } from '../../base/foreign-text.js';
import { listTrials } from '../trials.js';

/**
 * @import { Problem } from '../contract.js'
 * @import { SeenTrial } from '../trials.js'
 */

/** As many as a page shows of one run; the first says enough. */
const MOST_MARKS = 5;
/** What clocks are wrong by. */
const SLACK_MS = 24 * 3600 * 1000;
/** There was no run before. */
const EARLIEST = '2020-01-01T00:00:00.000Z';
/** What rounding to microseconds loses, twice. */
const ROUNDING_MS = 2e-3;

/** As Resource Timing has them: https://developer.mozilla.org/en-US/docs/Web/API/PerformanceResourceTiming/nextHopProtocol */
const HTTP = Object.freeze(['http/1.0', 'http/1.1', 'h2', 'h3']);
const WEBSOCKET = Object.freeze(['websocket']);
/** By sockjs-client's names for them. */
const SOCKJS = Object.freeze([
  'websocket', 'xhr-streaming', 'xdr-streaming', 'eventsource', 'iframe-eventsource', 'htmlfile', 'iframe-htmlfile',
  'xhr-polling', 'xdr-polling', 'iframe-xhr-polling', 'jsonp-polling',
]); // prettier-ignore

/** What can be negotiated, by the names of transports, delivery methods and transfer methods. */
const PROTOCOLS = new Map([
  ...['ajax', 'xhr', 'fetch', 'sse', 'poll', 'long-poll'].map((name) => /** @type {const} */ ([name, HTTP])),
  ...['websocket', 'websocket-text', 'websocket-binary', 'socket-per-job', 'push'].map(
    (name) => /** @type {const} */ ([name, WEBSOCKET]),
  ),
  /** @type {const} */ (['sockjs', SOCKJS]),
  // Those that were asked for one of SockJS's transports got that one.
  ...SOCKJS.map((only) => /** @type {const} */ ([`sockjs-${only}`, [only]])),
]);

/**
 * A document that was stored or downloaded, as it is shown: it may be older than what is refused today, or changed by
 * hand.
 * @template T @param {T} document that fits its format
 * @param {{ nowMs: number }} options `nowMs`: when it was saved, or is opened
 * @returns {{ document: T, marks: string[] }} its texts as they may be shown; what cannot be true of it, in sentences
 */
export function openDocument(document, { nowMs }) {
  const found = findContradictions(document, { nowMs });
  const marks = found.slice(0, MOST_MARKS).map(({ path, message }) => visible(`${path}: ${message}`));
  const others = found.length - marks.length;
  return { document: visibleThroughout(document), marks: others > 0 ? [...marks, `and ${others} more`] : marks };
}

/** @param {readonly string[]} marks @returns {string} a sentence; empty where there are none */
export function describeMarks(marks) {
  return marks.length === 0 ? '' : `This run contradicts itself, so it cannot be true: ${marks.join('; ')}.`;
}

/**
 * @param {any} document that fits its format, of any experiment
 * @param {{ nowMs: number }} options `nowMs`: when it was saved or opened, since 1970
 * @returns {Problem[]} none where it may be true
 */
export function findContradictions(document, { nowMs }) {
  const trials = listTrials(document);
  return [
    ...findWrongDates(document, trials, nowMs),
    ...findOtherServers(document, trials),
    ...findInvisibleTexts(document, trials),
    ...findWrongProtocols(trials),
    ...findOverlaps(trials),
  ];
}

/**
 * When the run began, or each of its parts, and when each worker of the server did.
 * @param {any} document @param {readonly SeenTrial[]} trials @param {number} nowMs @returns {Problem[]}
 */
function findWrongDates(document, trials, nowMs) {
  const { startedAt, runs = [], tests = [], statusBefore, statusAfter } = document;
  const lists = {
    runs,
    tests,
    'statusBefore.workers': statusBefore?.workers,
    'statusAfter.workers': statusAfter?.workers,
  };
  const dates = [
    { path: 'startedAt', date: startedAt },
    ...Object.entries(lists).flatMap(([path, list = []]) =>
      list.map((/** @type {{ startedAt: string }} */ one, /** @type {number} */ i) => ({
        path: `${path}.${i}.startedAt`,
        date: one.startedAt,
      })),
    ),
    ...trials.map(({ path, server }) => ({ path: `${path}.server.startedAt`, date: server?.startedAt })),
  ];
  const [earliestMs, latestMs] = [Date.parse(EARLIEST), nowMs + SLACK_MS];
  return dates
    .filter(({ date }) => date !== undefined && !(Date.parse(date) >= earliestMs && Date.parse(date) <= latestMs))
    .map(({ path, date }) => ({
      path,
      message: `expected a time from ${EARLIEST} to ${new Date(latestMs).toISOString()}, got ${date}`,
    }));
}

/**
 * Whatever says who answered.
 * @param {any} document @param {readonly SeenTrial[]} trials @returns {{ path: string, server: any }[]}
 */
function listServers({ statusBefore, statusAfter }, trials) {
  return [
    { path: 'statusBefore', server: statusBefore },
    { path: 'statusAfter', server: statusAfter },
    ...trials.map(({ path, server }) => ({ path: `${path}.server`, server })),
  ].filter(({ server }) => server);
}

/**
 * A run measures one server: several workers of it, but one name.
 * @param {any} document @param {readonly SeenTrial[]} trials @returns {Problem[]}
 */
function findOtherServers(document, trials) {
  const servers = listServers(document, trials).map(({ path, server }) => ({ path, name: server.server }));
  return servers
    .filter(({ name }) => name !== servers[0].name)
    .map(({ path, name }) => ({
      path: `${path}.server`,
      message: `expected “${servers[0].name}”, the server of the whole run, got “${name}”`,
    }));
}

/**
 * What browsers and servers call themselves is shown on pages and in terminals.
 * @param {any} document @param {readonly SeenTrial[]} trials @returns {Problem[]}
 */
function findInvisibleTexts(document, trials) {
  const { environment } = document;
  /** @param {string} path @param {Record<string, any>} part @param {readonly string[]} names */
  const textsOf = (path, part, names) => names.map((name) => ({ path: `${path}.${name}`, text: part?.[name] }));
  return [
    ...textsOf('environment', environment, ['url', 'pageOrigin', 'userAgent']),
    ...listServers(document, trials).flatMap(({ path, server }) =>
      textsOf(path, server, ['server', 'location', 'version']),
    ),
  ]
    .filter(({ text = '' }) => !isVisible(text))
    .map(({ path, text }) => ({
      path,
      message: `expected text without characters that cannot be seen or turn its direction, got ${quote(text)}`,
    }));
}

/** @param {string} text @returns {string} characters that cannot be seen like U+202E */
function quote(text) {
  const escaped = [...text.slice(0, 60)].map((character) => {
    const code = Number(character.codePointAt(0)).toString(16).toUpperCase();
    return isVisible(character) ? character : `U+${code.padStart(4, '0')}`;
  });
  return `“${escaped.join('')}”`;
}

/** @param {readonly SeenTrial[]} trials @returns {Problem[]} */
function findWrongProtocols(trials) {
  return trials.flatMap(({ path, transport, protocol }) => {
    const known = PROTOCOLS.get(transport);
    if (!protocol || !known || protocol.split(', ').every((one) => known.includes(one))) return [];
    const message = `expected what ${transport} can go over (${known.join(', ')}), got “${protocol}”`;
    return { path: `${path}.protocol`, message };
  });
}

/** Trials are made one after the other. @param {readonly SeenTrial[]} trials @returns {Problem[]} */
function findOverlaps(trials) {
  const format = (/** @type {number} */ ms) => String(Number(ms.toFixed(3)));
  return trials.flatMap(({ path, startedAtMs }, i) => {
    const endedAtMs = trials[i - 1]?.endedAtMs;
    if (startedAtMs === undefined || endedAtMs === undefined || startedAtMs >= endedAtMs - ROUNDING_MS) return [];
    const message = `expected ${format(endedAtMs)} ms or later, when the trial before it had ended, got ${format(startedAtMs)} ms`;
    return { path: `${path}.startedAtMs`, message };
  });
}
