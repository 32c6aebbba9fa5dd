/**
 * Finds contradictions in a document that fits its format: it is refused when it is saved, and marked if it was stored
 * before. This module imports neither experiments nor the validation library, as a page that draws one experiment needs
 * it, too.
 */
import { isVisible, visible, visibleThroughout } from '../../base/foreign-text.js';
import { deliveries } from '../../net/delivery/index.js';
import { transports } from '../../net/echo/index.js';
import { newTransfers, transfers } from '../../net/transfer/index.js';
import { openRun } from '../run/open-run.js';
import { locateTrials } from '../run/trials.js';

/**
 * @import { Server } from '../../net/echo/trial.js'
 * @import { Described, Problem } from '../contract.js'
 * @import { Opening } from '../run/open-run.js'
 * @import { LocatedTrial } from '../run/trials.js'
 * @typedef {{ readTrial: Described['readTrial'] } & Opening} Checked the parts
 *   of an experiment that contradictions are found by
 * @typedef {{ path: string, method: string, usable?: readonly string[], protocol?: string, server?: Omit<Server,
 *   'worker'>, startedAtMs?: number, endedAtMs?: number }} SeenTrial `usable`: protocols, absent or none if unknown;
 *   `endedAtMs`: of the last event in the trial
 * @typedef {{ path: string, server: any }} LocatedServer `server`: as it answered
 * @typedef {readonly [path: string, date?: string]} LocatedDate
 */

/** The maximum that a page shows for a run; the first few are enough. */
const MAX_MARKS = 5;
/** The tolerated error of clocks. */
const SLACK_MS = 24 * 3600 * 1000;
const EARLIEST = '2020-01-01T00:00:00.000Z';
const ROUNDING_MS = 2e-3;

const ROWS = [transports, transfers, newTransfers, deliveries].flatMap(Object.values);

/**
 * Returns the protocols that any of the rows with a name can negotiate.
 * @param {string} name @returns {readonly string[]}
 */
const protocolsBy = (name) => [
  ...new Set(ROWS.filter((row) => row.name === name).flatMap(({ protocols }) => protocols)),
];

/** The protocols that can be negotiated, by the names of transports, delivery methods and transfer methods. */
export const PROTOCOLS = new Map(ROWS.map(({ name }) => [name, protocolsBy(name)]));

/**
 * Returns a document that is safe to show, and its contradictions as `marks`.
 * @param {Checked} experiment @param {any} stored that fits its format
 * @param {{ nowMs: number }} options when it was saved, or is opened
 */
export function openDocument(experiment, stored, { nowMs }) {
  const found = findContradictions(experiment, stored, { nowMs });
  const marks = found.slice(0, MAX_MARKS).map(({ path, message }) => visible(`${path}: ${message}`));
  const others = found.length - marks.length;
  return { document: visibleThroughout(stored), marks: others > 0 ? [...marks, `and ${others} more`] : marks };
}

/** @param {readonly string[]} marks @returns {string} a sentence; empty if there are none */
export function describeMarks(marks) {
  return marks.length === 0 ? '' : `This run has values that cannot be true: ${marks.join('; ')}.`;
}

/**
 * @param {Checked} experiment @param {any} document that fits its format @param {{ nowMs: number }} options as above
 * @returns {Problem[]}
 */
export function findContradictions(experiment, document, { nowMs }) {
  const located = locateTrials(experiment, document);
  const trials = located.map((one) => seen(experiment, one));
  const servers = listServers(document, trials);
  return [
    ...findWrongDates(listDates(document, located, servers), nowMs),
    ...findOtherServers(servers),
    ...findInvisibleTexts(document, servers),
    ...findWrongProtocols(trials),
    ...findOverlaps(trials),
    ...findInParts(experiment, document, { nowMs }),
  ];
}

/** @param {Checked} experiment @param {any} document @param {{ nowMs: number }} options as above @returns {Problem[]} */
const findInParts = (experiment, document, options) =>
  (experiment.members ? openRun(experiment, document).parts : []).flatMap(
    ({ experiment: member, document: own, path }) =>
      findContradictions(member, own, options).map((problem) => ({ ...problem, path: `${path}.${problem.path}` })),
  );

/** @param {Checked} experiment @param {{ path: string, trial: any }} located @returns {SeenTrial} */
function seen(experiment, { path, trial }) {
  const { protocol, server, startedAtMs } = trial;
  const { method = trial.transport, protocols = PROTOCOLS.get(method), lastMs = 0 } = experiment.readTrial(trial);
  const endedAtMs = startedAtMs === undefined ? undefined : startedAtMs + lastMs;
  return { path, method, usable: protocols, protocol, server, startedAtMs, endedAtMs };
}

/**
 * Lists the servers that answered.
 * @param {any} document @param {readonly SeenTrial[]} trials @returns {LocatedServer[]}
 */
function listServers({ statusBefore, statusAfter }, trials) {
  return [
    { path: 'statusBefore', server: statusBefore },
    { path: 'statusAfter', server: statusAfter },
    ...trials.map(({ path, server }) => ({ path: `${path}.server`, server })),
  ].filter(({ server }) => server);
}

/**
 * Lists the dates of the run, its parts and workers, with their paths.
 * @param {any} document @param {readonly LocatedTrial[]} located @param {readonly LocatedServer[]} servers
 * @returns {LocatedDate[]}
 */
function listDates(document, located, servers) {
  const { startedAt, statusBefore, statusAfter } = document;
  const workers = Object.entries({ statusBefore, statusAfter }).flatMap(([path, status]) =>
    (status?.workers ?? []).map(
      (/** @type {any} */ worker, /** @type {number} */ i) =>
        /** @type {const} */ ([`${path}.workers.${i}.startedAt`, worker.startedAt]),
    ),
  );
  const answered = servers.map(({ path, server }) => /** @type {const} */ ([`${path}.startedAt`, server.startedAt]));
  return [
    ['startedAt', startedAt],
    ...located.flatMap(({ startedAt: own }) => (own ? [own] : [])),
    ...workers,
    ...answered,
  ];
}

/** @param {readonly LocatedDate[]} dates @param {number} nowMs @returns {Problem[]} */
function findWrongDates(dates, nowMs) {
  const [earliestMs, latestMs] = [Date.parse(EARLIEST), nowMs + SLACK_MS];
  return dates
    .filter(([, date]) => date !== undefined && !(Date.parse(date) >= earliestMs && Date.parse(date) <= latestMs))
    .map(([path, date]) => ({
      path,
      message: `expected a time from ${EARLIEST} to ${new Date(latestMs).toISOString()}, got ${date}`,
    }));
}

/**
 * Finds other servers: a run measures several workers of one server.
 * @param {readonly LocatedServer[]} servers
 */
function findOtherServers(servers) {
  const wanted = servers[0]?.server.server;
  return servers
    .filter(({ server }) => server.server !== wanted)
    .map(({ path, server }) => ({
      path: `${path}.server`,
      message: `expected “${wanted}”, the server of the whole run, got “${server.server}”`,
    }));
}

/**
 * Finds invisible characters in texts that pages and terminals show.
 * @param {any} document @param {readonly LocatedServer[]} servers
 */
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
  return trials.flatMap(({ path, method, usable, protocol }) => {
    if (!protocol || !usable?.length || protocol.split(', ').every((one) => usable.includes(one))) return [];
    const message = `expected a protocol that ${method} can use (${usable.join(', ')}), got “${protocol}”`;
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
