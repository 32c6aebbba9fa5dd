/** Runs over sizes whose messages take as long as a law says, and what is reported of them. */
import assert from 'node:assert/strict';
import { OFFERED_SIZES } from '../../core/experiments/payload/plan.js';
import { trialsOf } from '../../core/experiments/payload/trials.js';
import { summarizeSweep } from '../../core/experiments/payload/summary.js';
import { reportOf } from '../../core/experiment/report/findings.js';
import { payload } from '../../core/experiments/payload/index.js';
import { createRandom } from '../../core/base/random.js';

/**
 * @import { PayloadTrial } from '../../core/experiments/payload/schema.js'
 * @import { PayloadPlan, Sweep } from '../../core/experiments/payload/plan.js'
 * @import { PlannedTrial } from '../../core/experiments/payload/trials.js'
 */

/** @type {Sweep} */
export const PLAN = {
  transports: ['ajax', 'websocket-text'],
  directions: ['up'],
  sizes: OFFERED_SIZES,
  repeats: 6,
  seed: 1,
};

/** What a message takes: so many milliseconds at once, and so many bytes in each. @type {Record<string, [number, number]>} */
const LAWS = { ajax: [10, 10_000], 'websocket-text': [2, 2000], sockjs: [2, 1000], fetch: [8, 10_000] };

/** @param {{ transport: string, size: number }} trial */
export const lawOf = ({ transport, size }) => LAWS[transport][0] + size / LAWS[transport][1];

/**
 * Skewed, as delays are: most are near to the law, a few far above.
 *
 * @param {() => number} random
 * @param {number} [spread]
 */
export const noise = (random, spread = 0.05) =>
  Math.exp(spread * (random() + random() + random() - 1.5 + 2 * random() ** 8));

/**
 * @param {PayloadPlan} plan
 * @param {(trial: PlannedTrial) => number | undefined} timeOf absent where it fails
 * @returns {PayloadTrial[]}
 */
export function createTrials(plan, timeOf) {
  return trialsOf(plan).map((planned, index) => {
    const durationMs = timeOf(planned);
    const outcome =
      durationMs === undefined
        ? { failure: { outcome: /** @type {const} */ ('closed'), message: 'gone' } }
        : { durationMs };
    return {
      ...planned,
      protocol: planned.transport === 'ajax' ? 'h2' : 'websocket',
      startedAtMs: index * 1e5,
      ...outcome,
    };
  });
}

/** @param {Partial<Sweep>} [options] @param {(trial: PlannedTrial) => number} [factor] of the law's time */
export function measured(options = {}, factor = undefined) {
  const random = createRandom(7);
  const plan = { ...PLAN, ...options };
  return { plan, trials: createTrials(plan, (trial) => lawOf(trial) * (factor?.(trial) ?? noise(random))) };
}

/** @param {{ plan: PayloadPlan, trials: PayloadTrial[] }} run */
export const wordsOf = ({ plan, trials }) => {
  const { conclusion, sentences, notes = [] } = reportOf(payload, documentOf(plan, trials));
  return [
    ...(conclusion ? [conclusion] : []),
    ...sentences,
    ...notes.filter((note) => /^For (uploads|downloads|echoes)\b/.test(note)),
  ];
};

/** @param {string} text @returns {(name: string) => number} how often it has the name */
export const countIn = (text) => (name) => text.split(name).length - 1;

const LETTERS = { faster: 'f', slower: 's', 'little-faster': '+', 'little-slower': '-', same: '=', unclear: '?' };

/**
 * @param {{ plan: Sweep, trials: PayloadTrial[], stepMs?: number }} run
 * @returns {string[]} for each direction and transport but the baseline, a letter at each size: f faster, s slower, + and - a
 *   little, = the same, ? unclear, a dot for no verdict
 */
export const verdictsOf = ({ plan, trials, stepMs }) => {
  const rows = summarizeSweep(plan, trials, { stepMs }).filter(({ comparison }) => comparison);
  const keys = [...new Set(rows.map(({ direction, transport }) => `${direction} ${transport}`))];
  return keys.map((key) =>
    rows
      .filter(({ direction, transport }) => `${direction} ${transport}` === key)
      .map(({ comparison }) => (comparison?.verdict ? LETTERS[comparison.verdict] : '.'))
      .join(''),
  );
};

/**
 * @param {PayloadPlan} plan
 * @param {PayloadTrial[]} trials
 */
export function documentOf(plan, trials) {
  const environment = { url: 'https://example.org/payloadtest', userAgent: 'a|b', isCrossOriginIsolated: true };
  return { schema: payload.schema, startedAt: '2026-11-21T10:00:00.000Z', plan, environment, trials };
}

/** @param {PayloadPlan} plan @param {PayloadTrial[]} trials */
const tablesOf = (plan, trials) => reportOf(payload, documentOf(plan, trials)).tables;

/** @param {PayloadPlan} plan @param {PayloadTrial[]} trials */
export const mapsOf = (plan, trials) => tablesOf(plan, trials).filter(({ heatMap }) => heatMap);

/** @param {PayloadPlan} plan @param {PayloadTrial[]} trials */
export function figuresOf(plan, trials) {
  const table = tablesOf(plan, trials).find(({ isDetail }) => isDetail);
  assert.ok(table);
  return table;
}
