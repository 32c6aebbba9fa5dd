/** `/job`: jobs over HTTP. A POST makes one; a GET says whether it is complete; a stream of events notifies of many. */
import {
  answer,
  RefusalError,
  checkNumber,
  parseFields,
  pathOf,
  queryOf,
  toNumber,
  whenOver,
} from '../http/exchange.js';
import { openEventStream } from '../channel/event-stream.js';
import { formatJob, parseJobQuery } from './jobs.js';
import { BUSY } from './payload.js';

/**
 * @import { EndpointParts } from '../parts.js'
 * @import { Endpoint } from '../http/gate.js'
 * @import { EndpointsBelow } from './index.js'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Meter } from '../telemetry/traffic.js'
 * @import { Job, Jobs } from './jobs.js'
 *
 * @typedef {{ begin: (end: () => void) => () => void, finish: () => void }} Wait `begin` takes its places, and gives what stops the
 *   waiting, and may be called again; `end` calls it, and `finish`, which ends the answer
 * @typedef {object} Waits
 * @property {(req: Request, res: Response, count: number, wait: Wait) => void} hold waits for `count` jobs, until the answer is over;
 *   throws a RefusalError
 * @property {() => void} endAll
 * @typedef {(parts: EndpointParts & { waits: Waits }, req: Request, res: Response, meter: Meter) => void} Respond
 */

const PATH = '/job';
const EVENTS_PATH = '/job/events';
const PREFIX = '/job/';
export const MAX_WAIT_MS = 25_000;
const MAX_STREAM_IDS = 100;

/** @param {EndpointParts} given */
export function createJob(given) {
  const waits = createWaits(given);
  const parts = { ...given, waits };
  /** @param {string} method @param {Respond} respond @returns {Endpoint} */
  const createEndpoint = (method, respond) => ({
    methods: [method],
    answer: (req, res, _body, bytes) => respond(parts, req, res, parts.traffic.meter(req, bytes)),
  });
  const maker = createEndpoint('POST', make);
  const streamer = createEndpoint('GET', stream);
  const asked = createEndpoint('GET', ask);

  return {
    /** @type {EndpointsBelow['examples']} */
    examples: [
      { pattern: `${PATH}?min=10&max=10&bytes=1000` },
      { pattern: `${EVENTS_PATH}?ids=:job` },
      { pattern: `${PREFIX}:job?wait=10` },
    ],

    /** @param {string} path @returns {Endpoint | undefined} absent where the path is not one of a job */
    endpointAt(path) {
      if (path === PATH) return maker;
      if (path === EVENTS_PATH) return streamer;
      return path.startsWith(PREFIX) ? asked : undefined;
    },

    /** Ends all that wait: a long poll with what is known now, a stream without the rest. */
    closeAll: () => waits.endAll(),
  };
}

/** The answers that wait for jobs. @param {EndpointParts} parts @returns {Waits} */
function createWaits({ limits: { connectionWaitCount: maxCount } }) {
  /** @type {Set<() => void>} what ends each */
  const ends = new Set();

  return {
    hold(req, res, count, { begin, finish }) {
      if (count > maxCount) {
        throw new RefusalError('busy', `jobs: expected at most ${maxCount} in a request, got ${count}`, 503);
      }
      // Nothing may be written afterwards, however long the client takes to read.
      const end = () => {
        stop();
        finish();
      };
      const giveUp = begin(end);
      const stop = () => {
        giveUp();
        ends.delete(end);
      };
      ends.add(end);
      whenOver(req, res, stop);
    },

    endAll() {
      for (const end of [...ends]) end();
    },
  };
}

/** @type {Respond} */
function make({ at, jobs, metrics }, req, res, meter) {
  const job = jobs.make(parseJobQuery(queryOf(req)));
  metrics.jobMade('http');
  res.setHeader('Location', at(PREFIX + job.id));
  answer(res, 201, formatJob(job, false));
  meter.recordNow(job.trialId);
}

