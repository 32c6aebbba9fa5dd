/**
 * What cannot be true of a document that fits its format: refused when it is saved, marked when it was stored before.
 * It imports neither experiments nor the validation library, as a page that draws one experiment needs it, too.
 */
import { isVisible, visible, visibleThroughout } from '../../base/foreign-text.js';
import { deliveries } from '../../net/delivery/index.js';
import { transports } from '../../net/echo/index.js';
import { HTTP, SOCKJS, WEBSOCKET } from '../../net/protocols.js';
import { newTransfers, transfers } from '../../net/transfer/index.js';
import { listTrials } from '../trials.js';

/**
 * @import { Problem } from '../contract.js'
 * @import { SeenTrial } from '../trials.js'
 */

/** As many as a page shows of one run; the first says enough. */
const MOST_MARKS = 5;
/** What clocks are wrong by. */
const SLACK_MS = 24 * 3600 * 1000;
const EARLIEST = '2020-01-01T00:00:00.000Z';
const ROUNDING_MS = 2e-3;

/** SockJS's transports by its client's names, and all but the first together: what the checks of reachability name. */
const SOCKJS_ROWS = [
  ...SOCKJS.map((name) => ({ name, protocols: [name] })),
  { name: 'fallback', protocols: SOCKJS.filter((name) => name !== 'websocket') },
];

const ROWS = [...[transports, transfers, newTransfers, deliveries].flatMap(Object.values), ...SOCKJS_ROWS];

/** By a name that several rows have: what any of them can negotiate. @param {string} name @returns {readonly string[]} */
const protocolsBy = (name) => [
  ...new Set(ROWS.filter((row) => row.name === name).flatMap(({ protocols }) => protocols)),
];

/** What can be negotiated, by the names of transports, delivery methods and transfer methods. */
export const PROTOCOLS = new Map(ROWS.map(({ name }) => [name, protocolsBy(name)]));

/** And by the checks of reachability that name no transport. */
export const CHECK_PROTOCOLS = new Map(
  Object.entries({
    ...among(['http', 'events', 'stream', 'poll'], HTTP),
    ...among(['upgrade', 'text', 'binary', 'size-64k', 'size-1m', 'silence', 'heartbeat', 'idle'], WEBSOCKET),
    ...among(['fallback', 'fallback-default'], SOCKJS),
  }),
);

/** @param {readonly string[]} names @param {readonly string[]} protocols @returns {Record<string, readonly string[]>} */
function among(names, protocols) {
  return Object.fromEntries(names.map((name) => [name, protocols]));
}

/**
 * A document as it may be shown, and in `marks` what cannot be true of it.
 * @template T @param {T} document that fits its format @param {{ nowMs: number }} options when it was saved, or is opened
 */
export function openDocument(document, { nowMs }) {
  const found = findContradictions(document, { nowMs });
  const marks = found.slice(0, MOST_MARKS).map(({ path, message }) => visible(`${path}: ${message}`));
  const others = found.length - marks.length;
  return { document: visibleThroughout(document), marks: others > 0 ? [...marks, `and ${others} more`] : marks };
}

/** @param {readonly string[]} marks @returns {string} a sentence; empty where there are none */
export function describeMarks(marks) {
  return marks.length === 0 ? '' : `This run has values that cannot be true: ${marks.join('; ')}.`;
}

/** @param {any} document that fits its format @param {{ nowMs: number }} options as above @returns {Problem[]} */
export function findContradictions(document, { nowMs }) {
  const trials = listTrials(document);
  const servers = listServers(document, trials);
  return [
    ...findWrongDates(document, servers, nowMs),
    ...findOtherServers(servers),
    ...findInvisibleTexts(document, servers),
    ...findWrongProtocols(trials),
    ...findOverlaps(trials),
  ];
}

/** Who answered. @param {any} document @param {readonly SeenTrial[]} trials @returns {{ path: string, server: any }[]} */
function listServers({ statusBefore, statusAfter }, trials) {
  return [
    { path: 'statusBefore', server: statusBefore },
    { path: 'statusAfter', server: statusAfter },
    ...trials.map(({ path, server }) => ({ path: `${path}.server`, server })),
  ].filter(({ server }) => server);
}

/** Of run, parts, workers. @param {any} document @param {ReturnType<typeof listServers>} servers @param {number} nowMs */
function findWrongDates(document, servers, nowMs) {
  const { startedAt, statusBefore, statusAfter, runs, tests } = document;
  const lists = {
    runs,
    tests,
    'statusBefore.workers': statusBefore?.workers,
    'statusAfter.workers': statusAfter?.workers,
  };
  const parts = Object.entries(lists).flatMap(([path, list = []]) =>
    list.map((/** @type {{ startedAt: string }} */ one, /** @type {number} */ i) => [`${path}.${i}`, one.startedAt]),
  );
  const dates = [['', startedAt], ...parts, ...servers.map(({ path, server }) => [path, server.startedAt])];
  const [earliestMs, latestMs] = [Date.parse(EARLIEST), nowMs + SLACK_MS];
  return dates
    .filter(([, date]) => date !== undefined && !(Date.parse(date) >= earliestMs && Date.parse(date) <= latestMs))
    .map(([path, date]) => ({
      path: [path, 'startedAt'].filter(Boolean).join('.'),
      message: `expected a time from ${EARLIEST} to ${new Date(latestMs).toISOString()}, got ${date}`,
    }));
}

/** A run measures several workers of one server. @param {ReturnType<typeof listServers>} servers */
function findOtherServers(servers) {
  const wanted = servers[0]?.server.server;
  return servers
    .filter(({ server }) => server.server !== wanted)
    .map(({ path, server }) => ({
      path: `${path}.server`,
      message: `expected “${wanted}”, the server of the whole run, got “${server.server}”`,
    }));
}

/** Pages and terminals show them. @param {any} document @param {ReturnType<typeof listServers>} servers */
function findInvisibleTexts({ environment }, servers) {
  const texts = [
    ...['url', 'pageOrigin', 'userAgent'].map((name) => [`environment.${name}`, environment?.[name]]),
    ...servers.flatMap(({ path, server }) =>
      ['server', 'location', 'version'].map((name) => [`${path}.${name}`, server[name]]),
    ),
  ];
  const wanted = 'expected text without invisible or direction-changing characters';
  return texts
    .filter(([, text = '']) => !isVisible(text))
    .map(([path, text]) => ({ path, message: `${wanted}, got ${quote(text)}` }));
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
  return trials.flatMap(({ path, transport, check = '', protocol }) => {
    const known = transport ? PROTOCOLS.get(transport) : CHECK_PROTOCOLS.get(check);
    if (!protocol || !known || protocol.split(', ').every((one) => known.includes(one))) return [];
    const message = `expected a protocol that ${transport ?? check} can use (${known.join(', ')}), got “${protocol}”`;
    return { path: `${path}.protocol`, message };
  });
}

/** Trials are made one after the other. @param {readonly SeenTrial[]} trials @returns {Problem[]} */
function findOverlaps(trials) {
  const format = (/** @type {number} */ ms) => String(Number(ms.toFixed(3)));
  return trials.flatMap(({ path, startedAtMs }, i) => {
    const endedAtMs = trials[i - 1]?.endedAtMs;
    if (startedAtMs === undefined || endedAtMs === undefined || startedAtMs >= endedAtMs - ROUNDING_MS) return [];
    const message = `expected ${format(endedAtMs)} ms or later, after the end of the previous trial, got ${format(startedAtMs)} ms`;
    return { path: `${path}.startedAtMs`, message };
  });
}
