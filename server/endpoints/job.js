/**
 * `/job`: the jobs of 2018 over HTTP. A POST makes one; a GET says whether it is complete, at once or as soon as it is;
 * and a stream of events tells of up to a hundred.
 */
import { answer } from '../answer.js';
import { formatJob } from '../jobs/jobs.js';
import { checkNumber, JobOptionError, parseFields, parseJobQuery, toNumber } from '../jobs/options.js';
import { parseOrRefuse } from '../jobs/parse-or-refuse.js';
import { pathOf, queryOf } from '../url.js';

const PATH = '/job';
const EVENTS_PATH = '/job/events';
const PREFIX = '/job/';
const BEAT = ':\n\n';
const MAX_WAIT_MS = 25_000;
const MAX_STREAM_IDS = 100;

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 */

/**
 * @param {object} options
 * @param {import('../jobs/jobs.js').Jobs} options.jobs
 * @param {import('../jobs/alarms.js').Alarms} options.alarms
 * @param {import('../gate.js').Gate} options.gate
 * @param {import('../limits.js').Limits} options.limits
 * @param {import('../metrics.js').Metrics} options.metrics
 * @param {import('../traffic.js').Traffic} options.traffic
 */
export function createJob({ jobs, alarms, gate, limits, metrics, traffic }) {
  /** @type {Set<() => void>} what ends each answer that waits */
  const waits = new Set();
  let draining = false;

  /** @param {Response} res @param {number} status @param {string} code @param {string} message */
  const refuse = (res, status, code, message) => gate.refuse(res, { status, code, message });

  /** @param {Response} res */
  const refuseUnknown = (res) => refuse(res, 404, 'not-found', 'id: expected that of a job that was made here');

  /** @param {Response} res */
  const refuseBusy = (res) => refuse(res, 503, 'busy', 'This server has too many jobs that somebody waits for');

  /**
   * @param {(req: Request, res: Response, meter: import('../traffic.js').Meter) => void} respond
   * @returns {import('../gate.js').Endpoint['answer']}
   */
  const answering = (respond) => (req, res, _body, requestBytes) => {
    parseOrRefuse(
      () => respond(req, res, traffic.meter(req.socket, requestBytes)),
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
    } else if (!alarms.hasRoom()) {
      refuseBusy(res);
      meter.bookNow(job.run);
    } else {
      meter.bookAtClose(job.run, res);
      answerWhenDue(res, job, jobs.now() + waitMs);
    }
  });

  /** @param {Response} res @param {import('../jobs/jobs.js').Job} job @param {number} untilMs */
  const answerWhenDue = (res, job, untilMs) => {
    const stop = () => {
      giveUp();
      waits.delete(end);
    };
    const end = () => {
      stop();
      if (draining) res.setHeader('Connection', 'close');
      answer(res, 200, formatJob(job, jobs.isComplete(job)));
    };
    const giveUp = alarms.at(Math.min(job.dueMs, untilMs), end);
    waits.add(end);
    res.on('close', stop);
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
    const refusal = gate.refuseSession('jobs');
    if (refusal) gate.refuse(res, refusal);
    else if (!alarms.hasRoom(found.length)) refuseBusy(res);
    else {
      meter.bookAtClose(run, res);
      openStream(res, found);
      return;
    }
    meter.bookNow(run);
  });

  /** @param {Response} res @param {import('../jobs/jobs.js').Job[]} following */
  const openStream = (res, following) => {
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
    res.on('close', () => {
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
     * @returns {import('../gate.js').Endpoint | undefined} absent where the path is not one of a job
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
