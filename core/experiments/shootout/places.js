/**
 * Shootouts at their places, all with the same two transports compared. The first is the baseline; nothing is averaged.
 */
import { compareTransports } from '../../experiment/compare.js';
import { ruleOf } from '../../experiment/looks.js';
import { createDistanceModel, describeDeviation, predictSpeedRatio } from './distance-model.js';
import { baselineOf, isComparable } from './plan.js';
import { challengerOf } from './verdict.js';

/**
 * @import { Side } from '../../experiment/contract.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { DistanceModel } from './distance-model.js'
 * @import { Result } from './index.js'
 * @import { Plan } from './plan.js'
 * @import { Summary } from './summary.js'
 * @typedef {Omit<Side, 'document' | 'summary'> & { document: Result, summary: Summary }} Run
 * @typedef {{ baseline: string, transport: string }} Pair the compared transports, the same in all places
 * @typedef {ReturnType<typeof createPlace> & ReturnType<typeof predict>} Place a run at its round-trip time
 * @typedef {ReturnType<typeof comparePlaces>} Places
 */

/** @param {readonly Run[]} runs */
export function comparePlaces(runs) {
  const pair = pairOf(runs.map(({ document: { plan } }) => plan));
  const [first, ...others] = runs.map((run) => createPlace(run, pair));
  const model = createDistanceModel(first.summary, first.comparison);
  return {
    pair,
    places: [{ ...first, ...predict(first) }, ...others.map((place) => ({ ...place, ...predict(place, model) }))],
    model,
  };
}

/**
 * Returns the pair of all plans, if it can be compared; else that of the first.
 * @param {readonly Plan[]} plans @returns {Pair}
 */
function pairOf(plans) {
  const [first] = plans;
  const common = first.transports.filter((name) => plans.every(({ transports }) => transports.includes(name)));
  const transports = isComparable(common) ? common : first.transports;
  return { baseline: baselineOf({ transports }), transport: challengerOf({ ...first, transports }) };
}

/**
 * Creates a place; its rows are absent if the plan lacks them, and its comparison if the run ended early.
 * @param {Run} run @param {Pair} pair
 */
function createPlace(run, pair) {
  const { plan, trials, environment, ending } = run.document;
  const [base, other] = [pair.baseline, pair.transport].map((name) =>
    run.summary.rows.find(({ transport }) => transport === name),
  );
  const isCompared = base && other && !ending;
  const comparison = isCompared
    ? compareTransports({ trials, ...pair, stepMs: environment.stepMs, rule: ruleOf(plan) })
    : undefined;
  return { ...run, base, other, comparison };
}

/**
 * Predicts the speed at this place, and the deviation of this run.
 * @param {ReturnType<typeof createPlace>} place @param {DistanceModel} [model]
 * @returns {{ predicted?: Interval, deviation?: string }}
 */
function predict({ summary: { floorMs }, comparison }, model) {
  if (!model || floorMs === undefined) return {};
  const predicted = predictSpeedRatio(model, floorMs);
  const speedRatio = comparison?.speedRatio;
  return { predicted, deviation: speedRatio && describeDeviation(model, { floorMs, speedRatio }) };
}
