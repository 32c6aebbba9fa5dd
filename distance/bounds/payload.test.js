/**
 * Known answer: over a network with a limited rate no message comes sooner than its bytes fit through, and none sooner than
 * the round trip, whatever the transport, and however busy the machine is.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { payload } from '../../core/experiments/payload/index.js';
import { DIRECTION_LABELS, movedBytesOf } from '../../core/experiments/payload/plan.js';
import { trialsOf } from '../../core/experiments/payload/trials.js';
import { describeConditions } from '../../core/experiment/run/emulated-link.js';
import { reportOf } from '../../core/experiment/report/findings.js';
import { withFarSite } from '../../lab/far-site.js';
import { PROFILES } from '../../lab/options.js';
import { downloadRun } from '../../test/support/download.js';

/**
 * @import { PayloadDocument } from '../../core/experiments/payload/schema.js'
 * @import { PayloadTrial } from '../../core/experiments/payload/schema.js'
 * @import { Conditions } from '../../core/experiment/run/emulated-link.js'
 */

/** For what hangs: nothing takes nearly as long. */
const RUN_LIMIT_MS = 300_000;
const PLAN = 'transports=ajax,websocket-text,websocket-binary,sockjs&repeats=6&seed=1';

/** Which sizes each network carries within some seconds, seven times by each transport. */
const NETWORKS = [
  { name: 'lan', choices: 'sizes=1,1000,300000' },
  { name: 'wan', choices: 'sizes=1,50000' },
  { name: 'hsdpa-plus', choices: 'directions=up,down&sizes=1,40000' },
];

/**
 * A clock may tell a moment up to a step too early, and another one as much too late:
 * https://developer.mozilla.org/docs/Web/API/Performance_API/High_precision_timing#reduced_precision
 */
const STEPS = 2;

/**
 * @typedef {object} Measured
 * @property {PayloadDocument} run
 * @property {string} pageText
 */

/**
 * A run as its visitor makes it, from what the visitor can download.
 *
 * @param {(typeof NETWORKS)[number]} network
 * @returns {Promise<Measured>}
 */
function measure({ name, choices }) {
  return withFarSite(PROFILES[name].conditions, async ({ browser, origin }) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(RUN_LIMIT_MS);
    await page.goto(`${origin}/payloadtest?${PLAN}&${choices}&autostart=1`);
    const run = parseDocument(await downloadRun(page), valibot, payload);
    return { run, pageText: await page.locator('main').innerText() };
  });
}

/**
 * @param {PayloadTrial} trial
 * @param {Conditions} conditions
 * @returns {number} what it takes at the least, in ms
 */
function minMs({ direction, size }, { rttMs, jitterMs = 0, mbitPerSecond = Infinity }) {
  const bits = 8 * movedBytesOf(direction, size);
  return rttMs - jitterMs + bits / (1000 * mbitPerSecond);
}

describe('messages of several sizes', () => {
  /** @type {Map<string, Measured>} */
  const measured = new Map();
  before(
    async () => {
      const [fast, ...slow] = NETWORKS;
      measured.set(fast.name, await measure(fast));
      // Side by side, as whoever measures them waits most of the time.
      const runs = await Promise.all(slow.map(measure));
      for (const [i, run] of runs.entries()) measured.set(slow[i].name, run);
    },
    { timeout: 2 * RUN_LIMIT_MS },
  );

  for (const { name } of NETWORKS) {
    const { conditions } = PROFILES[name];
    describe(`over ${name}: ${describeConditions(conditions)}`, () => {
      const measuredHere = () => /** @type {Measured} */ (measured.get(name));

      it('are all answered, by each transport', () => {
        const { plan, trials, ending } = measuredHere().run;
        assert.equal(ending, undefined);
        assert.deepEqual(
          trials.filter(({ failure }) => failure),
          [],
        );
        assert.equal(trials.length, trialsOf(plan).length);
        for (const { transport, protocol } of trials) {
          assert.equal(protocol, transport === 'ajax' ? 'http/1.1' : 'websocket');
        }
      });

      it('take at least the round trip, and what their bytes take at that rate', (t) => {
        const { trials, environment } = measuredHere().run;
        const blurMs = STEPS * Number(environment.stepMs);
        const margins = trials.map((trial) => Number(trial.durationMs) - minMs(trial, conditions));
        t.diagnostic(`the closest one took ${Math.min(...margins).toFixed(1)} ms more`);
        for (const [i, marginMs] of margins.entries()) {
          assert.ok(marginMs >= -blurMs, `${JSON.stringify(trials[i])}: at least ${minMs(trials[i], conditions)} ms`);
        }
      });

      it('have a page with the headline, and with what was found in each direction', (t) => {
        const { run, pageText } = measuredHere();
        const { conclusion, headline, sentences, notes = [] } = reportOf(payload, run);
        for (const sentence of [headline, ...sentences]) {
          t.diagnostic(sentence);
          assert.ok(pageText.includes(sentence), `${sentence} in: ${pageText}`);
        }
        // Nothing is said of each if nothing is clear in any.
        if (String(conclusion).startsWith('No clear difference')) return;
        // What is too long for the headline is in the notes, which the page folds.
        const said = [headline, ...notes].join(' ');
        for (const direction of run.plan.directions)
          // "For uploads, …".
          assert.match(said, new RegExp(`\\b${DIRECTION_LABELS[direction]}(e?s)?\\b`, 'i'));
      });
    });
  }
});
