/**
 * `/traffic/RUN`: what was done for a run, by each worker, for a client to read before and after a trial and take the
 * difference. Whichever worker is asked, it answers for all. `/traffic/own/RUN` is one worker's, for the others to gather.
 */
import { Router } from 'express';
import { answer, answerError, RefusalError } from '../http/answer.js';
import { limitAtOnce } from '../http/limit-requests.js';
import { EXPECTED_RUN, isRun } from '../telemetry/traffic.js';
import { isFromWorker } from '../workers.js';

/**
 * @import { ErrorRequestHandler } from 'express'
 * @import { IncomingMessage } from 'node:http'
 * @import { Figures } from '../telemetry/traffic.js'
 * @import { Parts } from '../parts.js'
 */

const PATH = '/traffic';
const OWN_PATH = '/traffic/own';

/**
 * @typedef {object} OwnFigures
 * @property {number} worker
 * @property {string} startedAt when its process began, in ISO 8601
 * @property {number} cpuMs that the process has taken since, in user and system together
 * @property {number} servedCount HTTP requests, upgrades, socket messages and notifications of all visitors since then, but
 *   not the requests for these figures
 *
 * @typedef {OwnFigures & Figures} WorkerTraffic
 */

/** @param {Pick<Parts, 'config' | 'gate' | 'gather' | 'limits' | 'traffic'>} parts */
export function trafficRoutes({ config, gate, gather, limits, traffic }) {
  const { worker, startedAt } = config.server;
  const router = Router();

  /** @param {string} run @returns {WorkerTraffic} */
  const readOwn = (run) => ({
    worker,
    startedAt,
    ...traffic.read(run),
    cpuMs: cpuMs(),
    servedCount: traffic.servedCount(),
  });

  // Who may measure may read it: the gate is the echoes'.
  router.all(`${PATH}/:run`, (req, res, next) => gate.admit(req, res, { methods: ['GET'], answer: () => next() }));

  // Each makes every worker answer once.
  router.get(`${PATH}/:run`, limitAtOnce({ count: limits.trafficReadCount }), async (req, res) => {
    const run = String(req.params.run);
    if (!isRun(run)) throw new RefusalError('bad-option', `run: expected ${EXPECTED_RUN}`);
    const others = await gather(`${OWN_PATH}/${run}`);
    /** @type {WorkerTraffic[]} */
    const workers = [readOwn(run), ...others.filter((one) => one !== undefined)];
    workers.sort((a, b) => a.worker - b.worker);
    answer(res, 200, JSON.stringify({ run, workers, silentWorkerCount: 1 + others.length - workers.length }));
  });

  router.get(`${OWN_PATH}/:run`, (req, res, next) => {
    if (config.workers && isFromWorker(req, config.workers)) answer(res, 200, JSON.stringify(readOwn(req.params.run)));
    else next();
  });

  router.use(
    PATH,
    /** @type {ErrorRequestHandler} */
    (
      (error, _req, res, next) => {
        if (error instanceof RefusalError) answerError(res, error.status, error.code, error.message);
        else next(error);
      }
    ),
  );

  return router;
}

/** Whether a request only asks for what this counts. @param {IncomingMessage} req */
export function isOfTraffic({ url = '' }) {
  return url.startsWith(`${PATH}/`);
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
