/**
 * Poll or push over a real server, ten times faster than in 2018, against what must come out of it.
 *
 * The closed form takes each polling period to be as long as the others. On a busy machine it is not, so what is asserted is
 * what the form follows from, and what holds however busy that is: a job is found by the first poll that reaches the server
 * after it is done.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { jobsOf, parseJobsPlan } from '../../core/experiments/jobs-plan.js';
import { pollCountOf } from '../../core/experiments/jobs-prediction.js';
import { summarizeJobs } from '../../core/experiments/jobs-report.js';
import { mean as meanOf } from '../../core/statistics/mean.js';
import { createJobClients } from '../../cli/job-client.js';
import { measureJobsDocument } from '../../cli/measure-jobs.js';
import { withOwnServer } from '../../cli/own-server.js';

const QUERY = 'ways=poll,push&intervals=50,25&users=20&jobs=10&least=0&most=1000&limit=20000&seed=2018';
const plan = /** @type {import('../../core/experiments/jobs-plan.js').JobsPlan} */ (
  parseJobsPlan(new URLSearchParams(QUERY), { seed: 0 })
);

/** A server's clock in whole milliseconds, a client's, and a timer that may be early by less than one. */
const CLOCK_MS = 2;

/**
 * A job as its user's requests show it. Server and user are on one machine, and so on one clock: times are those of Date.
 *
 * @typedef {object} Seen
 * @property {number} madeAtMs by the server
 * @property {number} heardAtMs when the user heard of that
 * @property {{ sentAtMs: number, answeredAtMs: number }[]} polls
 */

/**
 * @param {() => import('../../core/ways/index.js').JobClient} createClient
 * @param {Map<number, Seen>} seen gets each job, by its seed
 * @returns {() => import('../../core/ways/index.js').JobClient}
 */
function watch(createClient, seen) {
  /** @type {Map<string, Seen>} */
  const byId = new Map();
  return () => {
    const client = createClient();
    return {
      ...client,
      async request(method, path, options) {
        const sentAtMs = Date.now();
        const result = await client.request(method, path, options);
        const answeredAtMs = Date.now();
        if (method === 'GET') byId.get(path.slice('/job/'.length))?.polls.push({ sentAtMs, answeredAtMs });
        else {
          const { id, createTime } = result.answer;
          const job = { madeAtMs: createTime, heardAtMs: answeredAtMs, polls: [] };
          byId.set(id, job);
          seen.set(Number(new URLSearchParams(path.split('?')[1]).get('seed')), job);
        }
        return result;
      },
    };
  };
}

