/**
 * Reports the state of the server. The operator reads `/healthz`, `/readyz`, and `/metrics` for Prometheus. Clients
 * read `/status` before and after a run, and `/traffic/TRIAL` before and after a trial. The difference says whether
 * others measured too or the server restarted, and how busy it was. Any worker answers for all; the others gather from its
 * `/status/own`, `/traffic/own/TRIAL` and `/metrics/own`.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { createAddressCheck, familyOf, findVisitor, LOOPBACK } from '../http/addresses.js';
import { answer, answerError, RefusalError } from '../http/exchange.js';
import { limitAtOnce, limitTime, TimeBudget } from '../http/limit-requests.js';
import { toListedRun } from '../store/rows.js';
import { StoreError } from '../store/store-error.js';
import { createEventLoopLag } from '../telemetry/metrics.js';
import { FIELD_COUNTERS, formatFieldStudies, MAX_FIELD_STUDIES } from '../telemetry/field.js';
import { formatSharedRuns, MAX_RUNS } from '../telemetry/shared-runs.js';
import { EXPECTED_TRIAL_ID, isTrialId } from '../telemetry/traffic.js';
import { isFromWorker, shareCalls, shareResult } from '../workers.js';

/** The limit of the store's answer: less than monitors usually wait. */
const STORE_LIMIT_MS = 3000;

/**
 * @import { ErrorRequestHandler, Request, RequestHandler, Response, Router } from 'express'
 * @import { Logger } from 'pino'
 * @import { WorkerTraffic } from '../../core/net/delivery/traffic.js'
 * @import { Status, WorkerStatus } from '../../core/net/status.js'
 * @import { Config } from '../config.js'
 * @import { Gate } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { MadeOnce } from '../http/made-once.js'
 * @import { Archive } from '../saved-runs/archive.js'
 * @import { Store } from '../store/index.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 * @import { Gather } from '../workers.js'
 */

/** Serves `/status`. @param {Router} routes @param {{ config: Config, gate: Gate, gather: Gather, metrics: Metrics }} parts */
export function serveStatus(routes, { config, gate, gather, metrics }) {
  const { server, location, version, worker, startedAt } = config.server;
  const { pollCostMs } = config.jobs;
  const readLag = createEventLoopLag();
  /** @returns {WorkerStatus} */
  const readOwn = () => ({ worker, startedAt, ...metrics.totals(), eventLoop: readLag() });
  const readAll = shareCalls(async () => joinWorkers(readOwn(), await gather('/status/own')));

  routes.all('/status', forVisitors(gate));
  routes.get('/status', async (req, res) => {
    const workers = await readAll();
    const { address, isKnown } = findVisitor(req, config.trustProxy);
    /** @type {Status} */
    const status = { server, location, version, worker, ipFamily: isKnown ? familyOf(address) : undefined, ...workers };
    if (pollCostMs > 0) status.pollCostMs = pollCostMs;
    // A page on another origin is to see it, too, where a proxy compresses in spite of Cache-Control.
    res.set('Access-Control-Expose-Headers', 'Content-Encoding');
    send(res, status);
  });
  routes.get('/status/own', forWorkers(config), (_req, res) => send(res, readOwn()));
}

/**
 * Serves `/traffic/TRIAL`.
 * @param {Router} routes @param {{ config: Config, gate: Gate, gather: Gather, limits: Limits, traffic: Traffic }} parts
 */
export function serveTraffic(routes, { config, gate, gather, limits, traffic }) {
  const { worker, startedAt } = config.server;
  /** @param {string} trialId @returns {WorkerTraffic} */
  const readOwn = (trialId) => {
    const { user, system } = process.cpuUsage();
    const cpuMs = (user + system) / 1000;
    const rssBytes = process.memoryUsage.rss();
    return { worker, startedAt, ...traffic.read(trialId), cpuMs, rssBytes, servedCount: traffic.servedCount() };
  };

  const budget = new TimeBudget(limits.trafficMsPerMinute);

  routes.all('/traffic/:trialId', forVisitors(gate));
  // Each request makes every worker answer once.
  routes.get(
    '/traffic/:trialId',
    limitTime(budget),
    limitAtOnce({ count: limits.trafficReadCount, noun: 'concurrent reads of this kind' }),
    async (req, res) => {
      const trialId = String(req.params.trialId);
      if (!isTrialId(trialId)) throw new RefusalError('bad-option', `trial: expected ${EXPECTED_TRIAL_ID}`);
      const others = await gather(`/traffic/own/${trialId}`);
      send(res, { trialId, ...joinWorkers(readOwn(trialId), others) });
    },
  );
  routes.get('/traffic/own/:trialId', forWorkers(config), (req, res) => send(res, readOwn(String(req.params.trialId))));
  /** @type {ErrorRequestHandler} */
  const refuse = (error, _req, res, next) => {
    if (error instanceof RefusalError) answerError(res, error.status, error.code, error.message);
    else next(error);
  };
  routes.use('/traffic', refuse);
}

/** Checks whether a request only reads the traffic. @param {{ url?: string }} req */
export const isOfTraffic = ({ url = '' }) => url.startsWith('/traffic/');

/** Admits those who may measure, by the gate of the echoes. @param {Gate} gate @returns {RequestHandler} */
function forVisitors(gate) {
  return (req, res, next) => gate.admit(req, res, { methods: ['GET'], answer: () => next() });
}

