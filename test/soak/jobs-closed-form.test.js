/**
 * Polling over a real server against the closed form, which takes each period to be as long as the others. Whether they were
 * is looked at first: on a machine that is busy with something else they are not, and it is tried again.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJobsPlan } from '../../core/experiments/jobs-plan.js';
import { summarizeJobs } from '../../core/experiments/jobs-report.js';
import { quantile } from '../../core/statistics/quantile.js';
import { createJobClients } from '../../cli/job-client.js';
import { measureJobsDocument } from '../../cli/measure-jobs.js';
import { withOwnServer } from '../../cli/own-server.js';

const QUERY = 'ways=poll&intervals=250,125&users=10&jobs=10&least=0&most=1000&limit=20000&seed=2018';
const plan = /** @type {import('../../core/experiments/jobs-plan.js').JobsPlan} */ (
  parseJobsPlan(new URLSearchParams(QUERY), { seed: 0 })
);
const MOST_TRIES = 15;
/** Of the jobs' mean periods the middle 90 % lie within this part of the interval. */
const STEADY_RATIO = 0.05;

/** @typedef {import('../../core/experiments/jobs-report.js').JobsDocument} JobsDocument */

/** @param {JobsDocument} document */
function isSteady({ trials }) {
  return trials.every(({ intervalMs = 0, told: { createdAtMs, toldAtMs, pollCount } }) => {
    const periodsMs = pollCount.map((count, i) => (toldAtMs[i] - createdAtMs[i]) / count).sort((a, b) => a - b);
    return Number(quantile(periodsMs, 0.95)) - Number(quantile(periodsMs, 0.05)) <= STEADY_RATIO * intervalMs;
  });
}

describe('100 jobs of 0 to 1 s that are polled for at steady periods', () => {
  it('take as many polls as the closed form says, within 3 %, and are late by what it says, within 5 % of the interval', async () => {
    const document = await withOwnServer(async (origin) => {
      for (let tries = 1; tries <= MOST_TRIES; tries++) {
        const measured = await measureJobsDocument({
          site: { origin, createClient: await createJobClients(origin) },
          plan,
          progress: { start() {}, say() {}, end() {} },
          signal: new AbortController().signal,
        });
        if (isSteady(measured)) return measured;
      }
      throw new Error(`Expected steady periods in one of ${MOST_TRIES} runs; this machine is busy with something else`);
    });
    for (const { intervalMs = 0, pollsPerJob, lag, prediction, toldCount } of summarizeJobs(document)) {
      assert.equal(toldCount, plan.users * plan.jobs);
      const pollRatio = Number(pollsPerJob) / Number(prediction.pollsPerJob);
      assert.ok(Math.abs(pollRatio - 1) <= 0.03, `every ${intervalMs} ms: ${pollRatio} of the predicted polls`);
      const offMs = Number(lag.meanMs?.estimate) - Number(prediction.meanLagMs);
      assert.ok(Math.abs(offMs) <= 0.05 * intervalMs, `every ${intervalMs} ms: ${offMs} ms off the predicted lag`);
    }
  });
});
