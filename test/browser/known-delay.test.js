/**
 * Known answer: whole runs against a server that delays its answers, now for longer, now for less, in a real browser. The
 * truth is what a bare loop of the same kind sees in the same interleaved run.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { quantile } from '../../core/base/statistics.js';
import { launchBrowser } from '../support/browser.js';
import { openServer } from '../support/server.js';
import { JQUERY, loadSource } from '../../bench/source-in-page.js';
import { medianInterval } from '../../bench/pairs.js';

const FALSE_ALARM_RATE = 2e-7;
const MARGIN = 0.05;

/**
 * Whether a figure is what a bare client saw of the same thing in the same interleaved run.
 *
 * A server's timer is no truth for what a client measures: a process that slept for longer wakes up more slowly, so a
 * difference of 8.35 ms between two timers arrives as 8.5 ms, every time. A bare loop meets all of that, too.
 *
 * The false-alarm rate: where both loops see the same, a block's figure is as likely above the bare one as below it, on
 * a quiet machine and on a busy one. So the order of the differences alone gives an interval that misses the truth once in
 * five million, whatever their distribution ({@link medianInterval}). Our loop has more code to run when it wakes up than
 * the bare one; that is below a twentieth of the figure, which therefore is no alarm either.
 *
 * @param {readonly number[]} measured a figure for each block
 * @param {readonly number[]} bare what a bare client saw in the same block
 * @throws {RangeError} for too few blocks: 24 are enough
 */
function compareWithBare(measured, bare) {
  const differences = measured.map((value, block) => value - bare[block]);
  const { low, high } = medianInterval(differences, 1 - FALSE_ALARM_RATE);
  const { median: truth } = medianInterval(bare, 0.95);
  const margin = MARGIN * Math.abs(truth);
  return { truth, low, high, isSame: low <= margin && high >= -margin };
}

/**
 * @import { Browser, Page } from 'playwright-core'
 * @import { TestServer } from '../support/server.js'
 */

const LOOPS = 'test/programs/loops-in-page.js';
/** Both wait, as a machine that slept answers later than one that did not. */
const DELAYS_MS = { slow: 10, fast: 2 };
const PLAN = { transports: ['slow', 'fast'], blocks: 32, iterations: 3, warmUpCount: 1, payloadBytes: 0, seed: 3 };
const NAMES = ['ajax', 'ws', 'sockjs'];

/** @param {readonly number[]} values */
const median = (values) =>
  Number(
    quantile(
      [...values].sort((a, b) => a - b),
      0.5,
    ),
  );

describe(`runs with a known difference (false alarms: ${NAMES.length} in ${1 / FALSE_ALARM_RATE})`, () => {
  let delayMs = 0;
  /** @type {number[]} what each answer was delayed by, by the server's clock */
  const delaysMs = [];
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  /** @type {Page} */
  let page;
  /** @type {string} */
  let source;
  before(async () => {
    server = await openServer({
      delayAnswer(answer) {
        const askedAtMs = performance.now();
        setTimeout(() => {
          delaysMs.push(performance.now() - askedAtMs);
          answer();
        }, delayMs);
      },
    });
    browser = await launchBrowser();
    page = await browser.newPage();
    await page.exposeFunction('setDelay', (/** @type {keyof typeof DELAYS_MS} */ name) => {
      delayMs = DELAYS_MS[name];
    });
    await page.exposeFunction('takeDelays', () => delaysMs.splice(0));
    await page.goto(`${server.origin}/socktest`);
    source = await loadSource(page, [LOOPS, JQUERY]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const name of NAMES) {
    it(`${name}: finds what a bare loop sees, and no round trip below the server’s delay`, async (t) => {
      const run = await page.evaluate(async ({ url, options }) => (await import(url)).measureInTurn(options), {
        url: source + LOOPS,
        options: { name, plan: PLAN },
      });
      const { trials, ending, bareMedianMs, stepMs } =
        /** @type {Awaited<ReturnType<typeof import('../programs/loops-in-page.js').measureInTurn>>} */ (run);
      assert.equal(ending, undefined);
      assert.equal(trials.length, PLAN.blocks * 2);

      const blocks = Array.from({ length: PLAN.blocks }, (_, block) => block);
      /** @param {(trial: number) => number} valueOf */
      const differences = (valueOf) => {
        const find = (/** @type {number} */ block, /** @type {string} */ transport) =>
          valueOf(trials.findIndex((trial) => trial.block === block && trial.transport === transport));
        return blocks.map((block) => find(block, 'slow') - find(block, 'fast'));
      };
      const measuredMs = differences((trial) => median(trials[trial].samples.roundTripMs));
      const bareMs = differences((trial) => bareMedianMs[trial]);
      const { truth, low, high, isSame } = compareWithBare(measuredMs, bareMs);
      const figures = `the bare loop sees ${truth.toFixed(3)} ms, the run ${low.toFixed(3)} to ${high.toFixed(3)} ms more`;
      t.diagnostic(figures);
      assert.ok(isSame, figures);

      for (const [index, { samples }] of trials.entries()) {
        const delays = run.delaysMs[index].slice(PLAN.warmUpCount, PLAN.warmUpCount + PLAN.iterations);
        // Each reading of the page's clock may be a step too late.
        const isPhysical = samples.roundTripMs.every((ms, i) => ms + stepMs >= delays[i]);
        assert.ok(isPhysical, `${samples.roundTripMs} ms, delayed by ${delays} ms`);
      }
    });
  }
});
