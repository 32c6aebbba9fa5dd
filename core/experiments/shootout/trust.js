/** The trust checks that only shootouts have: what their transports really used, and the traffic that they made. */
import { DASH, formatMs, formatNumber, formatSigned, formatCount } from '../../base/format.js';
import { mean, median, sumOf } from '../../base/statistics.js';
import { compareTransports } from '../../experiment/answer/compare.js';
import { isBeyondMargin, SAME_RATIO } from '../../experiment/answer/verdict.js';
import { USUAL_DECIDING_MS } from '../../experiment/run/client-lag.js';
import { isBrowser } from '../../experiment/run/names.js';
import { ruleOf } from '../../experiment/plan/blocks.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { fact } from '../../experiment/run/trust.js';
import { transports } from '../../net/echo/index.js';
import { uncountedOf } from '../../net/echo/trial.js';
import { didFallBack, isFallback } from '../../experiment/answer/fallback.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { roundTripCountOf } from './summary.js';
import { baselineOf, challengerOf } from './plan.js';

/**
 * @import { Fact, OwnTraffic, Trust } from '../../experiment/contract.js'
 * @import { Result } from './index.js'
 */

/** Returns what the trust checks look at besides those of every run. @param {Result} result @returns {Trust} */
export const trustOf = (result) => ({
  facts: factsOf(result),
  decidingMs: decidingMsOf(result),
  ownTraffic: ownTrafficOf(result),
});

/** @param {Result} result @returns {Fact[]} */
function factsOf(result) {
  const { plan, trials } = result;
  const cacheHitCount = sumOf(trials, ({ requests }) => requests?.cacheHitCount);
  return [
    ...plan.transports.map((transport) => transportFact(result, transport)),
    fact('Answers from a cache', `${cacheHitCount} (must be 0)`, cacheHitCount > 0 && 'answers came from a cache'),
    ...meanFacts(result),
    ...crossOriginFacts(result),
  ];
}

/**
 * Returns the difference that decides. It is the measured one, if the verdict tells one; else the limit of the same. A long round
 * trip does not make that limit large, as the difference in milliseconds predicts for short ones, too.
 * @param {Result} result @returns {number | undefined} ms; absent if too little was measured
 */
function decidingMsOf({ plan, trials, environment: { stepMs } }) {
  const [baseline, transport] = [baselineOf(plan), challengerOf(plan)];
  const comparison = compareTransports({ trials, baseline, transport, stepMs, rule: ruleOf(plan) });
  const baselineMs = mean(comparison.centres.map(([ms]) => ms));
  if (!comparison.savingMs || baselineMs === undefined) return undefined;
  if (isBeyondMargin(comparison)) return Math.abs(comparison.savingMs.estimate);
  return Math.min(USUAL_DECIDING_MS, baselineMs * (SAME_RATIO - 1));
}

/** @param {Result} result @param {string} transport */
function transportFact(result, transport) {
  const { trials: all, environment } = result;
  const trials = all.filter((trial) => trial.transport === transport);
  const protocols = protocolsOf(trials);
  const workers = [...new Set(trials.flatMap(({ server }) => server?.worker ?? []))];
  const value = [
    protocols.join(', ') || 'no protocol negotiated',
    `${workers.length === 1 ? 'worker' : 'workers'} ${workers.join(', ') || DASH}`,
    transports[transport].isSocket ? describeSockets(result, trials) : describeRequests(trials),
  ].join('; ');
  const doubt = doubtOf({ transport, protocols, roundTripCount: roundTripCountOf(trials, environment.url) });
  return fact(labelOf(transport), value, doubt && `${labelOf(transport)} ${doubt}`);
}

/** @param {{ transport: string, protocols: string[], roundTripCount: number }} used @returns {string | false} a predicate */
function doubtOf({ transport, protocols, roundTripCount }) {
  if (didFallBack({ transport, protocols })) return 'fell back';
  if (protocols.length === 0) return 'got no answer';
  if (protocols.length > 1) return 'changed its protocol';
  return roundTripCount > 1 && 'opened a connection per message';
}

/** @param {Result['trials']} trials of one transport that sends requests */
function describeRequests(trials) {
  const seenCount = sumOf(trials, ({ requests }) => requests?.seenCount);
  const openedCount = sumOf(trials, ({ requests }) => requests?.openedCount);
  return seenCount > 0
    ? `${seenCount - openedCount} of ${seenCount} requests reused a connection`
    : 'connections unknown';
}

