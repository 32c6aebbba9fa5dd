/**
 * What clients read before and after they measure, and take the difference of: `/status` for a run (did others measure too,
 * did the server restart, how busy was it?), `/traffic/RUN` for a trial (what was done for it?). Whichever worker is asked
 * answers for all of them; `/status/own` and `/traffic/own/RUN` are one worker's, for the others to gather.
 */
import { Router } from 'express';
import { shareCalls, isFromWorker } from '../workers.js';
import { familyOf } from '../http/addresses.js';
import { answer, answerError, RefusalError } from '../http/answer.js';
import { limitAtOnce } from '../http/limit-requests.js';
import { createEventLoopLag } from '../telemetry/metrics.js';
import { EXPECTED_RUN, isRun } from '../telemetry/traffic.js';

/**
 * @import { Parts } from '../parts.js'
 * @import { ErrorRequestHandler, RequestHandler, Response } from 'express'
 * @import { WorkerTraffic } from '../../core/net/delivery/traffic.js'
 * @import { Status, WorkerStatus } from '../../core/net/status.js'
 */

/** @param {Pick<Parts, 'config' | 'gate' | 'gather' | 'metrics'>} parts */
export function statusRoutes({ config, gate, gather, metrics }) {
  const { server, location, version, worker, startedAt } = config.server;
  const { pollCostMs } = config.jobs;
  const readLag = createEventLoopLag();
  /** @returns {WorkerStatus} */
  const readOwn = () => ({ worker, startedAt, ...metrics.totals(), eventLoop: readLag() });
  const readAll = shareCalls(async () => joinWorkers(readOwn(), await gather('/status/own')));

  const router = Router();
  router.all('/status', forVisitors(gate));
  router.get('/status', async (req, res) => {
    const workers = await readAll();
    /** @type {Status} */
    const status = { server, location, version, worker, ipFamily: familyOf(req.ip ?? ''), ...workers };
    if (pollCostMs > 0) status.pollCostMs = pollCostMs;
    send(res, status);
  });
  router.get('/status/own', forWorkers(config), (_req, res) => send(res, readOwn()));
  return router;
}

/** @param {Pick<Parts, 'config' | 'gate' | 'gather' | 'limits' | 'traffic'>} parts */
export function trafficRoutes({ config, gate, gather, limits, traffic }) {
  const { worker, startedAt } = config.server;
  /** @param {string} run @returns {WorkerTraffic} */
  const readOwn = (run) => {
    const { user, system } = process.cpuUsage();
    const cpuMs = (user + system) / 1000;
    const rssBytes = process.memoryUsage.rss();
    return { worker, startedAt, ...traffic.read(run), cpuMs, rssBytes, servedCount: traffic.servedCount() };
  };

  const router = Router();
  router.all('/traffic/:run', forVisitors(gate));
  // Each makes every worker answer once.
  router.get('/traffic/:run', limitAtOnce({ count: limits.trafficReadCount }), async (req, res) => {
    const run = String(req.params.run);
    if (!isRun(run)) throw new RefusalError('bad-option', `run: expected ${EXPECTED_RUN}`);
    const others = await gather(`/traffic/own/${run}`);
    send(res, { run, ...joinWorkers(readOwn(run), others) });
  });
  router.get('/traffic/own/:run', forWorkers(config), (req, res) => send(res, readOwn(String(req.params.run))));
  /** @type {ErrorRequestHandler} */
  const refuse = (error, _req, res, next) => {
    if (error instanceof RefusalError) answerError(res, error.status, error.code, error.message);
    else next(error);
  };
  router.use('/traffic', refuse);
  return router;
}

/** Whether a request only asks for what this counts. @param {{ url?: string }} req */
export function isOfTraffic({ url = '' }) {
  return url.startsWith('/traffic/');
}

/** Who may measure may read it: the gate is the echoes'. @param {Parts['gate']} gate @returns {RequestHandler} */
function forVisitors(gate) {
  return (req, res, next) => gate.admit(req, res, { methods: ['GET'], answer: () => next() });
}

/** @param {Parts['config']} config @returns {RequestHandler} */
function forWorkers({ workers }) {
  return (req, _res, next) => (workers && isFromWorker(req, workers) ? next() : next('route'));
}

/** @template {{ worker: number }} T @param {T} own @param {(T | undefined)[]} others undefined for who did not answer */
function joinWorkers(own, others) {
  const workers = [own, ...others.filter((one) => one !== undefined)].sort((a, b) => a.worker - b.worker);
  return { workers, silentWorkerCount: 1 + others.length - workers.length };
}

/** @param {Response} res @param {unknown} figures */
function send(res, figures) {
  answer(res, 200, JSON.stringify(figures));
}
