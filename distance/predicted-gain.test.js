/**
 * The gain of push that a full test predicts from a short polling interval, beside the one that is measured at the visitor's.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withoutSummary } from '../core/experiment/documents/export.js';
import { findingsOf } from '../core/experiment/report/findings.js';
import { jobs } from '../core/experiments/jobs/index.js';
import { predictGain } from '../core/experiments/jobs/summary.js';
import { holdsOnce } from '../test/support/attempts.js';
import { runProgram } from '../test/support/program.js';

const RTT_MS = 100;
const EVERY_MS = 1000;
/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 600_000;

/**
 * @param {number} intervalMs of polling @param {number} seed
 * @returns {Promise<any>} the figures of polling and of push
 */
async function measurePolling(intervalMs, seed) {
  const plan = `--deliveries poll,sockjs --interval ${intervalMs} --users 1 --jobs 4 --blocks 8 --seed ${seed}`;
  const times = `--min 0 --max ${2 * (intervalMs + RTT_MS)} --limit 60000`;
  const args = ['lab', 'run', 'jobs', '--rtt', String(RTT_MS), ...`${plan} ${times} --json --quiet`.split(' ')];
  const { code, out, err } = await runProgram('cli/sockshootout.js', args);
  assert.equal(code, 0, err);
  const rows = findingsOf(jobs, withoutSummary(JSON.parse(out))).summary;
  return Object.fromEntries(rows.map((/** @type {any} */ row) => [row.delivery, row]));
}

it('the gain at 1 s is predicted from polling every 100 ms', { timeout: LIMIT_MS }, (t) =>
  holdsOnce(
    t,
    async () => {
      // Both at once, each over a link of its own: they wait nearly all of their time.
      const [short, long] = await Promise.all([measurePolling(100, 1), measurePolling(EVERY_MS, 2)]);
      const predicted = predictGain(short.sockjs, { intervalMs: EVERY_MS, rttMs: RTT_MS });
      const measured = long.poll.comparison.differenceInterval;
      assert.ok(predicted);
      // Twice as wide as a 95% interval of 8 blocks: not one run in 500 is beyond it by chance.
      const farMs = measured.high - measured.low;
      const isNear = Math.abs(predicted.estimate - measured.estimate) < farMs;
      const isPrecise = predicted.high - predicted.low < farMs;
      return isNear && isPrecise ? undefined : JSON.stringify({ predicted, measured });
    },
    3,
  ),
);
