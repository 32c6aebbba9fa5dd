/**
 * Known answer: over a link of so many bits a second, large news comes later than small news by the time that its bytes take, by
 * polling as by push.
 *
 * That nothing comes sooner than the link lets it holds in every attempt. That it comes as soon as it can, on a machine that may be
 * busy, holds for each method in one attempt of six at most.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withoutSummary } from '../core/experiment/documents/export.js';
import { findingsOf } from '../core/experiment/report/findings.js';
import { jobs } from '../core/experiments/jobs/index.js';
import { holdsOnce } from '../test/support/attempts.js';
import { runProgram } from '../test/support/program.js';

const RTT_MS = 10;
const MBIT_PER_SECOND = 2;
const NEWS_BYTES = 32_000;
/** The bytes of a frame on the link besides its payload, as a share: Ethernet, IP and TCP. */
const FRAMING = 66 / 1448;
const TRANSFER_MS = (NEWS_BYTES * 8) / (MBIT_PER_SECOND * 1000);
const DELIVERIES = ['poll', 'long-poll', 'sse', 'push', 'sockjs'];
const ATTEMPTS = 6;
/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 600_000;

/** @param {string[]} more arguments @returns {Promise<Record<string, number>>} the median delay of each delivery method, ms */
async function measureDelays(more) {
  const plan = `--deliveries ${DELIVERIES.join()} --interval 100 --users 1 --jobs 4 --arrangement sequential`;
  const times = '--min 50 --max 200 --blocks 2 --limit 20000 --seed 3';
  const link = `--rtt ${RTT_MS} --rate ${MBIT_PER_SECOND}`;
  const args = ['lab', 'run', 'jobs', ...`${link} ${plan} ${times} --json --quiet`.split(' '), ...more];
  const { code, out, err } = await runProgram('cli/sockshootout.js', args);
  assert.equal(code, 0, err);
  const rows = findingsOf(jobs, withoutSummary(JSON.parse(out))).summary;
  return Object.fromEntries(rows.map((/** @type {any} */ row) => [row.delivery, row.lag.p50Ms]));
}

it('large news is later by the time that its bytes take', { timeout: LIMIT_MS }, (t) => {
  /** The methods that were as late in one attempt. @type {Set<string>} */
  const held = new Set();
  return holdsOnce(
    t,
    async () => {
      // Each over a link of its own: they wait nearly all of their time.
      const [small, large] = await Promise.all([[], ['--news-bytes', String(NEWS_BYTES)]].map(measureDelays));
      const laterMs = Object.fromEntries(DELIVERIES.map((name) => [name, large[name] - small[name]]));
      // A machine that is busy delays small news, too, so that large news seems to be less late.
      for (const name of DELIVERIES) {
        const ratio = laterMs[name] / (TRANSFER_MS * (1 + FRAMING));
        if (ratio > 0.9 && ratio < 1.3) held.add(name);
      }
      for (const name of DELIVERIES) assert.ok(large[name] > 0.9 * TRANSFER_MS, `${name}: ${large[name]} ms`);
      if (held.size < DELIVERIES.length) return JSON.stringify({ TRANSFER_MS, small, large, laterMs, held: [...held] });
    },
    ATTEMPTS,
  );
});