/** @type {Respond} */
function ask(parts, req, res, meter) {
  const { alarms, isReady, jobs, traffic, visitorOf, waits } = parts;
  const { wait } = parseFields('option', queryOf(req), ['wait'], { mayHaveOthers: true });
  const waitMs = wait === undefined ? 0 : checkNumber('option', 'wait', toNumber(wait), 1, MAX_WAIT_MS);
  const job = findJob(jobs, pathOf(req).slice(PREFIX.length));
  jobs.spendPollCost();
  const respond = () => tell(parts, req, res, job);
  if (jobs.isComplete(job) || waitMs === 0 || !isReady()) {
    respond();
    meter.recordNow(job.trialId);
    return;
  }
  meter.recordWhenOver(job.trialId, res);
  const visitor = visitorOf(req);
  waits.hold(req, res, 1, {
    begin: (end) => alarms.at({ visitor, owned: req.socket }, Math.min(job.dueMs, jobs.now() + waitMs), end),
    finish() {
      if (!isReady()) res.setHeader('Connection', 'close');
      traffic.notified(job.trialId, visitor);
      respond();
    },
  });
}

/**
 * Answers whether a job is complete, if there is room for its news.
 * @param {EndpointParts} parts @param {Request} req @param {Response} res @param {Job} job
 */
function tell({ gate, inFlight, jobs }, req, res, job) {
  const isComplete = jobs.isComplete(job);
  if (isComplete && job.newsBytes !== undefined) {
    const holder = inFlight.openHolder();
    if (!holder.hold(job.newsBytes)) return gate.refuse(res, new RefusalError('busy', BUSY, 503));
    whenOver(req, res, holder.release);
  }
  return answer(res, 200, formatJob(job, isComplete));
}

/** @type {Respond} */
function stream({ alarms, jobs, gate, inFlight, limits, traffic, visitorOf, waits }, req, res, meter) {
  const { ids = '' } = parseFields('option', queryOf(req), ['ids']);
  const names = ids === '' ? [] : ids.split(',');
  if (names.length < 1 || names.length > MAX_STREAM_IDS) {
    throw new RefusalError(
      'bad-option',
      `ids: expected 1 to ${MAX_STREAM_IDS} job IDs, separated by commas, got ${names.length}`,
    );
  }
  const found = names.map((id) => findJob(jobs, id));
  const [{ trialId }] = found;
  meter.recordWhenOver(trialId, res);
  const visitor = visitorOf(req);
  const unsent = inFlight.openHolder();
  whenOver(req, res, unsent.release);
  waits.hold(req, res, found.length, {
    begin(end) {
      let leftCount = found.length;
      const notify = (/** @type {Job} */ job) => {
        const { newsBytes } = job;
        if (newsBytes !== undefined && !unsent.hold(res.writableLength + newsBytes)) return void res.destroy();
        traffic.notified(trialId, visitor);
        res.write(`data: ${formatJob(job, true)}\n\n`);
        leftCount--;
        if (leftCount === 0) end();
        return undefined;
      };
      const eachWait = found.map((job) => ({ dueMs: job.dueMs, act: () => notify(job) }));
      const giveUp = alarms.atAll({ visitor, owned: req.socket }, eachWait);
      // The place comes last: a refusal may have to wait for earlier answers, and must not keep any place.
      try {
        gate.holdPlace(req, res, 'jobs');
      } catch (error) {
        giveUp();
        throw error;
      }
      openEventStream(req, res, { gate, limits }, 'job sse');
      return giveUp;
    },
    finish: () => res.end(),
  });
}

/** @param {Jobs} jobs @param {string} id @throws {RefusalError} */
function findJob(jobs, id) {
  const job = jobs.find(id);
  if (job) return job;
  throw new RefusalError('not-found', 'id: expected a job ID from this server', 404);
}
