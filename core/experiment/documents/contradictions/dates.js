/**
 * @import { Problem } from '../../contract.js'
 * @import { SeenTrial } from './list-trials.js'
 */

/** What clocks are wrong by. */
const SLACK_MS = 24 * 3600 * 1000;
/** There was no run before. */
const EARLIEST = '2020-01-01T00:00:00.000Z';

/**
 * @param {any} document
 * @param {readonly SeenTrial[]} trials
 * @param {number} nowMs
 * @returns {Problem[]}
 */
export function findWrongDates(document, trials, nowMs) {
  const earliestMs = Date.parse(EARLIEST);
  const latestMs = nowMs + SLACK_MS;
  return listDates(document, trials).flatMap(({ path, date }) => {
    const ms = Date.parse(date);
    if (ms >= earliestMs && ms <= latestMs) return [];
    return { path, message: `expected a time from ${EARLIEST} to ${new Date(latestMs).toISOString()}, got ${date}` };
  });
}

/**
 * When the run began, or each of its parts, and when each worker of the server did.
 * @param {any} document @param {readonly SeenTrial[]} trials @returns {{ path: string, date: string }[]}
 */
function listDates(document, trials) {
  const { startedAt, runs, tests, statusBefore, statusAfter } = document;
  return [
    ...(startedAt === undefined ? [] : [{ path: 'startedAt', date: startedAt }]),
    ...startsOf('runs', runs),
    ...startsOf('tests', tests),
    ...startsOf('statusBefore.workers', statusBefore?.workers),
    ...startsOf('statusAfter.workers', statusAfter?.workers),
    ...trials.flatMap(({ path, server }) =>
      server ? { path: `${path}.server.startedAt`, date: server.startedAt } : [],
    ),
  ];
}

/** @param {string} path @param {readonly { startedAt: string }[]} [list] */
function startsOf(path, list = []) {
  return list.map(({ startedAt }, i) => ({ path: `${path}.${i}.startedAt`, date: startedAt }));
}
