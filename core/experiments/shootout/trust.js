/** What makes a run worth believing, or not: one fact a line, each with what it ought to be. */
import { protocolsOf } from '../../experiment/any-trial.js';
import { formatServer } from '../../experiment/documents/server-of.js';
import { DASH, formatNumber, formatSigned } from '../../base/format.js';
import { median, sumOf } from '../../base/statistics/values.js';
import { areSameWorkers } from '../../net/status.js';
import { isFallback, labelOf } from '../../net/labels.js';
import { didFallBack } from './decision/row-name.js';

/**
 * @import { Environment } from '../../experiment/measure-document.js'
 * @import { Result } from './result.js'
 * @import { Status } from '../../net/status.js'
 */

/** A server's event loop that is later than this on average was busy. */
const LATE_MS = 5;

/** How what was measured from the command line names itself: there is no page that could be hidden. */
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
  const cacheHitCount = sumOf(trials, ({ requests }) => requests?.cacheHitCount);
  const isOnPage = !environment.userAgent.startsWith(NODE);
  const valid = `yes: ${isOnPage ? 'never hidden, ' : ''}no connection lost, no restart`;
  return [
    fact('Valid', ending ? 'no' : valid, Boolean(ending)),
    clockFact(environment),
    ...plan.transports.map((transport) => transportFact(result, transport)),
    fact('Answers from a cache', `${cacheHitCount} (must be 0)`, cacheHitCount > 0),
    ...crossOriginFacts(result),
    fact('Server', server ? formatServer(server) : 'did not say'),
    ...otherTrafficFacts(result),
    fact('IP family', statusBefore?.ipFamily ? `IPv${statusBefore.ipFamily}` : 'not known'),
    fact(isOnPage ? 'Browser' : 'Measured by', environment.userAgent),
    fact('Started', result.startedAt),
  ];
}

/** @param {string} name @param {string} value @param {boolean} [isWarning] @returns {Fact} */
function fact(name, value, isWarning = false) {
  return { name, value, isWarning };
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
  const unknown = (/** @type {string} */ reason) => [
    fact('Other traffic during the run', `not known: ${reason}`, true),
  ];
  if (!before || !after) return unknown('the server was not asked, or did not answer, before and after');
  if (before.silentWorkerCount + after.silentWorkerCount > 0) return unknown('a worker of the server did not answer');
  if (!areSameWorkers(before, after)) return unknown('the server’s workers are not those that they were');
  const echoCount = echoCountOf(after) - echoCountOf(before);
  const otherCount = Math.max(0, echoCount - countOwnEchoes(result));
  return [
    fact('Messages of others during the run', String(otherCount), otherCount > 0),
    sessionsFact(result, before, after),
    lagFact(before, after),
  ];
}

/** @param {Status} status */
const echoCountOf = ({ workers }) => sumOf(workers, ({ echoCount }) => echoCount);

/** @param {Result} result @param {Status} before @param {Status} after */
function sessionsFact({ trials }, before, after) {
  const [openBefore, openAfter] = [before, after].map(({ workers }) =>
    sumOf(workers, ({ openSessions }) => openSessions),
  );
  const mayLinger = trials.some(({ transport, protocol }) => isFallback(transport, protocol));
  const why = mayLinger ? ' (those of SockJS’s fallbacks linger for some seconds)' : '';
  const isWarning = openBefore > 0 || (openAfter > 0 && !mayLinger);
  return fact('Open sessions', `${openBefore} before, ${openAfter} after${why}`, isWarning);
}

/** @param {Status} before @param {Status} after */
function lagFact(before, after) {
  /** @param {'lagCount' | 'lagTotalMs'} name */
  const grown = (name) =>
    sumOf(after.workers, ({ eventLoop }) => eventLoop[name]) -
    sumOf(before.workers, ({ eventLoop }) => eventLoop[name]);
  const lagCount = grown('lagCount');
  const lagMs = grown('lagTotalMs') / lagCount;
  return lagCount > 0
    ? fact('Server’s event-loop lag', `${formatNumber(lagMs, 2)} ms on average, ${lagCount} looks`, lagMs > LATE_MS)
    : fact('Server’s event-loop lag', 'not known: the run was too short');
}

/** What the server counted of this run: warm-up, iterations, and the question who answered. @param {Result} result */
function countOwnEchoes({ plan, trials }) {
  return sumOf(trials, ({ transport, samples, failures, server }) => {
    const sampleCount = samples.iteration.length;
    const failedCount = failures.filter(({ iteration }) => iteration !== undefined).length;
    const counts = [sampleCount, failedCount, server ? 1 : 0];
    if (sampleCount === 0) return sumOf(counts, Number);
    // Its connection ends with a message: core/net/echo/sockets.js.
    return sumOf([...counts, plan.warmUpCount, transport === 'sockjs-jsonp-polling' ? 1 : 0], Number);
  });
}
