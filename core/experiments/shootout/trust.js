/** The trust checks that only shootouts have: what their transports really used, and the traffic that they made. */
import { DASH, formatMs, formatSigned } from '../../base/format.js';
import { mean, median, sumOf } from '../../base/statistics.js';
import { compareTransports, isClear, SAME_RATIO } from '../../experiment/compare.js';
import { USUAL_DECIDING_MS } from '../../experiment/client-lag.js';
import { protocolsOf } from '../../experiment/trials.js';
import { fact } from '../../experiment/trust.js';
import { transports } from '../../net/echo/index.js';
import { isFallback, labelOf } from '../../experiment/labels.js';
import { roundTripCountOf } from './summary.js';
import { baselineOf } from './plan.js';
import { challengerOf, didFallBack } from './verdict.js';

/**
 * @import { Fact, OwnTraffic } from '../../experiment/contract.js'
 * @import { Result } from './index.js'
 */

/** @param {Result} result @returns {Fact[]} */
export function trustFactsOf(result) {
  const { plan, trials } = result;
  const cacheHitCount = sumOf(trials, ({ requests }) => requests?.cacheHitCount);
  return [
    ...plan.transports.map((transport) => transportFact(result, transport)),
    fact('Answers from a cache', `${cacheHitCount} (must be 0)`, cacheHitCount > 0),
    ...meanFacts(result),
    ...crossOriginFacts(result),
  ];
}

/**
 * Returns the difference that decides: the measured one, if the verdict tells one; else the limit of the same, which a long
 * round trip does not make large, as the difference in milliseconds predicts for short ones, too.
 * @param {Result} result @returns {number | undefined} ms; absent if too little was measured
 */
export function decidingMsOf({ plan, trials, environment: { stepMs } }) {
  const [baseline, transport] = [baselineOf(plan), challengerOf(plan)];
  const comparison = compareTransports({ trials, baseline, transport, stepMs });
  const baselineMs = mean(comparison.centres.map(([ms]) => ms));
  if (!comparison.savingMs || baselineMs === undefined) return undefined;
  if (isClear(comparison)) return Math.abs(comparison.savingMs.estimate);
  return Math.min(USUAL_DECIDING_MS, baselineMs * (SAME_RATIO - 1));
}

/** @param {Result} result @param {string} transport */
function transportFact({ trials: all, environment: { url } }, transport) {
  const trials = all.filter((trial) => trial.transport === transport);
  const protocols = protocolsOf(trials);
  const workers = [...new Set(trials.flatMap(({ server }) => server?.worker ?? []))];
  const value = [
    protocols.join(', ') || 'no protocol negotiated',
    `${workers.length === 1 ? 'worker' : 'workers'} ${workers.join(', ') || DASH}`,
    describeConnections(trials),
  ].join('; ');
  const isWarning =
    didFallBack({ transport, protocols }) || protocols.length !== 1 || roundTripCountOf(trials, url) > 1;
  return fact(labelOf(transport), value, isWarning);
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

/** A lost packet costs more than this on any path: the least time until it is sent again is far above it. */
const LATE_MS = 1;

/**
 * Looks for messages of the two that the verdict compares that took much longer than most, which a median does not show.
 * @param {Result} result @returns {Fact[]} none if there are none
 */
function meanFacts({ plan, trials }) {
  const parted = [baselineOf(plan), challengerOf(plan)].flatMap((transport) => {
    const ms = trials.filter((trial) => trial.transport === transport).flatMap(({ samples }) => samples.roundTripMs);
    const [meanMs, medianMs] = [Number(mean(ms)), Number(median(ms))];
    const isParted = meanMs > medianMs * SAME_RATIO && meanMs > medianMs + LATE_MS;
    return isParted ? [`${labelOf(transport)} ${formatMs(meanMs)} and ${formatMs(medianMs)} ms`] : [];
  });
  if (parted.length === 0) return [];
  const why = 'some messages took much longer than most, as where packets are lost. The verdict compares medians';
  return [fact('Mean and median', `${parted.join(', ')}: ${why}`, true)];
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

/** @param {Result} result @returns {OwnTraffic} */
export const ownTrafficOf = (result) => ({
  echoCount: countOwnEchoes(result),
  mayLinger: result.trials.some(({ transport, protocol }) => isFallback(transport, protocol)),
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
