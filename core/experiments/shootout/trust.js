/** What makes a run worth believing, or not: one fact a line, each with what it ought to be. */
import { protocolsOf } from '../../experiment/any-trial.js';
import { formatServer } from '../../experiment/documents/server-of.js';
import { DASH, formatNumber, formatSigned } from '../../base/format.js';
import { median } from '../../base/statistics/quantile.js';
import { isFallback, labelOf } from '../../net/echo/labels.js';

/**
 * @import { Environment } from '../../experiment/measure-document.js'
 * @import { Result } from './result.js'
 * @import { Status, WorkerStatus } from '../../net/status.js'
 */

/** A server's event loop that is later than this on average was busy. */
const LATE_MS = 5;

/** How what was measured from the command line names itself: there is no page that could be hidden, or isolated. */
const NODE = 'Node.js ';

/**
 * @typedef {object} Fact
 * @property {string} name
 * @property {string} value
 * @property {boolean} isWarning it casts doubt on the run
 */

/** @param {Result} result @returns {Fact[]} */
export function listTrustFacts(result) {
  const { environment, plan, trials, ending, statusBefore, statusAfter } = result;
  const server = statusAfter ?? statusBefore ?? trials.find((trial) => trial.server)?.server;
  const cacheHitCount = sum(trials, ({ requests }) => requests?.cacheHitCount);
  const isOnPage = !environment.userAgent.startsWith(NODE);
  const valid = `yes: ${isOnPage ? 'never hidden, ' : ''}no connection lost, no restart`;
  return [
    fact('Valid', ending ? `no: ${ending.reason}` : valid, Boolean(ending)),
    clockFact(environment),
    ...(isOnPage ? [isolationFact(environment)] : []),
    ...plan.transports.map((transport) => transportFact(result, transport)),
    fact('Answers from a cache', `${cacheHitCount} (must be 0)`, cacheHitCount > 0),
    ...crossOriginFacts(result),
    fact('Server', server ? formatServer(server) : 'did not say'),
    ...meanwhileFacts(result),
    fact('IP family', statusBefore?.ipFamily ? `IPv${statusBefore.ipFamily}` : 'not known'),
    fact(isOnPage ? 'Browser' : 'Measured by', environment.userAgent),
    fact('Seed of the order', String(plan.seed)),
    fact('Started', result.startedAt),
  ];
}

/** @param {string} name @param {string} value @param {boolean} [isWarning] @returns {Fact} */
function fact(name, value, isWarning = false) {
  return { name, value, isWarning };
}

/** @param {Environment} environment */
function isolationFact({ isCrossOriginIsolated }) {
  return fact('Cross-origin isolated', isCrossOriginIsolated ? 'yes' : 'no, so the clock is coarse');
}

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
  const seenCount = sum(trials, ({ requests }) => requests?.seenCount);
  const openedCount = sum(trials, ({ requests }) => requests?.openedCount);
  const connections =
    seenCount > 0
      ? `${seenCount - openedCount} of ${seenCount} requests on connections that were open`
      : trials.some(({ requests }) => requests)
        ? 'connections not told'
        : `${trials.filter(({ setUpMs }) => setUpMs !== undefined).length} connections opened, one a trial`;
  // One that was asked for is no surprise.
  const isSurprise = transport === 'sockjs' && protocols.some((protocol) => isFallback(transport, protocol));
  const value = `${protocols.join(', ') || 'no protocol'}; ${workers.length === 1 ? 'worker' : 'workers'} ${workers.join(', ') || DASH}; ${connections}`;
  return fact(labelOf(transport), value, isSurprise || protocols.length !== 1);
}

