import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as waitMs } from 'node:timers/promises';
import SockJS from 'sockjs-client';
import * as valibot from 'valibot';
import { parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import { createTransfer } from '../../../../core/net/transfer/index.js';
import { DocumentError } from '../../../../core/experiment/documents/check.js';
import { createDocumentCheck, EXPERIMENTS, findExperiment } from '../../../../core/experiments/all.js';
import { runExperiment, measureDocument } from '../../../../core/experiment/run/run.js';
import { classic as classicTest } from '../../../../core/experiments/classic/index.js';
import { toDocument as toClassicDocument } from '../../../../core/experiments/classic/schema.js';
import { countdown as countdownTest } from '../../../../core/experiments/countdown/index.js';
import { toDocument as toCountdownDocument } from '../../../../core/experiments/countdown/schema.js';
import { fixedRate } from '../../../../core/experiments/fixed-rate/index.js';
import { inFlight } from '../../../../core/experiments/in-flight/index.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { cuts } from '../../../../core/experiments/cuts/index.js';
import { underLoad } from '../../../../core/experiments/under-load/index.js';
import { reach } from '../../../../core/experiments/reach/index.js';
import { stream } from '../../../../core/experiments/stream/index.js';
import { loadClient } from '../../../../cli/clients/index.js';
import { createScriptedFeed } from '../../../support/scripted-feed.js';
import { createScriptedReach } from '../../../support/scripted-reach.js';
import { payload } from '../../../../core/experiments/payload/index.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { readStatus } from '../../../../core/net/status.js';
import { createTransport } from '../../../../core/net/echo/index.js';
import { createScriptedLoad } from '../../../support/scripted-load.js';
import { createScriptedJobs } from '../../../support/scripted-jobs.js';
import { openServer } from '../../../support/server.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/**
 * @import { Sweep } from '../../../../core/experiments/payload/plan.js'
 * @import { TestServer } from '../../../support/server.js'
 */

const now = () => performance.now();
const environment = { userAgent: 'Node.js test', isCrossOriginIsolated: false };
const startedAt = '2026-11-21T07:00:00.000Z';
const { signal } = new AbortController();
const check = createDocumentCheck(valibot);

/**
 * A document of each experiment, as it was measured just now over a real server.
 *
 * @param {string} origin
 * @returns {Promise<Record<string, any>>}
 */
async function measureAll(origin) {
  const transports = {
    fetch: createTransport('fetch', { url: `${origin}/ajaxecho` }),
    sockjs: createTransport('sockjs', { library: SockJS, url: `${origin}/echo` }),
  };
  const names = Object.keys(transports);
  const own = { url: `${origin}/`, ...environment };
  const common = { now, signal, environment: own, statusUrl: `${origin}/status` };
  const shootoutPlan = { transports: names, blocks: 6, iterations: 3, warmUpCount: 1, payloadBytes: 0, seed: 1 };
  const depthPlan = { transports: names, depths: [1, 4], blocks: 2, seed: 2 };
  const ratePlan = { transports: names, ratePerSecond: 500, messages: 20, blocks: 3, seed: 3 };
  const sleepUntil = async (/** @type {number} */ atMs) => {
    if (atMs > now()) await waitMs(atMs - now());
  };
  const classic = await runExperiment(classicTest, {
    plan: { iterations: [5] },
    transport: { ...transports.fetch, name: 'ajax' },
    now,
    clickedAtMs: now(),
  });
  const countdown = await runExperiment(countdownTest, {
    plan: { iterations: 5, kind: 'xhr' },
    transports: { xhr: { ...createTransport('fetch', { url: `${origin}/xhr` }), name: 'xhr' } },
    now,
  });
  const once = { startedAt, wasHidden: false };
  return {
    shootout: await measureDocument(shootout, { ...common, plan: shootoutPlan, transports }),
    'in-flight': await measureDocument(inFlight, { ...common, plan: depthPlan, transports }),
    'fixed-rate': await measureDocument(fixedRate, { ...common, plan: ratePlan, transports, sleepUntil }),
    jobs: await measureOwnJobs(common),
    payload: await measureDocument(payload, { ...common, plan: PAYLOAD_PLAN, transfers: createOwnTransfers(origin) }),
    reach: await measureOwnReach(common),
    cuts: await measureOwnCuts(common),
    'under-load': await measureOwnLoads(common),
    stream: await measureOwnStreams(common, origin),
    countdown: toCountdownDocument({
      environment: own,
      choice: { iterations: 5, kind: 'xhr' },
      tests: [{ ...countdown.trials[0], ...once }],
    }),
    classic: toClassicDocument({ transport: 'ajax', environment: own, runs: [{ ...classic.trials[0], ...once }] }),
  };
}

const STREAM_PLAN = parsePlan(
  stream,
  new URLSearchParams('methods=fetch,ws-open&pieces=5&rate=100&at-once=1,2&blocks=2&seed=1'),
);

/** @param {any} common @param {string} origin */
async function measureOwnStreams(common, origin) {
  const { prepareRun } = await loadClient('stream');
  const means = await prepareRun({ baseUrl: origin, plan: STREAM_PLAN, ...common });
  return measureDocument(stream, { ...common, plan: STREAM_PLAN, ...means });
}

/** @type {Sweep} */
const PAYLOAD_PLAN = {
  transports: ['fetch', 'sockjs'],
  directions: ['up', 'down', 'echo'],
  sizes: [0, 2000],
  repeats: 6,
  seed: 5,
};

/** @param {string} origin */
function createOwnTransfers(origin) {
  return {
    fetch: createTransfer('fetch', { baseUrl: origin, now }),
    sockjs: createTransfer('sockjs', { library: SockJS, baseUrl: origin, now }),
  };
}

const JOBS_PLAN = {
  deliveries: ['poll', 'long-poll', 'sse', 'socket-per-job', 'push', 'sockjs'],
  intervals: [50, 25],
  users: 2,
  jobs: 5,
  minMs: 0,
  maxMs: 1000,
  limitMs: 1100,
  seed: 4,
};

/**
 * Over no server but for its status: those of the ways have tests of their own.
 *
 * @param {Pick<Parameters<typeof measureDocument>[1], 'environment' | 'statusUrl'>} options
 */
async function measureOwnJobs({ environment: own, statusUrl }) {
  const time = createVirtualTime();
  const { now: ownNow, timers } = time;
  const statusBefore = await readStatus(fetch, statusUrl);
  const run = await time.run(
    runExperiment(jobs, { plan: JOBS_PLAN, ...createScriptedJobs(time), now: ownNow, timers }),
  );
  const common = { schema: jobs.schema, startedAt, plan: JOBS_PLAN, environment: own };
  return { ...common, statusBefore, statusAfter: await readStatus(fetch, statusUrl), ...run };
}

/**
 * Over no server but for its status.
 *
 * @param {Pick<Parameters<typeof measureDocument>[1], 'environment' | 'statusUrl'>} options
 */
async function measureOwnReach({ environment: own, statusUrl }) {
  const time = createVirtualTime();
  const plan = parsePlan(reach, new URLSearchParams('silences=500'), { seed: 5 });
  const statusBefore = await readStatus(fetch, statusUrl);
  const means = /** @type {any} */ (createScriptedReach(time));
  const run = await time.run(runExperiment(reach, { plan, now: time.now, ...means }));
  const common = { schema: reach.schema, startedAt, plan, environment: own };
  return { ...common, statusBefore, statusAfter: await readStatus(fetch, statusUrl), ...run };
}

/**
 * Over no server but for its status.
 *
 * @param {Pick<Parameters<typeof measureDocument>[1], 'environment' | 'statusUrl'>} options
 */
async function measureOwnCuts({ environment: own, statusUrl }) {
  const time = createVirtualTime();
  const plan = parsePlan(cuts, new URLSearchParams('cuts=close&deliveries=poll,ws-replay,events&blocks=2'), {
    seed: 5,
  });
  const statusBefore = await readStatus(fetch, statusUrl);
  const run = await time.run(runExperiment(cuts, { plan, ...createScriptedFeed(time) }));
  const common = { schema: cuts.schema, startedAt, plan, environment: own };
  return { ...common, statusBefore, statusAfter: await readStatus(fetch, statusUrl), ...run };
}

/**
 * Over no server but for its status.
 *
 * @param {Pick<Parameters<typeof measureDocument>[1], 'environment' | 'statusUrl'>} options
 */
async function measureOwnLoads({ environment: own, statusUrl }) {
  const time = createVirtualTime();
  const query = 'loads=unloaded,ws-down&down=3000000&up=3000000&transports=fetch,same-socket&blocks=2';
  const plan = parsePlan(underLoad, new URLSearchParams(query), { seed: 5 });
  const statusBefore = await readStatus(fetch, statusUrl);
  const { means } = createScriptedLoad(time, { rate: 8 });
  const run = await time.run(runExperiment(underLoad, { plan, ...means }));
  const common = { schema: underLoad.schema, startedAt, plan, environment: own };
  return { ...common, statusBefore, statusAfter: await readStatus(fetch, statusUrl), ...run };
}

/** @type {Record<string, number>} */
const SAMPLE_COUNTS = {
  // Two methods, each one and two streams of five pieces, in two blocks.
  stream: 60,
  cuts: 171,
  'under-load': 120,
  shootout: 36,
  'in-flight': 128,
  'fixed-rate': 240,
  jobs: 70,
  payload: 72,
  reach: 244,
  countdown: 5,
  classic: 5,
};

describe('the document of each experiment', () => {
  /** @type {TestServer} */
  let server;
  /** @type {Record<string, any>} */
  let documents;
  before(async () => {
    server = await openServer({ env: { SERVER_LOCATION: 'Köln' } });
    documents = JSON.parse(JSON.stringify(await measureAll(server.origin)));
  });
  after(() => server.close());

  for (const { name: experiment } of EXPERIMENTS) {
    it(`${experiment}: is taken as it was measured, told in short, and has a line of CSV for each sample`, () => {
      const document = documents[experiment];
      const { experiment: found, document: checked } = check(document);
      assert.equal(found.name, experiment);
      assert.deepEqual(checked, document);
      const digest = digestOf(found, document);
      const { sampleCount, failureCount, isValid, server: name, location, headline } = digest;
      assert.deepEqual(
        { sampleCount, failureCount, isValid, name, location },
        { sampleCount: SAMPLE_COUNTS[experiment], failureCount: 0, isValid: true, name: 'test', location: 'Köln' },
      );
      assert.ok(headline.length > 0);
      assert.equal(found.formatCsv(document).split('\r\n').length, 1 + SAMPLE_COUNTS[experiment] + 1);
    });
  }

  /**
   * Experiment, what, spoil; the path of the problem, and of what is expected there a word or two where that may be several
   * things. A seed fixes the order of trials, and so their numbers.
   *
   * @type {[string, string, (document: any) => void, string, RegExp?][]}
   */
  const wrongs = [
    ['in-flight', 'a trial left out', ({ trials }) => trials.pop(), 'trials'],
    ['in-flight', 'trials of another order', ({ trials }) => trials.reverse(), 'trials'],
    ['in-flight', 'answers left out', ({ trials }) => { trials[0].endedAtMs.pop(); trials[0].roundTripMs.pop(); }, 'trials.0'],
    ['in-flight', 'answers before others', ({ trials }) => trials[0].endedAtMs.reverse(), 'trials.0'],
    ['in-flight', 'depths without 1', ({ plan }) => plan.depths.shift(), 'plan.depths'],
    ['fixed-rate', 'a slow message left out', ({ trials }) => takeOut(openOf(trials)), 'trials.2'],
    ['fixed-rate', 'a message sent before its time', ({ trials }) => takeBack(openOf(trials)), 'trials.2'],
    ['fixed-rate', 'a loop that is neither', ({ trials }) => (trials[0].loop = 'half'), 'trials.0.loop'],
    ['fixed-rate', 'a transport twice', ({ plan }) => (plan.transports = ['sockjs', 'sockjs']), 'plan.transports'],
    ['in-flight', 'a restart that it does not tell', restart, 'ending', /restarted/],
    ['fixed-rate', 'a restart that it does not tell', restart, 'ending', /restarted/],
    ['fixed-rate', 'a back-to-back trial without samples', ({ trials }) => empty(trials), 'trials.0'],
    ['shootout', 'a restart that it does not tell', restart, 'ending', /restarted/],
    ['shootout', 'a slow message left out', ({ trials }) => takeOut(trials[0]), 'trials.0'],
    ['shootout', 'a message before the last answer', ({ trials }) => trials[0].samples.sentAtMs.reverse(), 'trials.0.samples'],
    ['shootout', 'a time beyond a day', ({ trials }) => (trials[0].setUpMs = 1e9), 'trials.0.setUpMs'],
    ['shootout', 'a name that is too long', ({ statusBefore }) => (statusBefore.server = 'x'.repeat(501)), 'statusBefore.server'],
    ['shootout', 'an ending of two lines', (document) => (document.ending = { kind: 'cancelled', reason: 'a\nb' }), 'ending.reason', /one line/],
    ['countdown', 'a test by AJAX', ({ tests }) => (tests[0].trial.transport = 'ajax'), 'tests.0', /xhr/],
    ['countdown', 'no test', ({ tests }) => tests.pop(), 'tests'],
    ['countdown', 'a mean', (document) => (document.means = []), 'means', /no such field/],
    ['classic', 'a run that is not whole', ({ runs }) => takeOut(runs[0].trial), 'runs.0', /AJAX/],
    ['classic', 'a click after the start', ({ runs }) => (runs[0].clickedAtMs += 1e6), 'runs.0', /AJAX/],
    ['classic', 'a run by another transport', (document) => (document.transport = 'sockjs'), 'runs.0', /SockJS/],
    ['jobs', 'a trial left out', ({ trials }) => trials.pop(), 'trials'],
    ['jobs', 'trials of another order', ({ trials }) => trials.reverse(), 'trials'],
    ['jobs', 'a poll of another interval', ({ trials }) => (pollOf(trials).intervalMs = 100), 'trials'],
    ['jobs', 'an interval without polling', ({ trials }) => (trialBy(trials, 'push').intervalMs = 50), 'trials'],
    ['jobs', 'a job left out', ({ trials }) => takeOutJob(trials[0]), 'trials.0', /each job/],
    ['jobs', 'a job notified and failed', ({ trials }) => trials[1].failures.push({ job: 3, outcome: 'timeout', message: '' }), 'trials.1', /each job/],
    ['jobs', 'a job that its plan has not', ({ trials }) => (trials[0].notified.job[9] = 10), 'trials.0', /each job/],
    ['jobs', 'a column that is shorter', ({ trials }) => trials[0].notified.sentAtMs.pop(), 'trials.0.notified'],
    ['jobs', 'another duration', ({ trials }) => trials[2].notified.durationMs[0]--, 'trials.2', /durations/],
    ['jobs', 'another seed', ({ plan }) => plan.seed++, 'trials'],
    ['jobs', 'a job made before it was sent', ({ trials }) => (trials[0].notified.sentAtMs[0] = trials[0].notified.createdAtMs[0] + 1), 'trials.0', /in that order/],
    ['jobs', 'a job known after the trial', ({ trials }) => (trials[0].elapsedMs = 100), 'trials.0', /in that order/],
    ['jobs', 'no traffic, and no reason', ({ trials }) => delete trials[0].traffic, 'trials.0', /recorded/],
    ['jobs', 'traffic, and a reason why there is none', ({ trials }) => (trials[0].trafficFault = 'open'), 'trials.0', /recorded/],
    ['jobs', 'a reason that is none', ({ trials }) => (trials[0].trafficFault = 'rain'), 'trials.0.trafficFault'],
    ['jobs', 'fewer bytes than none', ({ trials }) => (trials[0].traffic.sentBytes = -1), 'trials.0.traffic.sentBytes'],
    ['jobs', 'failures of a run without any notification', ({ trials }) => trials.forEach(failAll), 'ending', /No client was notified/],
    ['jobs', 'a restart that it does not tell', restart, 'ending', /restarted/],
    ['jobs', 'a delivery method twice', ({ plan }) => plan.deliveries.push('sockjs'), 'plan.deliveries'],
    ['jobs', 'an unknown delivery method', ({ plan }) => (plan.deliveries[0] = 'pigeons'), 'plan.deliveries.0'],
    ['jobs', 'intervals that rise', ({ plan }) => plan.intervals.reverse(), 'plan.intervals'],
    ['jobs', 'a range that is none', ({ plan }) => (plan.minMs = 2000), 'plan', /^min: /],
    ['jobs', 'too many at once', ({ plan }) => Object.assign(plan, { users: 1000, jobs: 100 }), 'plan', /^users times jobs: /],
    ['jobs', 'more round trips than are measured', (document) => (document.roundTripMs = Array(101).fill(1)), 'roundTripMs'],
    ['jobs', 'a lost connection without an ending', ({ trials }) => { const trial = trialBy(trials, 'push'); for (const list of Object.values(trial.notified)) list.pop(); trial.failures.push({ job: 9, outcome: 'closed', message: 'Gone.', createdAtMs: 1 }); }, 'ending', /lost in trial 5 /],
    ['jobs', 'no round trips', (document) => delete document.roundTripMs, 'roundTripMs'],
    ['payload', 'a trial left out', ({ trials }) => trials.pop(), 'trials', /in its order/],
    ['payload', 'trials of another order', ({ trials }) => trials.reverse(), 'trials', /in its order/],
    ['payload', 'another seed', ({ plan }) => plan.seed++, 'trials', /in its order/],
    ['payload', 'another size', ({ trials }) => (trials[0].size += 1), 'trials', /in its order/],
    ['payload', 'an aborted message, and no ending', ({ trials }) => failOne(trials[3], 'aborted'), 'trials.3', /aborted/],
    ['payload', 'an aborted message that is not the last', (document) => { failOne(document.trials[3], 'aborted'); document.ending = { kind: 'cancelled', reason: 'Enough.' }; }, 'trials.3', /aborted/],
    ['payload', 'a slow message without its time', ({ trials }) => delete trials[3].durationMs, 'trials.3', /a duration or/],
    ['payload', 'a time of what failed', ({ trials }) => (trials[3].failure = { outcome: 'mismatch', message: '' }), 'trials.3', /a duration or/],
    ['payload', 'a time below 0', ({ trials }) => (trials[3].durationMs = -1), 'trials.3.durationMs'],
    ['payload', 'a failure of no kind', ({ trials }) => failOne(trials[3], 'lost'), 'trials.3.failure.outcome'],
    ['payload', 'a rate', ({ trials }) => (trials[0].bytesPerSecond = 1), 'trials.0.bytesPerSecond', /no such field/],
    ['payload', 'a transport that carries no sizes', ({ plan }) => (plan.transports[0] = 'xhr'), 'plan.transports.0'],
    ['payload', 'transports of another order', ({ plan }) => plan.transports.reverse(), 'plan.transports'],
    ['payload', 'no direction', ({ plan }) => (plan.directions = []), 'plan.directions'],
    ['payload', 'sizes that fall', ({ plan }) => plan.sizes.reverse(), 'plan.sizes', /from 0 to 16777216.* rising/],
    ['payload', 'a size beyond what servers take', ({ plan }) => (plan.sizes[1] = 2 ** 24 + 1), 'plan.sizes', /from 0 to 16777216.* rising/],
    ['payload', 'too few repeats', ({ plan }) => (plan.repeats = 5), 'plan.repeats'],
    ['payload', 'repeats as published', ({ plan }) => Object.assign(plan, { preset: 'published', sizes: [1, 500] }), 'plan.repeats', /no such field/],
    ['payload', 'another preset', ({ plan }) => (plan.preset = 'mine'), 'plan.preset'],
    ['payload', 'sizes that were not published', asPublished([1, 2]), 'plan.sizes', /as published/],
    ['payload', 'trials that are not as published', asPublished([1, 500]), 'trials', /in its order/],
    ['payload', 'a server that was lost', ({ trials }) => trials.slice(-12).forEach((/** @type {any} */ trial) => failOne(trial, 'closed')), 'ending', /The server was lost/],
    ['payload', 'a restart that it does not tell', restart, 'ending', /restarted/],
    ['cuts', 'a method left out', ({ trials }) => trials.pop(), 'trials', /in its order/],
    ['cuts', 'another kind', ({ trials }) => (trials[0].cut = 'dead'), 'trials', /in its order/],
    ['cuts', 'a kind that there is not', ({ trials }) => (trials[0].cut = 'bang'), 'trials.0.cut'],
    ['cuts', 'a message without its time', ({ trials }) => trials[0].arrivals.atMs.pop(), 'trials.0.arrivals', /same length/],
    ['cuts', 'messages of another order', ({ trials }) => trials[0].arrivals.atMs.reverse(), 'trials.0', /in their order/],
    ['cuts', 'a feed after its request', ({ trials }) => (trials[0].feedAtMs = 1e6), 'trials.0', /before its request/],
    ['under-load', 'a load left out', ({ trials }) => trials.pop(), 'trials', /in its order/],
    ['under-load', 'sizes that were not fitted', ({ plan }) => (plan.downBytes = 0), 'trials.0', /fitted/],
    ['under-load', 'a size that is too small', ({ plan }) => (plan.downBytes = 9999), 'plan', /from 10000/],
    ['under-load', 'no trial without load', ({ plan }) => (plan.loads = ['http-down', 'ws-down']), 'plan.loads', /unloaded/],
    ['under-load', 'a transfer of another size', ({ trials }) => (trials[1].transfer.byteCount = 1), 'trials.1', /size/],
    ['under-load', 'a transfer that ends before it begins', ({ trials }) => (trials[1].transfer.lastMs = 0), 'trials.1', /before its last/],
    ['under-load', 'no transfer, and no reason', ({ trials }) => delete trials[1].transfer, 'trials.1', /why/],
    ['under-load', 'a probe left out', ({ trials }) => trials[0].probed.pop(), 'trials.0', /probes of the plan/],
    ['under-load', 'an answer before its probe', ({ trials }) => (trials[0].probed[0].samples.endedAtMs[3] = 0), 'trials.0', /in that order/],
    ['under-load', 'probes of another order', ({ trials }) => trials[0].probed[0].samples.plannedAtMs.reverse(), 'trials.0', /order of the plan/],
    ['under-load', 'a time missing', ({ trials }) => trials[0].probed[0].samples.sentAtMs.pop(), 'trials.0.probed.0.samples', /as many/],
    ['reach', 'a check left out', ({ trials }) => trials.pop(), 'trials', /in its order/],
    ['reach', 'another silence', ({ trials }) => (trials.at(-2).silenceMs = 501), 'trials', /in its order/],
    ['reach', 'a check of no kind', ({ trials }) => (trials[0].check = 'pigeon'), 'trials.0.check'],
    ['reach', 'a check of which nothing is said', ({ trials }) => (trials[2] = { check: 'text' }), 'trials.2', /not tested/],
    ['reach', 'a check that was tested and was not', ({ trials }) => (trials[2].untested = 'No.'), 'trials.2', /not tested/],
    ['reach', 'an event that never arrived', ({ trials }) => trials[6].arrivedMs.pop(), 'trials.6', /arrivals/],
    ['reach', 'events of another order', ({ trials }) => trials[6].arrivedMs.reverse(), 'trials.6', /in their order/],
    ['reach', 'a restart that it does not tell', restart, 'ending', /restarted/],
    ['shootout', 'preflights of text', (document) => (document.preflight = { firstMs: ['1'], secondMs: [] }), 'preflight.firstMs.0'],
  ]; // prettier-ignore
  for (const [experiment, what, spoil, path, expected = /^expected /] of wrongs) {
    it(`${experiment}: is refused with ${what}`, () => {
      const document = structuredClone(documents[experiment]);
      spoil(document);
      assert.throws(
        () => check(document),
        (error) => {
          assert.ok(error instanceof DocumentError);
          assert.equal(error.path, path);
          assert.match(error.reason, expected);
          assert.equal(error.message, `${path}: ${error.reason}`);
          return true;
        },
      );
    });
  }

  it('is not known by a name that no experiment has', () => {
    assert.equal(findExperiment('pigeons'), undefined);
    assert.throws(() => check({ schema: 'sockshootout/pigeons/1' }), { name: 'InvalidInputError', path: 'schema' });
  });
});

/** @param {any[]} trials */
const openOf = (trials) => trials.find(({ loop }) => loop === 'open');

/** @param {any[]} trials @param {string} delivery */
const trialBy = (trials, delivery) => trials.find((trial) => trial.delivery === delivery);

/** @param {any[]} trials */
const pollOf = (trials) => trialBy(trials, 'poll');

/** @param {{ notified: Record<string, number[]> }} trial */
const takeOutJob = ({ notified }) => takeOut({ samples: notified });

/** @param {any} trial */
function failAll(trial) {
  trial.failures = trial.notified.job.map((/** @type {number} */ job) => ({ job, outcome: 'closed', message: 'gone' }));
  for (const list of Object.values(trial.notified)) list.length = 0;
}

/** @param {any} trial @param {string} outcome */
function failOne(trial, outcome) {
  delete trial.durationMs;
  trial.failure = { outcome, message: 'gone' };
}

/** @param {number[]} sizes */
function asPublished(sizes) {
  return (/** @type {any} */ { plan }) => {
    delete plan.repeats;
    delete plan.seed;
    Object.assign(plan, { preset: 'published', sizes });
  };
}

/** Takes the second sample out of a trial. @param {{ samples: Record<string, number[]> }} trial */
function takeOut({ samples }) {
  for (const list of Object.values(samples)) list.splice(1, 1);
}

/** Lets a message leave a millisecond before it is due. @param {{ samples: Record<string, number[]> }} trial */
function takeBack({ samples: { plannedAtMs, sentAtMs } }) {
  sentAtMs[5] = plannedAtMs[5] - 1;
}

/** Another process answers under the worker's number afterwards. @param {any} document */
function restart({ statusAfter }) {
  statusAfter.workers[0].startedAt = '2026-11-21T07:00:00.000Z';
}

/** @param {any[]} trials */
function empty(trials) {
  const { samples } = trials.find(({ loop }) => loop === 'closed');
  for (const list of Object.values(samples)) list.length = 0;
}
