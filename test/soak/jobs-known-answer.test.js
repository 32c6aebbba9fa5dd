/**
 * Poll or push over a real server, ten times faster than in 2018, against what must come out of it.
 *
 * The closed form takes each polling period to be as long as the others. On a busy machine it is not, so what is asserted is
 * what the form follows from, and what holds however busy that is, as long as nobody sets the clock: a job is found by the
 * first poll that reaches the server after it is done. Bytes are counted, not timed. What a busy machine can spoil has to
 * hold in one of several measurements.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { jobsOf } from '../../core/experiments/jobs/plan.js';
import { pollCountOf } from '../../core/experiments/jobs/polling.js';
import { summarize } from '../../core/experiments/jobs/summary.js';
import { mean as meanOf } from '../../core/base/statistics.js';
import { withOwnServer } from '../../cli/program/child.js';
import { holdsOnce } from '../support/attempts.js';
import { jobsPlanOf, measureJobs } from '../support/measure-jobs.js';

/**
 * @import { TestContext } from 'node:test'
 * @import { NotifiedJobs } from '../../core/experiments/jobs/schema.js'
 * @import { JobsDocument } from '../../core/experiments/jobs/schema.js'
 * @import { JobClient } from '../../core/net/delivery/index.js'
 */

const QUERY = 'deliveries=poll,push&intervals=50,25&users=20&jobs=10&min=0&max=1000&limit=700000&blocks=1&seed=2018';
const plan = jobsPlanOf(QUERY);

/** What a wait may seem too short by: its begin and its end are in whole milliseconds, and a timer may be early by less than one. */
const CLOCK_MS = 2;

/** What the means of a user's clock and of both clocks together may be apart. */
const MEANS_MS = 2;

/**
 * A job as its user's requests show it. Server and user are on one machine, and so on one clock: times are those of Date.
 *
 * @typedef {object} Seen
 * @property {number} madeAtMs by the server
 * @property {number} heardAtMs when the user heard of that
 * @property {{ sentAtMs: number, answeredAtMs: number }[]} polls
 */

/**
 * @param {() => JobClient} createClient
 * @param {Map<number, Seen>} seen gets each job, by its seed
 * @returns {() => JobClient}
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

/**
 * @typedef {Seen & { leftMs: number, periodsMs: number[] }} PolledJob `leftMs` when the user had heard that it was made
 *
 * @typedef {object} Measured
 * @property {JobsDocument} document
 * @property {Map<number, PolledJob[]>} jobsOf by polling interval
 */

/** @returns {Promise<Measured>} */
function measure() {
  return withOwnServer(async (origin) => {
    /** @type {Map<number, Seen>} */
    const seen = new Map();
    /** @type {Map<number, PolledJob[]>} */
    const polledJobs = new Map();
    const document = await measureJobs(origin, {
      plan,
      watch: (create) => watch(create, seen),
      onTrialEnd({ trials }) {
        const { intervalMs, notified } = trials[trials.length - 1];
        if (intervalMs !== undefined) polledJobs.set(intervalMs, listPolledJobs(notified, seen));
      },
    });
    return { document, jobsOf: polledJobs };
  });
}

/**
 * @param {NotifiedJobs} notified
 * @param {Map<number, Seen>} seen by seed
 * @returns {PolledJob[]}
 */
function listPolledJobs({ job: jobs, durationMs }, seen) {
  const seeds = jobsOf(plan).map(({ seed }) => seed);
  return jobs.map((job, i) => {
    const own = seen.get(seeds[job]);
    assert.ok(own);
    const endsMs = [own.heardAtMs, ...own.polls.map(({ answeredAtMs }) => answeredAtMs)];
    return {
      ...own,
      leftMs: own.madeAtMs + durationMs[i] - own.heardAtMs,
      periodsMs: endsMs.slice(1).map((endMs, poll) => endMs - endsMs[poll]),
    };
  });
}

