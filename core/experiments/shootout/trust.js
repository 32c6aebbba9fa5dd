/** What makes a run worth believing, or not: one fact a line, each with what it ought to be. */
import { DASH, formatNumber, formatSigned } from '../../base/format.js';
import { median, sumOf } from '../../base/statistics/values.js';
import { describeLink } from '../../experiment/emulated-link.js';
import { formatServer, isBrowser } from '../../experiment/names.js';
import { protocolsOf } from '../../experiment/trials.js';
import { isFallback, labelOf } from '../../net/labels.js';
import { areSameWorkers } from '../../net/status.js';
import { didFallBack } from './verdict.js';

/**
 * @import { Environment } from '../../experiment/run.js'
 * @import { Status } from '../../net/status.js'
 * @import { Result } from './measure.js'
 */

/** A server's event loop that is later than this on average was busy. */
const LATE_MS = 5;

/** @typedef {{ name: string, value: string, isWarning: boolean }} Fact `isWarning`: it casts doubt on the run */

/** @param {Result} result @returns {Fact[]} */
export function listTrustFacts(result) {
  const { environment, plan, trials, ending, statusBefore, statusAfter } = result;
  const server = statusAfter ?? statusBefore ?? trials.find((trial) => trial.server)?.server;
  const cacheHitCount = sumOf(trials, ({ requests }) => requests?.cacheHitCount);
  const isOnPage = isBrowser(environment.userAgent);
  const valid = `yes: ${isOnPage ? 'never hidden, ' : ''}no connection lost, no restart`;
  return [
    fact('Valid', ending ? 'no' : valid, Boolean(ending)),
    clockFact(environment),
    ...plan.transports.map((transport) => transportFact(result, transport)),
    fact('Answers from a cache', `${cacheHitCount} (must be 0)`, cacheHitCount > 0),
    ...crossOriginFacts(result),
    ...(environment.link ? [fact('Link', describeLink(environment.link))] : []),
    fact('Server', server ? formatServer(server) : 'did not say'),
    ...otherTrafficFacts(result),
    fact('IP family', statusBefore?.ipFamily ? `IPv${statusBefore.ipFamily}` : 'not known'),
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
    protocols.join(', ') || 'no protocol',
    `${workers.length === 1 ? 'worker' : 'workers'} ${workers.join(', ') || DASH}`,
    describeConnections(trials),
  ].join('; ');
  return fact(labelOf(transport), value, didFallBack({ transport, protocols }) || protocols.length !== 1);
}

/** @param {Result['trials']} trials of one transport */
function describeConnections(trials) {
  const seenCount = sumOf(trials, ({ requests }) => requests?.seenCount);
  const openedCount = sumOf(trials, ({ requests }) => requests?.openedCount);
  if (seenCount > 0) return `${seenCount - openedCount} of ${seenCount} requests on connections that were open`;
  if (trials.some(({ requests }) => requests)) return 'connections unknown';
  return `${trials.filter(({ setUpMs }) => setUpMs !== undefined).length} connections opened, one a trial`;
}

/** @param {Result} result @returns {Fact[]} none where the page came from the server that it measured */
function crossOriginFacts({ environment: { pageOrigin }, preflight, plan: { payloadBytes, warmUpCount } }) {
  if (pageOrigin === undefined) return [];
  const isPaid = payloadBytes > 0 && warmUpCount === 0;
  const unpaid = payloadBytes === 0 ? 'messages without payload go without it' : 'the warm-up pays it, not the figures';
  const where = isPaid ? 'the first message of each HTTP transport has it in its figures' : unpaid;
  return [
    fact('Page from', `${pageOrigin}, another server than the one that was measured`),
    fact('Preflight (CORS) before JSON to another server', `${describePreflight(preflight)}; ${where}`, isPaid),
  ];
}

/** @param {Result['preflight']} preflight */
function describePreflight(preflight) {
  if (!preflight) return 'could not be measured';
  const costMs = Number(median(preflight.firstMs)) - Number(median(preflight.secondMs));
  return `${formatSigned(costMs, 1)} ms (difference of medians, ${preflight.firstMs.length} pairs)`;
}

/**
 * Was somebody else measuring? The server's counters before and after, less what this run sent itself.
 * @param {Result} result @returns {Fact[]}
 */
function otherTrafficFacts(result) {
  const { statusBefore: before, statusAfter: after } = result;
  const unknown = (/** @type {string} */ why) => [fact('Other traffic during the run', `not known: ${why}`, true)];
  if (!before || !after) return unknown('the server was not asked, or did not answer, before and after');
  if (before.silentWorkerCount + after.silentWorkerCount > 0) return unknown('a worker of the server did not answer');
  if (!areSameWorkers(before, after)) return unknown('the server’s workers are not those that they were');
  const [first, last] = [before, after].map(totalsOf);
  const otherCount = Math.max(0, last.echoCount - first.echoCount - countOwnEchoes(result));
  const mayLinger = result.trials.some(({ transport, protocol }) => isFallback(transport, protocol));
  const why = mayLinger ? ' (those of SockJS’s fallbacks linger for some seconds)' : '';
  const areOpen = first.openSessions > 0 || (last.openSessions > 0 && !mayLinger);
  const lagCount = last.lagCount - first.lagCount;
  const lagMs = (last.lagTotalMs - first.lagTotalMs) / lagCount;
  return [
    fact('Messages of others during the run', String(otherCount), otherCount > 0),
    fact('Open sessions', `${first.openSessions} before, ${last.openSessions} after${why}`, areOpen),
    lagCount > 0
      ? fact('Server’s event-loop lag', `${formatNumber(lagMs, 2)} ms on average, ${lagCount} looks`, lagMs > LATE_MS)
      : fact('Server’s event-loop lag', 'not known: the run was too short'),
  ];
}

/** Of all workers. @param {Status} status */
const totalsOf = ({ workers }) => ({
  echoCount: sumOf(workers, ({ echoCount }) => echoCount),
  openSessions: sumOf(workers, ({ openSessions }) => openSessions),
  lagCount: sumOf(workers, ({ eventLoop }) => eventLoop.lagCount),
  lagTotalMs: sumOf(workers, ({ eventLoop }) => eventLoop.lagTotalMs),
});

/** What the server counted of this run: warm-up, iterations, and the question who answered. @param {Result} result */
function countOwnEchoes({ plan, trials }) {
  return sumOf(trials, ({ transport, samples, failures, server }) => {
    const failedCount = failures.filter(({ iteration }) => iteration !== undefined).length;
    const count = samples.iteration.length + failedCount + (server ? 1 : 0);
    if (samples.iteration.length === 0) return count;
    // Its connection ends with a message: core/net/echo/sockjs.js.
    return count + plan.warmUpCount + (transport === 'sockjs-jsonp-polling' ? 1 : 0);
  });
}