/** A shorter round trip tells little of what a setup consists of. */
const MIN_RTT_MS = 5;
/** TCP, TLS 1.3 and the upgrade take three round trips, a stream in an open connection takes one. */
const MIN_OWN_RTTS = 2;
/** What comes before the WebSocket, by the library. Socket.IO's setup ends before it has one. */
const RTTS_BEFORE = new Map([
  ['WebSocket', 0],
  ['sockjs-client', 1],
]);

/**
 * Says what carried sockets, as far as a page can tell: over TLS, a WebSocket may be a stream of the page's HTTP/2 connection.
 * @see https://www.rfc-editor.org/rfc/rfc8441
 * @param {Result} result @param {Result['trials']} trials of one of its sockets
 */
function describeSockets({ trials: all, environment: { url, userAgent } }, trials) {
  const setUpsMs = trials.flatMap(({ setUpMs }) => setUpMs ?? []);
  const counted = (/** @type {string} */ noun) => formatCount(setUpsMs.length, noun);
  if (trials.some(({ protocol }) => protocol !== 'websocket')) return `${counted('session')}, one per trial`;
  const httpProtocols = protocolsOf(all.filter(({ transport }) => !transports[transport].isSocket));
  const mayShare = isBrowser(userAgent) && url.startsWith('https:') && httpProtocols.join() !== 'http/1.1';
  if (!mayShare || setUpsMs.length === 0) return `${counted('connection')}, one per trial`;

  const opened = `${counted('WebSocket')}, one per trial`;
  const rttMs = Math.min(...all.flatMap(({ samples }) => samples.roundTripMs));
  const before = RTTS_BEFORE.get(transports[trials[0].transport].library);
  if (rttMs < MIN_RTT_MS || before === undefined) return `${opened}, perhaps in the page’s HTTP/2 connection`;
  const rtts = Number(median(setUpsMs)) / rttMs - before;
  const where = rtts < MIN_OWN_RTTS ? 'in the page’s HTTP/2 connection' : 'each over a connection of its own';
  return `${opened}, by its setup time of ${formatNumber(rtts, 1)} RTT ${where}`;
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
  const why = 'some messages took much longer, as where packets are lost; the verdict compares medians';
  return [fact('Mean and median', `${parted.join(', ')}: ${why}`, 'some messages took much longer')];
}

/** @param {Result} result @returns {Fact[]} none if the page came from the measured server */
function crossOriginFacts({ environment: { pageOrigin }, preflight, plan: { payloadBytes, warmUpCount } }) {
  if (pageOrigin === undefined) return [];
  const isPaid = payloadBytes > 0 && warmUpCount === 0;
  const reason = payloadBytes === 0 ? 'messages have no payload' : 'it is part of the warm-up';
  const where = isPaid ? 'included in the first message of each HTTP transport' : `not in the figures: ${reason}`;
  return [
    fact('Page from', `${pageOrigin}, not the measured server`),
    fact('Preflight (CORS)', `${describePreflight(preflight)}; ${where}`, isPaid && 'a preflight is in the figures'),
  ];
}

/** @param {Result['preflight']} preflight */
function describePreflight(preflight) {
  if (!preflight) return 'could not be measured';
  const costMs = Number(median(preflight.firstMs)) - Number(median(preflight.secondMs));
  return `${formatSigned(costMs, 1)} ms (difference of medians, ${preflight.firstMs.length} pairs)`;
}

/** @param {Result} result @returns {OwnTraffic} */
const ownTrafficOf = (result) => ({
  echoCount: countOwnEchoes(result),
  mayLinger: result.trials.some(({ transport, protocol }) => isFallback(transport, protocol)),
});

/**
 * Counts the requests of this run at the server: warm-up, iterations, and the question which server answers. Where the warm-up is
 * that question, it counts once; earlier releases asked besides, and stored nothing of the device.
 * @param {Result} result
 */
function countOwnEchoes({ plan, trials, environment: { device } }) {
  const uncountedCount = device ? uncountedOf(plan) : plan.warmUpCount + 1;
  return sumOf(trials, ({ transport, samples, failures, server }) => {
    const failedCount = failures.filter(({ iteration }) => iteration !== undefined).length;
    const count = samples.iteration.length + failedCount;
    if (samples.iteration.length === 0) return count + (server ? 1 : 0);
    return count + (server ? uncountedCount : plan.warmUpCount) + (transports[transport].endsWithMessage ? 1 : 0);
  });
}