describe('20 users with 10 jobs of 0 to 1 s each', () => {
  /** @type {Measured} */
  let measured;
  before(async () => {
    measured = await measure();
  });

  it('are all notified of, by each delivery method', () => {
    for (const { delivery, notified, failures } of measured.document.trials) {
      assert.deepEqual(failures, [], delivery);
      assert.equal(notified.job.length, 200, delivery);
    }
  });

  for (const intervalMs of plan.intervals) {
    describe(`polled for every ${intervalMs} ms`, () => {
      /** @type {PolledJob[]} */
      let jobs;
      before(() => {
        jobs = measured.jobsOf.get(intervalMs) ?? [];
      });

      it('are found by the first poll after they are done, none of which comes before its interval', () => {
        const trial = measured.document.trials.find((one) => one.intervalMs === intervalMs);
        assert.deepEqual(
          jobs.map(({ polls }) => polls.length),
          trial?.notified.pollCount,
        );
        for (const job of jobs) {
          const doneAtMs = job.heardAtMs + job.leftMs;
          const [last, before] = job.polls.toReversed();
          assert.ok(last.answeredAtMs >= doneAtMs, `${last.answeredAtMs - doneAtMs} ms`);
          assert.ok(!before || before.sentAtMs <= doneAtMs, `${before?.sentAtMs - doneAtMs} ms`);
          for (const waitMs of waitsOf(job)) assert.ok(waitMs >= intervalMs - CLOCK_MS, `${waitMs} ms`);
        }
      });

      it('cost as many polls as the closed form says, for a period between the shortest wait and the longest period', () => {
        const shortestMs = Math.min(...jobs.flatMap(waitsOf)) - CLOCK_MS;
        const longestMs = Math.max(...jobs.flatMap(({ periodsMs }) => periodsMs)) + CLOCK_MS;
        const predictedFor = (/** @type {number} */ periodMs) =>
          mean(jobs.map(({ leftMs }) => pollCountOf({ durationMs: leftMs, periodMs })));
        const pollsPerJob = Number(rowOf(measured, intervalMs).pollsPerJob);
        assert.ok(pollsPerJob <= predictedFor(shortestMs), `${pollsPerJob} of ${predictedFor(shortestMs)}`);
        assert.ok(pollsPerJob >= predictedFor(longestMs), `${pollsPerJob} of ${predictedFor(longestMs)}`);
      });

      it('cost more bytes by each request than a whole job does by one WebSocket', () => {
        const { bytesFault, bytesPerJob, requestsPerJob } = rowOf(measured, intervalMs);
        const ratio = Number(bytesPerJob?.both) / Number(rowOf(measured).bytesPerJob?.both);
        assert.equal(bytesFault, undefined);
        // Some 415 bytes beside 310.
        assert.ok(ratio > Number(requestsPerJob), `${ratio} times`);
      });
    });
  }

  it('are late by the mean that both clocks saw', (t) =>
    holdsForEachInterval(t, ({ document, jobsOf: polledJobs }, intervalMs) => {
      const jobs = polledJobs.get(intervalMs) ?? [];
      const seenMs = mean(jobs.map(({ leftMs, periodsMs }) => sum(periodsMs) - leftMs));
      // What came soonest is taken to have come in half a round trip.
      const delaysMs = jobs.flatMap(({ madeAtMs, heardAtMs, leftMs, periodsMs }) => [
        heardAtMs - madeAtMs,
        sum(periodsMs) - leftMs,
      ]);
      const halfRoundTripMs = Math.min(...document.roundTripMs) / 2;
      const expectedMs = seenMs - Math.min(...delaysMs) + halfRoundTripMs;
      const offMs = Number(rowOf({ document }, intervalMs).lag.meanMs) - expectedMs;
      return Math.abs(offMs) <= MEANS_MS ? undefined : `${offMs} ms off ${expectedMs} ms`;
    }));

  it('cost more of the server’s CPU than by one WebSocket', (t) =>
    holdsForEachInterval(t, ({ document }, intervalMs) => {
      const { cpuFault, cpuMsPerJob } = rowOf({ document }, intervalMs);
      const ratio = Number(cpuMsPerJob) / Number(rowOf({ document }).cpuMsPerJob);
      return ratio > 1 ? undefined : (cpuFault ?? `${ratio} times`);
    }));

  it('are done by nobody else’s leave: the server had no other requests', () => {
    assert.deepEqual(
      measured.document.trials.map(({ traffic }) => traffic?.otherCount),
      [0, 0, 0],
    );
  });

  /**
   * The first attempt is what has been measured already.
   *
   * @param {TestContext} t
   * @param {(measured: Measured, intervalMs: number) => string | undefined} findFault
   */
  function holdsForEachInterval(t, findFault) {
    /** @type {Measured | undefined} */
    let ready = measured;
    return holdsOnce(t, async () => {
      const own = ready ?? (await measure());
      ready = undefined;
      for (const intervalMs of plan.intervals) {
        const fault = findFault(own, intervalMs);
        if (fault !== undefined) return `every ${intervalMs} ms: ${fault}`;
      }
      return undefined;
    });
  }
});

/**
 * @param {Pick<Measured, 'document'>} measured
 * @param {number} [intervalMs] absent: of push
 */
function rowOf({ document }, intervalMs) {
  const row = summarize(document).find((one) => one.intervalMs === intervalMs);
  assert.ok(row);
  return row;
}

/**
 * @param {Seen} job
 * @returns {number[]} from each answer to the next request
 */
function waitsOf({ heardAtMs, polls }) {
  return polls.map(({ sentAtMs }, poll) => sentAtMs - (polls[poll - 1]?.answeredAtMs ?? heardAtMs));
}

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {readonly number[]} values at least one */
const mean = (values) => Number(meanOf(values));
