/**
 * `/job`: the jobs of 2018 over HTTP. A POST makes one; a GET says whether it is complete, at once or as soon as it is;
 * and a stream of events tells of up to a hundred.
 */
import { answer } from '../http/answer.js';
import { NO_ROOM } from '../jobs/alarms.js';
import { formatJob } from '../jobs/jobs.js';
import { checkNumber, JobOptionError, parseFields, parseJobQuery, toNumber } from '../jobs/options.js';
import { parseOrRefuse } from '../jobs/parse-or-refuse.js';
import { pathOf, queryOf } from '../http/url.js';
import { whenOver } from '../http/when-over.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Endpoint, Gate, Refusal } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Alarms } from '../jobs/alarms.js'
 * @import { Job, Jobs } from '../jobs/jobs.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Meter, Traffic } from '../telemetry/traffic.js'
 */

const PATH = '/job';
const EVENTS_PATH = '/job/events';
const PREFIX = '/job/';
const BEAT = ':\n\n';
const MAX_WAIT_MS = 25_000;
const MAX_STREAM_IDS = 100;

/**
 * @typedef {IncomingMessage} Request
 * @typedef {ServerResponse} Response
 */

/**
 * @param {object} options
 * @param {Jobs} options.jobs
 * @param {Alarms} options.alarms
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {Metrics} options.metrics
 * @param {Traffic} options.traffic
 */