/** @param {Result} result @returns {Fact[]} none where the page came from the server that it measured */
function crossOriginFacts({ environment: { pageOrigin }, preflight, plan: { payloadBytes, warmUpCount } }) {
  if (pageOrigin === undefined) return [];
  const costMs = preflight && Number(median(preflight.firstMs)) - Number(median(preflight.secondMs));
  const cost =
    costMs === undefined
      ? 'could not be measured'
      : `${formatSigned(costMs, 1)} ms (difference of medians, ${preflight?.firstMs.length} pairs)`;
  const isPaid = payloadBytes > 0 && warmUpCount === 0;
  const where =
    payloadBytes === 0
      ? 'messages without payload go without it'
      : isPaid
        ? 'the first message of each HTTP transport has it in its figures'
        : 'the warm-up pays it, not the figures';
  return [
    fact('Page from', `${pageOrigin}, another server than the one that was measured`),
    fact('Leave to send JSON to another server (preflight)', `${cost}; ${where}`, isPaid),
  ];
}

/**
 * Was somebody else measuring? The server's counters before and after, less what this run sent itself.
 * @param {Result} result @returns {Fact[]}
 */
function meanwhileFacts(result) {
  const { statusBefore: before, statusAfter: after } = result;
  const unknown = (/** @type {string} */ reason) => [fact('Others meanwhile', `not known: ${reason}`, true)];
  if (!before || !after) return unknown('the server was not asked, or did not answer, before and after');
  if (before.silentWorkerCount + after.silentWorkerCount > 0) return unknown('a worker of the server did not answer');
  if (!isSameServer(before, after)) return unknown('the server’s workers are not those that they were');
  /** @param {(worker: WorkerStatus) => number} countOf */
  const difference = (countOf) => sum(after.workers, countOf) - sum(before.workers, countOf);
  const otherCount = Math.max(0, difference(({ echoCount }) => echoCount) - countOwnEchoes(result));
  const lagCount = difference(({ eventLoop }) => eventLoop.lagCount);
  const lagMs = difference(({ eventLoop }) => eventLoop.lagTotalMs) / lagCount;
  const [openBefore, openAfter] = [before, after].map(({ workers }) =>
    sum(workers, ({ openSessions }) => openSessions),
  );
  const mayLinger = result.trials.some(({ transport, protocol }) => isFallback(transport, protocol));
  return [
    fact('Others’ messages meanwhile', String(otherCount), otherCount > 0),
    fact(
      'Open sessions',
      `${openBefore} before, ${openAfter} after${mayLinger ? ' (those of SockJS’s fallbacks linger for some seconds)' : ''}`,
      openBefore > 0 || (openAfter > 0 && !mayLinger),
    ),
    lagCount > 0
      ? fact('Server’s event-loop lag', `${formatNumber(lagMs, 2)} ms on average, ${lagCount} looks`, lagMs > LATE_MS)
      : fact('Server’s event-loop lag', 'not known: the run was too short'),
  ];
}

/** Do two readings come from the very same processes? @param {Status} before @param {Status} after */
function isSameServer(before, after) {
  const [starts, laterStarts] = [before, after].map(({ workers }) =>
    workers
      .map(({ worker, startedAt }) => `${worker} ${startedAt}`)
      .sort()
      .join(),
  );
  return starts === laterStarts;
}

/** What the server counted of this run: warm-up, iterations, and the question who answered. @param {Result} result */
function countOwnEchoes({ plan, trials }) {
  return sum(trials, ({ transport, samples, failures, server }) => {
    const isConnected = samples.iteration.length > 0;
    // Its connection ends with a message: core/net/echo/sockjs.js.
    const farewellCount = isConnected && transport === 'sockjs-jsonp-polling' ? 1 : 0;
    const failedCount = failures.filter(({ iteration }) => iteration !== undefined).length;
    return (
      samples.iteration.length + failedCount + (isConnected ? plan.warmUpCount : 0) + (server ? 1 : 0) + farewellCount
    );
  });
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {(item: T) => number | undefined} valueOf
 */
function sum(list, valueOf) {
  return list.reduce((total, item) => total + (valueOf(item) ?? 0), 0);
}
