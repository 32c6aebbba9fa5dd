/** Checks whether a run can be trusted: the facts that stand beside its verdict, and which of them cast doubt on it. */
import { formatNumber, formatCount } from '../../base/format.js';
import { sumOf } from '../../base/statistics.js';
import { areSameWorkers } from '../../net/status.js';
import { clientLagFacts } from './client-lag.js';
import { deviceFacts } from './device.js';
import { describeLink } from './emulated-link.js';
import { formatServer, isBrowser } from './names.js';

/**
 * @import { Status } from '../../net/status.js'
 * @import { Ending, Environment, Fact, OwnTraffic, Trust } from '../contract.js'
 * @import { Part } from './open-run.js'
 */

/**
 * @param {string} name @param {string} value
 * @param {string | false} [brief] what it warns of, in a clause of a few words; absent or false: of nothing @returns {Fact}
 */
export const fact = (name, value, brief = false) =>
  brief ? { name, value, isWarning: true, brief } : { name, value, isWarning: false };

/** Lets a warning be about the figures themselves. @param {Fact} one @returns {Fact} */
export const weighty = (one) => ({ ...one, weighs: true });

/**
 * Lists the facts of a run, its own experiment's among them.
 * @param {Part} part @param {{ trials: readonly any[], floorMs?: number, trust?: Trust }} found
 * @returns {Fact[]} none of one that another client made
 */
export function trustFactsOf(part, { trials, floorMs, trust = {} }) {
  const { plan, paths, environment, ending, statusBefore, statusAfter, startedAt } = part;
  if (!environment) return [];
  const server = statusAfter ?? statusBefore ?? trials.find((trial) => trial.server)?.server;
  const { facts = [], isBusy, decidingMs, breaks, ownTraffic } = trust;
  const lagRun = { decidingMs, isOwn: isBusy };
  const isOnPage = isBrowser(environment.userAgent);
  const isPlanned = plan !== undefined && !paths;
  return [
    ...(isPlanned ? [completeFact(ending, { isOnPage, breaks })] : []),
    clockFact(environment),
    ...deviceFacts(environment),
    ...clientLagFacts(environment, lagRun),
    ...otherTabFacts(environment),
    ...compressionFacts(trials, [statusBefore, statusAfter]),
    ...facts,
    ...(environment.link ? [fact('Link', describeLink(environment.link))] : []),
    fact('Server', server ? formatServer(server, environment.url) : 'unknown'),
    // A run that ended early has not asked the server again.
    ...(isPlanned && !ending ? serverFacts(part, { floorMs, ...lagRun, ownTraffic }) : []),
    ...(isPlanned ? [fact('IP family', statusBefore?.ipFamily ? `IPv${statusBefore.ipFamily}` : 'unknown')] : []),
    fact(isOnPage ? 'Browser' : 'Measured by', environment.userAgent),
    ...(startedAt ? [fact('Started', startedAt)] : []),
  ];
}

/**
 * What the visitor stopped needs no warning.
 * @param {Ending | undefined} ending @param {{ breaks?: Trust['breaks'], isOnPage: boolean }} run @returns {Fact}
 */
function completeFact(ending, { isOnPage, breaks = [] }) {
  if (ending?.kind === 'invalid') return fact('Complete', 'no', 'this run is invalid');
  if (ending) return fact('Complete', 'no, stopped');
  const checked = [
    ...(isOnPage ? ['tab never hidden'] : []),
    ...(breaks.includes('connection') ? [] : ['no connection lost']),
    ...(breaks.includes('server') ? [] : ['no server restart']),
  ];
  return fact('Complete', ['yes', ...checked].join(', '));
}

/** Returns the facts that cast doubt on a run. @param {readonly Fact[]} facts */
export const warningsIn = (facts) => facts.filter(({ isWarning }) => isWarning);

/**
 * Whether a fact weighs so much that a run's figures are not to be summed up with others: what measured it was busy with
 * something else, or too coarse. Traffic of others weighs nothing by itself: if it made the server slow, its lag says so.
 * @param {Fact} fact
 */
export const isWeighty = ({ isWarning, weighs = false }) => isWarning && weighs;

/** @param {number} count @returns {string} like 'No warnings', '2 warnings' */
export const formatWarningCount = (count) => (count === 0 ? 'No warnings' : formatCount(count, 'warning'));

/**
 * @param {{ trust: readonly Fact[], notice?: string }} report
 * @returns {string} empty instead of 'No warnings' if a notice warns of something else
 */
export function countWarnings({ trust, notice }) {
  const { length } = warningsIn(trust);
  return length === 0 && notice ? '' : formatWarningCount(length);
}

/**
 * Says without a press what the warnings are: those that weigh, before others.
 * @param {readonly Fact[]} trust with a warning @returns {string} like '2 warnings: the server was busy, other clients used the server'
 */
export function describeWarnings(trust) {
  const warnings = warningsIn(trust);
  const sorted = [...warnings.filter(isWeighty), ...warnings];
  const briefs = new Set(sorted.map(({ brief, name }) => brief ?? name));
  return `${formatWarningCount(warnings.length)}: ${[...briefs].join(', ')}`;
}

/** @param {Environment} environment */
function clockFact({ stepMs }) {
  if (stepMs === undefined) return fact('Clock step', 'could not be measured', 'the clock’s step is unknown');
  return weighty(
    fact('Clock step', `${Number((stepMs * 1000).toPrecision(2))} µs`, stepMs > 1 && 'the clock is coarse'),
  );
}