export function createJob({ jobs, alarms, gate, limits, metrics, traffic }) {
  /** @type {Set<() => void>} what ends each answer that waits */
  const waits = new Set();
  /** @type {WeakMap<Socket, number>} how many jobs are waited for on each connection */
  const waitCounts = new WeakMap();
  let draining = false;

  /** @param {Response} res @param {number} status @param {string} code @param {string} message */
  const refuse = (res, status, code, message) => gate.refuse(res, { status, code, message });

  /** @param {Response} res */
  const refuseUnknown = (res) => refuse(res, 404, 'not-found', 'id: expected that of a job that was made here');

  /**
   * Without a browser one may ask again and again on a connection, and not wait for the answers: nobody is to take all the
   * places by one.
   *
   * @param {Request} req
   * @param {number} count how many more are to be waited for
   * @returns {Refusal | undefined}
   */
  const refuseWait = ({ socket }, count) => {
    const waitCount = waitCounts.get(socket) ?? 0;
    if (waitCount + count > limits.connectionWaitCount) {
      const message = `This connection waits for ${waitCount} jobs; expected at most ${limits.connectionWaitCount}`;
      return { status: 503, code: 'busy', message };
    }
    return alarms.hasRoom(count) ? undefined : NO_ROOM;
  };

  /**
   * @param {Request} req
   * @param {Response} res
   * @param {number} count jobs that are waited for until the answer is over
   * @param {() => void} stop is called then
   */
  const holdUntilOver = (req, res, count, stop) => {
    /** @param {number} change */
    const changeCount = (change) => waitCounts.set(req.socket, (waitCounts.get(req.socket) ?? 0) + change);
    changeCount(count);
    whenOver(req, res, () => {
      changeCount(-count);
      stop();
    });
  };

  /**
   * @param {(req: Request, res: Response, meter: Meter) => void} respond
   * @returns {Endpoint['answer']}
   */
  const answering = (respond) => (req, res, _body, requestBytes) => {
    parseOrRefuse(
      () => respond(req, res, traffic.meter(req, requestBytes)),
      (refusal) => gate.refuse(res, refusal),
    );
  };

  const make = answering((req, res, meter) => {
    const job = jobs.make(parseJobQuery(queryOf(req)));
    metrics.jobMade('http');
    res.setHeader('Location', PREFIX + job.id);
    answer(res, 201, formatJob(job, false));
    meter.bookNow(job.run);
  });

  const ask = answering((req, res, meter) => {
    const { wait } = parseFields(queryOf(req), ['wait']);
    const waitMs = wait === undefined ? 0 : checkNumber('wait', toNumber(wait), 1, MAX_WAIT_MS);
    const job = jobs.find(pathOf(req).slice(PREFIX.length));
    if (!job) {
      refuseUnknown(res);
      return;
    }
    const isComplete = jobs.isComplete(job);
    if (isComplete || waitMs === 0 || draining) {
      answer(res, 200, formatJob(job, isComplete));
      meter.bookNow(job.run);
      return;
    }
    const refusal = refuseWait(req, 1);
    if (refusal) {
      gate.refuse(res, refusal);
      meter.bookNow(job.run);
      return;
    }
    meter.bookWhenOver(job.run, res);
    answerWhenDue(req, res, job, jobs.now() + waitMs);
  });

  /** @type {(req: Request, res: Response, job: Job, untilMs: number) => void} */
  const answerWhenDue = (req, res, job, untilMs) => {
    const stop = () => {
      giveUp();
      waits.delete(end);
    };
    const end = () => {
      stop();
      if (draining) res.setHeader('Connection', 'close');
      traffic.told(job.run);
      answer(res, 200, formatJob(job, jobs.isComplete(job)));
    };
    const giveUp = alarms.at(Math.min(job.dueMs, untilMs), end);
    waits.add(end);
    holdUntilOver(req, res, 1, stop);
  };

  const stream = answering((req, res, meter) => {
    const { ids = '' } = parseFields(queryOf(req), ['ids']);
    const names = ids.split(',');
    if (ids === '' || names.length > MAX_STREAM_IDS) {
      const got = ids === '' ? 0 : names.length;
      throw new JobOptionError('bad-option', `ids: expected 1 to ${MAX_STREAM_IDS} with commas, got ${got}`);
    }
    const found = names.map((id) => jobs.find(id)).filter((job) => job !== undefined);
    if (found.length < names.length) {
      refuseUnknown(res);
      return;
    }
    const [{ run }] = found;
    const refusal = gate.refuseSession('jobs') ?? refuseWait(req, found.length);
    if (refusal) {
      gate.refuse(res, refusal);
      meter.bookNow(run);
      return;
    }
    meter.bookWhenOver(run, res);
    openStream(req, res, found, run);
  });

  /** @type {(req: Request, res: Response, following: Job[], run: string | undefined) => void} */
  const openStream = (req, res, following, run) => {
    gate.sessionOpened('job sse', 'jobs');
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // nginx would hold events back until it has many.
      'X-Accel-Buffering': 'no',
    });
    // A comment, which takes the headers along, through every proxy.
    res.write(BEAT);
    const heartbeat = setInterval(() => res.write(BEAT), limits.heartbeatMs).unref();
    let leftCount = following.length;
    const giveUps = following.map((job) =>
      alarms.at(job.dueMs, () => {
        traffic.told(run);
        res.write(`data: ${formatJob(job, true)}\n\n`);
        leftCount--;
        if (leftCount === 0) end();
      }),
    );
    const stop = () => {
      clearInterval(heartbeat);
      for (const giveUp of giveUps) giveUp();
      waits.delete(end);
    };
    // From then on nothing may be written, however long the client takes to read what there is.
    const end = () => {
      stop();
      res.end();
    };
    waits.add(end);
    holdUntilOver(req, res, following.length, () => {
      stop();
      gate.sessionClosed('job sse', 'jobs');
    });
  };

  const maker = { methods: ['POST'], answer: make };
  const streamer = { methods: ['GET'], answer: stream };
  const asked = { methods: ['GET'], answer: ask };
  return {
    /**
     * @param {string} path
     * @returns {Endpoint | undefined} absent where the path is not one of a job
     */
    endpointAt(path) {
      if (path === PATH) return maker;
      if (path === EVENTS_PATH) return streamer;
      return path.startsWith(PREFIX) ? asked : undefined;
    },

    /** Ends all that wait: a long poll with what is known now, a stream without the rest. */
    closeAll() {
      draining = true;
      for (const end of [...waits]) end();
    },
  };
}
