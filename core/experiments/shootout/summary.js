/** Computes all results of a run from its measurements only: pages and every export show the same. */
import { DASH, formatNumber, formatSigned } from '../../base/format.js';
import { summarizeTrials, median, sumOf } from '../../base/statistics.js';
import { compareTransports } from '../../experiment/compare.js';
import { describeLink } from '../../experiment/emulated-link.js';
import { isLoopback, formatServer, isBrowser, NEAR_MS } from '../../experiment/names.js';
import { protocolsOf } from '../../experiment/trials.js';
import { transports } from '../../net/echo/index.js';
import { isFallback, labelOf } from '../../net/labels.js';
import { areSameWorkers } from '../../net/status.js';
import { baselineOf } from './plan.js';
import { createVerdict, didFallBack } from './verdict.js';

/**
 * @import { Environment } from '../../experiment/contract.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Status } from '../../net/status.js'
 * @import { Result } from './index.js'
 * @typedef {'machine' | 'network' | 'path'} Scope the scope of a run: the path between two places, or one machine or
 *   its own network, where hardly any distance is part of a round trip
 * @typedef {ReturnType<typeof createRow>} Row one transport's figures
 * @typedef {ReturnType<typeof summarize>} Summary
 * @typedef {{ name: string, value: string, isWarning: boolean }} Fact `isWarning`: it casts doubt on the run
 */

/** The maximum time of a machine's echo to itself: a loopback address that takes longer leads into a tunnel. */
const TUNNEL_MS = 20;

/** @param {Result} result */
export function summarize(result) {
  const baseline = baselineOf(result.plan);
  const rows = result.plan.transports.map((transport) => createRow(result, transport, baseline));
  const floors = rows.flatMap(({ summary }) => summary.minMs ?? []);
  const floorMs = result.plan.payloadBytes > 0 || floors.length === 0 ? undefined : Math.min(...floors);
  const scope = scopeOf({ url: result.environment.url, floorMs });
  return {
    result,
    /**
     * The smallest round trip of the run, which stands for the distance; absent with a payload, whose transfer is part
     * of it.
     */
    floorMs,
    scope,
    baseline,
    rows,
    verdict: createVerdict({ result, rows, floorMs, scope }),
    notes: listNotes(rows),
    trust: listTrustFacts(result),
  };
}

/** @param {Result} result @param {string} transport @param {string} baseline */
function createRow({ trials: all, coldSetUpMs, environment: { stepMs } }, transport, baseline) {
  const trials = all.filter((trial) => trial.transport === transport);
  return {
    transport,
    /** The negotiated protocols, in the order of their first use. */
    protocols: protocolsOf(trials),
    setUp: setUpOf(trials, coldSetUpMs[transport]),
    summary: summarizeTrials(trials, { stepMs }),
    failures: trials.flatMap(({ failures }) => failures),
    comparison: transport === baseline ? undefined : compareTransports({ trials: all, baseline, transport, stepMs }),
  };
}

/**
 * Computes the connection setup times, and counts the trials that reused a connection.
 * @param {readonly RunTrial[]} trials @param {number | undefined} coldMs
 * @returns {{ medianMs?: number, count: number, reusedCount: number }}
 */
function setUpOf(trials, coldMs) {
  const known = [...trials.map(({ setUpMs }) => setUpMs), coldMs].filter((ms) => ms !== undefined);
  const reused = trials.filter(({ samples, setUpMs }) => samples.iteration.length > 0 && setUpMs === undefined);
  return { medianMs: median(known), count: known.length, reusedCount: reused.length };
}

/** @param {{ url: string, floorMs?: number }} run `url` of page or server; its smallest round trip @returns {Scope} */
export function scopeOf({ url, floorMs }) {
  if (!URL.canParse(url)) return 'path';
  const { origin, hostname } = new URL(url);
  if (isLoopback(origin)) return (floorMs ?? 0) < TUNNEL_MS ? 'machine' : 'path';
  return isPrivate(hostname) && floorMs !== undefined && floorMs < NEAR_MS ? 'network' : 'path';
}

