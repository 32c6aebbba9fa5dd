/**
 * `/status`, which a run reads before and after: did others measure too, did the server restart, how busy was it? Every
 * worker answers for all workers, with sums since their start; the client computes the difference. `/status/own` is the
 * part of one worker, for the others to collect.
 */
import { Router } from 'express';
import { familyOf } from '../http/addresses.js';
import { answer } from '../http/answer.js';
import { createEventLoopLag } from '../telemetry/event-loop-lag.js';
import { shareCalls, isFromWorker } from '../workers.js';

/**
 * @import { EventLoopLag } from '../telemetry/event-loop-lag.js'
 * @import { Parts } from '../parts.js'
 */

const PATH = '/status';
const OWN_PATH = '/status/own';

/**
 * @typedef {object} WorkerStatus
 * @property {number} worker
 * @property {string} startedAt when its process began, in ISO 8601
 * @property {number} openSessions SockJS sessions and WebSockets that are open now
 * @property {number} echoCount echoes answered since it began, errors and whoami included
 * @property {EventLoopLag} eventLoop
 *
 * @typedef {object} Status
 * @property {string} server
 * @property {string} location
 * @property {string} version
 * @property {number} worker the worker that answers
 * @property {4 | 6} [ipFamily] of the visitor's address; absent where a proxy named none
 * @property {WorkerStatus[]} workers those that answered, in their order
 * @property {number} silentWorkerCount those that did not
 */

/** @param {Pick<Parts, 'config' | 'gate' | 'gather' | 'metrics'>} parts */
export function statusRoutes({ config, gate, gather, metrics }) {
  const { server, location, version, worker, startedAt } = config.server;
  const readLag = createEventLoopLag();
  const router = Router();

  /** @returns {WorkerStatus} */
  const readOwn = () => ({ worker, startedAt, ...metrics.totals(), eventLoop: readLag() });

  /** @type {() => Promise<(WorkerStatus | undefined)[]>} */
  const readAll = shareCalls(async () => [readOwn(), ...(await gather(OWN_PATH))]);

  // Who may measure may read it: the gate is the echoes'.
  router.all(PATH, (req, res, next) => gate.admit(req, res, { methods: ['GET'], answer: () => next() }));

  router.get(PATH, async (req, res) => {
    const all = await readAll();
    const workers = all.filter((one) => one !== undefined).sort((a, b) => a.worker - b.worker);
    /** @type {Status} */
    const status = {
      server,
      location,
      version,
      worker,
      ipFamily: familyOf(req.ip ?? ''),
      workers,
      silentWorkerCount: all.length - workers.length,
    };
    answer(res, 200, JSON.stringify(status));
  });

  router.get(OWN_PATH, (req, res, next) => {
    if (config.workers && isFromWorker(req, config.workers)) answer(res, 200, JSON.stringify(readOwn()));
    else next();
  });

  return router;
}
