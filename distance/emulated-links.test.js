/**
 * Known answers over emulated links: ping and the smallest round trip of a run agree on every profile; and a transport set
 * against itself shows no difference, also where the directions differ, and where the link changes during the run.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTransports } from '../cli/net/transports.js';
import { shootout } from '../core/experiments/shootout/index.js';
import { compareTransports } from '../core/experiment/answer/compare.js';
import { runExperiment } from '../core/experiment/run/run.js';
import { withSite } from '../lab/far-site.js';
import { PROFILES } from '../lab/options.js';
import { holdsOnce } from '../test/support/attempts.js';

/**
 * @import { Conditions } from '../core/experiment/run/emulated-link.js'
 * @import { Site } from '../lab/far-site.js'
 */

const now = () => performance.now();
/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 900_000;
/**
 * How many round trips are looked at. Where they vary by jitter J, the smallest of n has a standard deviation of about
 * 0.7 J / sqrt(n) above the smallest that there is: 1.3 ms for the largest J of a profile.
 */
const JITTER_COUNT = 600;
const FEW = 20;
const FLOOR_RUNS = 4;
const RUN_COUNT = 20;
/** Runs at the same time: what they cost each other is no advantage of one of two transports, either. */
const AT_A_TIME = 4;
/** Of 20 verdicts from 95% intervals one is wrong on average, and more than three are in 1.6% of all attempts. */
const MAX_WRONG = 3;
/** In all of these they are once in 15 million times; with 40% of wrong verdicts, in 94% of the times. */
const ATTEMPTS = 4;

/**
 * What the smallest round trip of a run may be apart from that of ping. Messages share their link, where none overtakes another:
 * each waits for those before it that the jitter holds back.
 * @param {number} pingMs @param {number} [jitterMs]
 */
const toleranceMs = (pingMs, jitterMs = 0) => 0.02 * pingMs + 1 + 0.1 * jitterMs;

/**
 * @template T
 * @param {Conditions} conditions
 * @param {(site: Site) => Promise<T>} use
 */
const withSiteOver = (conditions, use) => withSite(conditions, use, { isClientHere: true });

/**
 * Side by side, as one takes a round trip for each of its messages.
 *
 * @param {string} origin
 * @param {number} iterations of each
 * @returns {Promise<number>} ms, the smallest round trip
 */
async function findFloor(origin, iterations) {
  const plan = { transports: ['ws'], blocks: 1, iterations, warmUpCount: 1, payloadBytes: 0, seed: 1 };
  const runs = Array.from({ length: FLOOR_RUNS }, async () => {
    const transports = await createTransports(origin, plan.transports);
    const { trials } = await runExperiment(shootout, { plan, transports, now });
    return trials.flatMap(({ samples, failures }) => {
      assert.deepEqual(failures, []);
      return samples.roundTripMs;
    });
  });
  return Math.min(...(await Promise.all(runs)).flat());
}

const agreement = () => {
  for (const [name, { conditions }] of Object.entries(PROFILES)) {
    it(`over ${name}`, { timeout: LIMIT_MS }, (t) =>
      // At the same time, each over a link of its own: no packet of a link overtakes another one.
      withSiteOver(conditions, ({ link }) =>
        withSiteOver(conditions, ({ origin }) => {
          const count = conditions.jitterMs ? JITTER_COUNT : FEW;
          let [pingMs, floorMs] = [Infinity, Infinity];
          // Each attempt adds to the round trips that are looked at.
          return holdsOnce(t, async () => {
            const [{ minMs }, floor] = await Promise.all([link.ping({ count }), findFloor(origin, count / FLOOR_RUNS)]);
            [pingMs, floorMs] = [Math.min(pingMs, minMs), Math.min(floorMs, floor)];
            const words = `ping ${pingMs} ms, smallest round trip ${floorMs.toFixed(3)} ms`;
            t.diagnostic(words);
            return Math.abs(floorMs - pingMs) <= toleranceMs(pingMs, conditions.jitterMs) ? undefined : words;
          });
        }),
      ),
    );
  }
};

/**
 * @param {Conditions} conditions
 * @returns {Promise<(string | undefined)[]>} the verdict of each run
 */
function compareWithItself(conditions) {
  const measureOver = async (/** @type {string} */ origin) => {
    const { fetch } = await createTransports(origin, ['fetch']);
    const transports = { fetch, xhr: { ...fetch, name: 'xhr' } };
    const names = Object.keys(transports);
    /** @type {(string | undefined)[]} */
    const verdicts = [];
    let nextSeed = 0;
    const worker = async () => {
      while (nextSeed < RUN_COUNT) {
        const plan = { transports: names, blocks: 6, iterations: 3, warmUpCount: 1, payloadBytes: 0, seed: nextSeed++ };
        const { trials, ending } = await runExperiment(shootout, { plan, transports, now });
        assert.equal(ending, undefined);
        verdicts.push(compareTransports({ trials, baseline: 'fetch', transport: 'xhr' }).verdict);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    return verdicts;
  };
  return withSiteOver(conditions, ({ link, origin }) => {
    link.startChanges();
    return measureOver(origin);
  });
}

const sameness = () => {
  const changes = Array.from({ length: 100 }, (_, i) => ({ afterMs: 700 * (i + 1), rttMs: i % 2 === 0 ? 30 : 20 }));
  for (const [name, conditions] of Object.entries({
    'whose directions differ': { rttMs: 20, rttUpMs: 17, mbitPerSecond: 20, mbitPerSecondUp: 1 },
    'that changes': { rttMs: 20, changes },
  })) {
    it(`over a link ${name}`, { timeout: LIMIT_MS }, (t) =>
      holdsOnce(
        t,
        async () => {
          const verdicts = await compareWithItself(conditions);
          t.diagnostic(verdicts.join(', '));
          assert.equal(verdicts.length, RUN_COUNT);
          const wrong = verdicts.filter((verdict) => verdict !== 'same' && verdict !== 'unclear');
          return wrong.length <= MAX_WRONG ? undefined : `${wrong.length} differences`;
        },
        ATTEMPTS,
      ),
    );
  }
};

// All at once, as each is waiting nearly all of its time: what the others cost is no advantage of one of two transports,
// and spares the smallest of many round trips.
describe('over emulated links', { concurrency: true }, () => {
  describe('ping and the smallest round trip of a run agree', { concurrency: true }, agreement);
  const what = `${RUN_COUNT} runs of a transport against itself show at most ${MAX_WRONG} differences`;
  describe(what, { concurrency: true }, sameness);
});