/**
 * Checks for addresses of RFC 1918, RFC 4193 or RFC 3927, and for names that only a local network knows.
 * @param {string} hostname as URLs have it
 */
function isPrivate(hostname) {
  if (/^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)) return true;
  if (/^\[f[cd][0-9a-f]{2}:|^\[fe80:/.test(hostname)) return true;
  return !/[.[]/.test(hostname) || /\.(local|lan|internal|home\.arpa)$/.test(hostname);
}

/** @param {readonly Row[]} rows @returns {string[]} sentences */
function listNotes(rows) {
  const fallbacks = rows.filter(({ transport, protocols }) =>
    protocols.some((protocol) => isFallback(transport, protocol)),
  );
  const byMeans = rows.filter(({ comparison }) => comparison?.statistic === 'mean');
  const fromTotals = rows.filter(({ summary }) => summary.meanFrom === 'total');
  const why = 'because the clock is too coarse for single round trips.';
  const wait = 'includes the 25 ms that sockjs-client waits after each message over a fallback.';
  return [
    note(fallbacks, wait),
    note(byMeans, `compared by means, not medians, ${why}`),
    note(fromTotals, `mean computed from the total time of each trial, ${why}`),
  ].filter(Boolean);
}

/** @param {readonly Row[]} rows @param {string} words */
function note(rows, words) {
  return rows.length === 0 ? '' : `${rows.map(({ transport }) => labelOf(transport)).join(', ')}: ${words}`;
}

/** The mean delay above which a server's event loop was busy. */
const LATE_MS = 5;

/** @param {Result} result @returns {Fact[]} */
function listTrustFacts(result) {
  const { environment, plan, trials, ending, statusBefore, statusAfter } = result;
  const server = statusAfter ?? statusBefore ?? trials.find((trial) => trial.server)?.server;
  const cacheHitCount = sumOf(trials, ({ requests }) => requests?.cacheHitCount);
  const isOnPage = isBrowser(environment.userAgent);
  const valid = `yes: ${isOnPage ? 'tab never hidden, ' : ''}no connection lost, no server restart`;
  return [
    fact('Valid', ending ? 'no' : valid, Boolean(ending)),
    clockFact(environment),
    ...plan.transports.map((transport) => transportFact(result, transport)),
    fact('Answers from a cache', `${cacheHitCount} (must be 0)`, cacheHitCount > 0),
    ...crossOriginFacts(result),
    ...(environment.link ? [fact('Link', describeLink(environment.link))] : []),
    fact('Server', server ? formatServer(server) : 'unknown'),
    ...otherTrafficFacts(result),
    fact('IP family', statusBefore?.ipFamily ? `IPv${statusBefore.ipFamily}` : 'unknown'),
    fact(isOnPage ? 'Browser' : 'Measured by', environment.userAgent),
    fact('Started', result.startedAt),
  ];
}

/** @param {string} name @param {string} value @param {boolean} [isWarning] @returns {Fact} */
const fact = (name, value, isWarning = false) => ({ name, value, isWarning });

/** @param {Environment} environment */
function clockFact({ stepMs }) {
  if (stepMs === undefined) return fact('Clock step', 'could not be measured', true);
  return fact('Clock step', `${Number((stepMs * 1000).toPrecision(2))} µs`, stepMs > 1);
}

/** @param {Result} result @param {string} transport */
function transportFact({ trials: all }, transport) {
  const trials = all.filter((trial) => trial.transport === transport);
  const protocols = protocolsOf(trials);
  const workers = [...new Set(trials.flatMap(({ server }) => server?.worker ?? []))];
  const value = [
    protocols.join(', ') || 'no protocol negotiated',
    `${workers.length === 1 ? 'worker' : 'workers'} ${workers.join(', ') || DASH}`,
    describeConnections(trials),
  ].join('; ');
  return fact(labelOf(transport), value, didFallBack({ transport, protocols }) || protocols.length !== 1);
}

/** @param {Result['trials']} trials of one transport */
function describeConnections(trials) {
  const seenCount = sumOf(trials, ({ requests }) => requests?.seenCount);
  const openedCount = sumOf(trials, ({ requests }) => requests?.openedCount);
  if (seenCount > 0) return `${seenCount - openedCount} of ${seenCount} requests reused a connection`;
  if (trials.some(({ requests }) => requests)) return 'connections unknown';
  const count = trials.filter(({ setUpMs }) => setUpMs !== undefined).length;
  return `${count} ${count === 1 ? 'connection' : 'connections'} opened, one per trial`;
}

/** @param {Result} result @returns {Fact[]} none if the page came from the measured server */
function crossOriginFacts({ environment: { pageOrigin }, preflight, plan: { payloadBytes, warmUpCount } }) {
  if (pageOrigin === undefined) return [];
  const isPaid = payloadBytes > 0 && warmUpCount === 0;
  const reason = payloadBytes === 0 ? 'messages have no payload' : 'it is part of the warm-up';
  const where = isPaid ? 'included in the first message of each HTTP transport' : `not in the figures: ${reason}`;
  return [
    fact('Page from', `${pageOrigin}, not the measured server`),
    fact('Preflight (CORS)', `${describePreflight(preflight)}; ${where}`, isPaid),
  ];
}

/** @param {Result['preflight']} preflight */
function describePreflight(preflight) {
  if (!preflight) return 'could not be measured';
  const costMs = Number(median(preflight.firstMs)) - Number(median(preflight.secondMs));
  return `${formatSigned(costMs, 1)} ms (difference of medians, ${preflight.firstMs.length} pairs)`;
}

/**
 * Checks whether others measured at the same time: the server's counters, less this run's own messages.
 * @param {Result} result @returns {Fact[]}
 */
function otherTrafficFacts(result) {
  const { statusBefore: before, statusAfter: after } = result;
  const unknown = (/** @type {string} */ why) => [fact('Other traffic during the run', `unknown: ${why}`, true)];
  if (!before || !after) return unknown('no server status before or after the run');
  if (before.silentWorkerCount + after.silentWorkerCount > 0) return unknown('a worker did not answer');
  if (!areSameWorkers(before, after)) return unknown('workers were replaced during the run');
  const [first, last] = [before, after].map(totalsOf);
  const otherCount = Math.max(0, last.echoCount - first.echoCount - countOwnEchoes(result));
  const mayLinger = result.trials.some(({ transport, protocol }) => isFallback(transport, protocol));
  const why = mayLinger ? ' (those of SockJS fallbacks close some seconds later)' : '';
  const areOpen = first.openSessions > 0 || (last.openSessions > 0 && !mayLinger);
  const lagCount = last.lagCount - first.lagCount;
  const lagMs = (last.lagTotalMs - first.lagTotalMs) / lagCount;
  return [
    fact('Messages from others during the run', String(otherCount), otherCount > 0),
    fact('Open sessions', `${first.openSessions} before, ${last.openSessions} after${why}`, areOpen),
    lagCount > 0
      ? fact('Server’s event-loop lag', `${formatNumber(lagMs, 2)} ms on average, ${lagCount} samples`, lagMs > LATE_MS)
      : fact('Server’s event-loop lag', 'unknown: the run was too short'),
  ];
}

/** Sums the counters of all workers. @param {Status} status */
const totalsOf = ({ workers }) => ({
  echoCount: sumOf(workers, ({ echoCount }) => echoCount),
  openSessions: sumOf(workers, ({ openSessions }) => openSessions),
  lagCount: sumOf(workers, ({ eventLoop }) => eventLoop.lagCount),
  lagTotalMs: sumOf(workers, ({ eventLoop }) => eventLoop.lagTotalMs),
});

/**
 * Counts the requests of this run at the server: warm-up, iterations, and the question which server answers.
 * @param {Result} result
 */
function countOwnEchoes({ plan, trials }) {
  return sumOf(trials, ({ transport, samples, failures, server }) => {
    const failedCount = failures.filter(({ iteration }) => iteration !== undefined).length;
    const count = samples.iteration.length + failedCount + (server ? 1 : 0);
    if (samples.iteration.length === 0) return count;
    return count + plan.warmUpCount + (transports[transport].endsWithMessage ? 1 : 0);
  });
}