/** @param {{ hasOtherTab?: boolean }} environment @returns {Fact[]} none if no other tab measured */
export const otherTabFacts = ({ hasOtherTab }) =>
  hasOtherTab
    ? [
        weighty(
          fact('Other tabs', 'another tab of this browser measured at the same time', 'another tab measured, too'),
        ),
      ]
    : [];

/**
 * Looks for a proxy that compresses although the server forbids it: requests carry fewer bytes then, and sockets do not. Short
 * messages may be spared; where they are seen, they count, else the server's status.
 * @param {readonly any[]} trials @param {readonly (Status | undefined)[]} statuses @returns {Fact[]} none if there is none
 */
function compressionFacts(trials, statuses) {
  const [seenCount, compressedCount] = ['seenCount', 'compressedCount'].map((key) =>
    sumOf(trials, ({ requests }) => requests?.[key]),
  );
  const isSpared = seenCount > 0 && compressedCount === 0;
  if (isSpared || (compressedCount === 0 && !statuses.some((status) => status?.contentEncoding))) return [];
  const what = compressedCount > 0 ? `${compressedCount} of ${seenCount} answers` : 'answers';
  return [
    weighty(
      fact('Compression', `a proxy compressed ${what}, but compresses no WebSocket`, 'a proxy compressed answers'),
    ),
  ];
}

/**
 * Checks whether the server had other work during the run.
 * @param {any} document @param {LagRun & { ownTraffic?: OwnTraffic }} run @returns {Fact[]}
 */
function serverFacts(document, { ownTraffic, ...run }) {
  const { statusBefore: before, statusAfter: after } = /** @type {Record<string, Status | undefined>} */ (document);
  const unknown = (/** @type {string} */ why) => [
    fact('Other traffic during the run', `unknown, ${why}`, 'other traffic is unknown'),
  ];
  if (!before || !after) return unknown('no server status before or after the run');
  if (before.silentWorkerCount + after.silentWorkerCount > 0) return unknown('a worker did not answer');
  if (!areSameWorkers(before, after)) return unknown('workers were replaced during the run');
  const [first, last] = [before, after].map(totalsOf);
  const lag = lagFact(first, last, run);
  return [...trafficFacts(first, last, ownTraffic), lag];
}

const OTHERS = 'other clients used the server';

/**
 * Looks for other clients; a session of the run itself may still be closing after it.
 * @param {Totals} first @param {Totals} last @param {OwnTraffic} [own] absent if it is not counted @returns {Fact[]}
 */
function trafficFacts(first, last, own) {
  if (!own) return [fact('Open sessions', `${first.openSessions} before`, first.openSessions > 0 && OTHERS)];
  const { echoCount, mayLinger } = own;
  const otherCount = Math.max(0, last.echoCount - first.echoCount - echoCount);
  const why = mayLinger ? ' (those of SockJS fallbacks close some seconds later)' : '';
  const areOpen = first.openSessions > 0 || (last.openSessions > 1 && !mayLinger);
  return [
    fact('Messages from others during the run', String(otherCount), otherCount > 0 && OTHERS),
    fact('Open sessions', `${first.openSessions} before, ${last.openSessions} after${why}`, areOpen && OTHERS),
  ];
}

/**
 * The bounds of the mean delay of a server's event loop above which it was busy. On two cores
 * over localhost it was 0.3 to 0.4 ms when nothing else ran, and 1.5 ms beside one busy loop.
 */
const LATE_MS = { max: 5, min: 1 };

/**
 * @typedef {{ floorMs?: number, decidingMs?: number, isOwn?: boolean }} LagRun `decidingMs`: the difference that decides, if
 *   it is known; `isOwn`: its own messages make the lag
 */
/** @param {Totals} first @param {Totals} last @param {LagRun} run */
function lagFact(first, last, { floorMs = Infinity, decidingMs = Infinity, isOwn = false }) {
  const count = last.lagCount - first.lagCount;
  const name = 'Server’s event-loop lag';
  if (count <= 0) return fact(name, 'unknown, the run was too short');
  const lagMs = (last.lagTotalMs - first.lagTotalMs) / count;
  // Beside a round trip of half a millisecond, or where that decides, a delay of 4 ms is busy already.
  const isLate = lagMs > Math.max(LATE_MS.min, Math.min(LATE_MS.max, floorMs, decidingMs));
  const why = isOwn ? ', including this run’s own load' : isLate ? '; the server was busy' : '';
  return weighty(
    fact(
      name,
      `${formatNumber(lagMs, 2)} ms on average, ${formatCount(count, 'sample')}${why}`,
      isLate && !isOwn && 'the server was busy',
    ),
  );
}

/** @typedef {{ echoCount: number, openSessions: number, lagCount: number, lagTotalMs: number }} Totals the counters of all workers */
/** @param {Status} status @returns {Totals} */
const totalsOf = ({ workers }) => ({
  echoCount: sumOf(workers, ({ echoCount }) => echoCount),
  openSessions: sumOf(workers, ({ openSessions }) => openSessions),
  lagCount: sumOf(workers, ({ eventLoop }) => eventLoop.lagCount),
  lagTotalMs: sumOf(workers, ({ eventLoop }) => eventLoop.lagTotalMs),
});