/** @param {Config} config @returns {RequestHandler} */
function forWorkers({ workers }) {
  return (req, _res, next) => (workers && isFromWorker(req, workers) ? next() : next('route'));
}

/**
 * @template {{ worker: number }} T
 * @param {T} own @param {(T | undefined)[]} others undefined for those that did not answer
 */
function joinWorkers(own, others) {
  const workers = [own, ...others.filter((one) => one !== undefined)].sort((a, b) => a.worker - b.worker);
  return { workers, silentWorkerCount: 1 + others.length - workers.length };
}

/** @param {Response} res @param {unknown} figures */
function send(res, figures) {
  answer(res, 200, JSON.stringify(figures));
}

/** Checks whether a request is one of a monitor, which comes every few seconds. @param {{ url?: string }} req */
export const isHealthCheck = ({ url = '' }) => /^\/(?:healthz|readyz)(?:\?|$)/.test(url);

/**
 * Serves `/healthz` (this process answers) and `/readyz` (it accepts visitors, as it does not drain, and its store can
 * be written and read). Visitors get one word as the reason; the file, the cause and the remedy are for the log.
 * @param {Router} routes
 * @param {{ isReady: () => boolean, limits: Limits, log: Logger, store: Store, storeLimitMs?: number }} parts
 */
export function serveHealth(routes, { isReady, store, limits, log, storeLimitMs = STORE_LIMIT_MS }) {
  const check = async () => {
    try {
      await Promise.race([store.check(), failAfter(storeLimitMs, store)]);
      return undefined;
    } catch (error) {
      log.error({ err: error }, 'the store cannot be used');
      return error instanceof StoreError ? error.reason : 'unavailable';
    }
  };
  const findStoreProblem = shareResult(check, { keptMs: limits.storeCheckEveryMs });

  routes.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  routes.get('/readyz', async (_req, res) => {
    const reason = isReady() ? await findStoreProblem() : undefined;
    const problem = reason && { status: 'store unavailable', reason };
    // The worker may have begun to drain since.
    const answer = isReady() ? (problem ?? { status: 'ready' }) : { status: 'draining' };
    const status = answer.status === 'ready' ? 200 : 503;
    res.set('Cache-Control', 'no-store').status(status).json(answer);
  });
}

/** @param {number} limitMs @param {Store} store @returns {Promise<never>} */
async function failAfter(limitMs, { unavailable }) {
  await sleep(limitMs, undefined, { ref: false });
  throw unavailable(new Error(`no answer within ${limitMs} ms`));
}

/**
 * Serves `/metrics`.
 * @param {Router} routes
 * @param {{ archive: Archive, config: Config, gather: Gather, log: Logger, madeOnce: MadeOnce, metrics: Metrics, store:
 *   Store, storeLimitMs?: number }} parts
 */
export function serveMetrics(
  routes,
  { archive, config, gather, log, madeOnce, metrics: { registry }, store, storeLimitMs = STORE_LIMIT_MS },
) {
  const { metrics: access, trustProxy } = config;
  const isAllowed = createAddressCheck([...LOOPBACK, ...access.addresses]);
  const token = access.token && `Bearer ${access.token}`;
  const mayRead = (/** @type {Request} */ req) => {
    if (token && isSame(req.get('authorization') ?? '', token)) return true;
    // Every visitor behind a proxy that is not trusted, or that does not name them, has the proxy's address.
    const isNamed = trustProxy > 0 && findVisitor(req, trustProxy).isKnown;
    if (req.get('x-forwarded-for') !== undefined && !isNamed) return false;
    return isAllowed(req.ip ?? '');
  };

  // All workers share these runs, so only the worker that answers reads them. If the store fails or does not answer, the other
  // metrics are needed most, so they are sent without the runs.
  const makeSharedRuns = async () => {
    const { rows, olderCount } = await archive.listRows({ limit: MAX_RUNS });
    return formatSharedRuns(rows.map(toListedRun), { olderCount });
  };
  const makeFieldStudies = async () =>
    formatFieldStudies(await store.listFieldCounts({ names: FIELD_COUNTERS, limit: MAX_FIELD_STUDIES }));
  const readStored = async () => {
    try {
      const made = Promise.all([madeOnce.read('metrics', makeSharedRuns), makeFieldStudies()]);
      return (await Promise.race([made, failAfter(storeLimitMs, store)])).join('');
    } catch (error) {
      log.error({ err: error }, 'shared runs are missing from the metrics');
      return '';
    }
  };

  routes.use('/metrics', (req, res, next) => {
    if (mayRead(req)) next();
    else answerError(res, 403, 'forbidden', 'metrics: expected a token, or an allowed IP address');
  });
  routes.get('/metrics', async (_req, res) => {
    const others = gather('/metrics/own', token ? { authorization: token } : undefined);
    const figures = [await registry.getMetricsAsJSON(), ...(await others)].filter((one) => one !== undefined);
    const ofWorkers = await AggregatorRegistry.aggregate(figures).metrics();
    res.type(registry.contentType).send(ofWorkers + (await readStored()));
  });
  routes.get('/metrics/own', async (_req, res) => {
    res.json(await registry.getMetricsAsJSON());
  });
}

/** Compares in a time that does not reveal how much is right. @param {string} got @param {string} expected */
function isSame(got, expected) {
  const [a, b] = [got, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a, b);
}