describe('20 users with 10 jobs of 0 to 1 s each', () => {
  /** @type {import('../../core/experiments/jobs-report.js').JobsDocument} */
  let document;
  /** By polling interval. @type {Map<number | undefined, Map<number, Seen>>} */
  const seenOf = new Map();
  before(() =>
    withOwnServer(async (origin) => {
      /** @type {Map<number, Seen>} */
      const seen = new Map();
      document = await measureJobsDocument({
        site: { origin, createClient: watch(await createJobClients(origin), seen) },
        plan,
        progress: { start() {}, say() {}, end() {} },
        signal: new AbortController().signal,
        onTrialEnd({ trials }) {
          seenOf.set(trials[trials.length - 1].intervalMs, new Map(seen));
        },
      });
    }),
  );

  it('are all told of, by each way', () => {
    for (const { way, told, failures } of document.trials) {
      assert.deepEqual(failures, [], way);
      assert.equal(told.job.length, 200, way);
    }
  });

  for (const intervalMs of plan.intervals) {
    describe(`polled for every ${intervalMs} ms`, () => {
      /** @type {(Seen & { leftMs: number, periodsMs: number[] })[]} `leftMs` when the user had heard that it was made */
      let jobs;
      before(() => {
        const { told } = trialOf(intervalMs);
        const seeds = jobsOf(plan).map(({ seed }) => seed);
        jobs = told.job.map((job, i) => {
          const seen = seenOf.get(intervalMs)?.get(seeds[job]);
          assert.ok(seen);
          const endsMs = [seen.heardAtMs, ...seen.polls.map(({ answeredAtMs }) => answeredAtMs)];
          return {
            ...seen,
            leftMs: seen.madeAtMs + told.durationMs[i] - seen.heardAtMs,
            periodsMs: endsMs.slice(1).map((endMs, poll) => endMs - endsMs[poll]),
          };
        });
      });

      it('are found by the first poll after they are done, none of which comes before its interval', () => {
        assert.deepEqual(
          jobs.map(({ polls }) => polls.length),
          trialOf(intervalMs).told.pollCount,
        );
        for (const { leftMs, heardAtMs, polls, periodsMs } of jobs) {
          const doneAtMs = heardAtMs + leftMs;
          const [last, before] = polls.toReversed();
          assert.ok(last.answeredAtMs >= doneAtMs, `${last.answeredAtMs - doneAtMs} ms`);
          assert.ok(!before || before.sentAtMs <= doneAtMs, `${before?.sentAtMs - doneAtMs} ms`);
          for (const periodMs of periodsMs) assert.ok(periodMs >= intervalMs - CLOCK_MS, `${periodMs} ms`);
        }
      });

      it('cost as many polls as the closed form says, for a period between the shortest and the longest', () => {
        const all = jobs.flatMap(({ periodsMs }) => periodsMs);
        const [shortest, longest] = [Math.min(...all) - CLOCK_MS, Math.max(...all) + CLOCK_MS];
        const [row] = rowsOf(intervalMs);
        const predictedFor = (/** @type {number} */ periodMs) =>
          mean(jobs.map(({ leftMs }) => pollCountOf({ durationMs: leftMs, periodMs })));
        const pollsPerJob = Number(row.pollsPerJob);
        assert.ok(pollsPerJob <= predictedFor(shortest), `${pollsPerJob} of ${predictedFor(shortest)}`);
        assert.ok(pollsPerJob >= predictedFor(longest), `${pollsPerJob} of ${predictedFor(longest)}`);
      });

      it('are late by the mean that both clocks saw', () => {
        const [row] = rowsOf(intervalMs);
        const seenMs = mean(jobs.map(({ leftMs, periodsMs }) => sum(periodsMs) - leftMs));
        // What came soonest is taken to have come in half a round trip.
        const delaysMs = jobs.flatMap(({ madeAtMs, heardAtMs, leftMs, periodsMs }) => [
          heardAtMs - madeAtMs,
          sum(periodsMs) - leftMs,
        ]);
        const halfRoundTripMs = Math.min(...document.roundTripMs) / 2;
        const expectedMs = seenMs - Math.min(...delaysMs) + halfRoundTripMs;
        const offMs = Number(row.lag.meanMs?.estimate) - expectedMs;
        assert.ok(Math.abs(offMs) <= CLOCK_MS, `${offMs} ms off ${expectedMs} ms`);
        // An end falls somewhere between the polls before and after it.
        assert.ok(seenMs > 0 && seenMs < mean(jobs.map(longestWaitMs)), `${seenMs} ms`);
      });

      it('cost more bytes by each request than a whole job does by one WebSocket, and more of the server’s CPU', () => {
        const [row] = rowsOf(intervalMs);
        assert.equal(row.bytesFault ?? row.cpuFault, undefined);
        assert.ok(Number(row.ratios?.bytes) > Number(row.requestsPerJob), `${row.ratios?.bytes} times`);
        assert.ok(Number(row.ratios?.cpu) > 1, `${row.ratios?.cpu} times`);
      });
    });
  }

  it('are done by nobody else’s leave: the server had no other requests', () => {
    assert.deepEqual(
      document.trials.map(({ traffic }) => traffic?.otherCount),
      [0, 0, 0],
    );
  });

  /** @param {number} intervalMs */
  function trialOf(intervalMs) {
    const trial = document.trials.find((one) => one.intervalMs === intervalMs);
    assert.ok(trial);
    return trial;
  }

  /** @param {number} intervalMs */
  function rowsOf(intervalMs) {
    return summarizeJobs(document).filter((row) => row.intervalMs === intervalMs);
  }
});

/** @param {Seen & { periodsMs: number[] }} job */
function longestWaitMs({ heardAtMs, polls }) {
  const [last, before] = polls.toReversed();
  return last.answeredAtMs - (before?.sentAtMs ?? heardAtMs);
}

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {readonly number[]} values at least one */
const mean = (values) => Number(meanOf(values));
