/** Shared shootouts side by side; the first is the baseline. Nothing is averaged over places. */
import { listDifferences } from '../../experiment/compare-reports.js';
import { compareTransports } from '../../experiment/compare.js';
import { titlesOf } from '../../experiment/names.js';
import { findWay } from '../../experiment/way.js';
import { labelOf } from '../../net/labels.js';
import { createDistanceModel, describeDeviation, predictSpeedRatio } from './distance-model.js';
import { baselineOf, isComparable } from './plan.js';
import { createReport } from './report.js';
import { challengerOf } from './verdict.js';

/**
 * @import { Interval } from '../../base/statistics/intervals.js'
 * @import { ListedRun } from '../../experiment/names.js'
 * @import { Way } from '../../experiment/way.js'
 * @import { DistanceModel } from './distance-model.js'
 * @import { Result } from './measure.js'
 * @import { Plan } from './plan.js'
 * @typedef {ListedRun & { number: number, document: Result }} WholeRun `number` is how the page counts it
 * @typedef {{ baseline: string, transport: string }} Pair what is set against what, the same in all places
 * @typedef {ReturnType<typeof createSide> & ReturnType<typeof predict>} Side one place
 * @typedef {ReturnType<typeof createPlaceComparison>} PlaceComparison
 */

/** @param {readonly WholeRun[]} runs of shootouts, one or more */
export function createPlaceComparison(runs) {
  const pair = pairOf(runs.map(({ document: { plan } }) => plan));
  const titles = titlesOf(runs);
  const sides = runs.map((run, index) => createSide(run, { title: titles[index], pair, way: findWay(run, runs) }));
  const [{ report, comparison }] = sides;
  const model = comparison && createDistanceModel({ floorMs: report.floorMs, row: { comparison } });
  return {
    pair,
    sides: sides.map((side, index) => ({ ...side, ...predict(side, index > 0 ? model : undefined) })),
    /** By the first run; absent where it predicts nothing. */
    model,
    /** Sentences, with warnings about single runs. */
    differences: [
      ...listDifferences(listFacts(sides)),
      ...sides.flatMap((side) => listFaults(side, pair)),
      ...sides.flatMap(({ number, title, report }) => report.notes.map((note) => `${number}. ${title}: ${note}`)),
    ],
  };
}

/**
 * What all have, if that can be set against each other; else what the first one is about.
 * @param {readonly Plan[]} plans @returns {Pair}
 */
function pairOf(plans) {
  const [first] = plans;
  const common = first.transports.filter((name) => plans.every(({ transports }) => transports.includes(name)));
  const transports = isComparable(common) ? common : first.transports;
  return { baseline: baselineOf({ transports }), transport: challengerOf({ ...first, transports }) };
}

/**
 * The pair's rows are absent where the plan does not have them, and its comparison where the run lacks one of it, or ended
 * early: its end may have come when it suited.
 * @param {WholeRun} run @param {{ title: string, pair: Pair, way?: Way }} options
 */
function createSide(run, { title, pair, way }) {
  const report = createReport(run.document);
  const { trials, environment, ending } = report.result;
  const [base, other] = [pair.baseline, pair.transport].map((name) =>
    report.rows.find(({ transport }) => transport === name),
  );
  const isCompared = base && other && !ending;
  const comparison = isCompared ? compareTransports({ trials, ...pair, stepMs: environment.stepMs }) : undefined;
  return { number: run.number, title, run, report, base, other, comparison, way };
}

/**
 * @param {ReturnType<typeof createSide>} side @param {DistanceModel | undefined} model by the first run
 * @returns {{ predicted?: Interval, deviation?: string }} what speed that predicts here, and how far this run is from it
 */
function predict({ report: { floorMs }, comparison }, model) {
  if (!model || floorMs === undefined) return {};
  const predicted = predictSpeedRatio(model, floorMs);
  const speedRatio = comparison?.speedRatio;
  return { predicted, deviation: speedRatio && describeDeviation(model, { floorMs, speedRatio }) };
}

/**
 * What should be the same in all runs. The protocols have a row of the table. The iterations alone do not make
 * another plan, as a preset fits them to the round-trip time.
 * @param {readonly ReturnType<typeof createSide>[]} sides
 */
function listFacts(sides) {
  const plans = sides.map(({ report }) => report.result.plan);
  const isOnePlan = plans.every(
    ({ blocks, warmUpCount }) => blocks === plans[0].blocks && warmUpCount === plans[0].warmUpCount,
  );
  return sides.map(({ number, run: { digest, document: result } }) => ({
    number,
    facts: {
      'The baselines differ': labelOf(baselineOf(result.plan)),
      'The transports differ': result.plan.transports.map(labelOf).join(', '),
      ...(!isOnePlan && { 'The plans differ': formatBlocks(result.plan) }),
      'The payloads differ': `${result.plan.payloadBytes} bytes`,
      'The servers’ versions differ': digest.version,
      'The browsers differ': `“${result.environment.userAgent}”`,
      'Not every page came from the measured server': result.environment.pageOrigin ?? 'it did',
    },
  }));
}

/** @param {Plan} plan @returns {string} like '10 blocks of 50, after 3 for warm-up' */
export function formatBlocks({ blocks, iterations, warmUpCount }) {
  return `${blocks} blocks of ${iterations}, after ${warmUpCount} for warm-up`;
}

/** @param {ReturnType<typeof createSide>} side @param {Pair} pair @returns {string[]} why it cannot be set beside the others */
function listFaults({ number, title, run: { document }, comparison }, pair) {
  const who = `${number}. ${title}`;
  const { ending, plan } = document;
  if (ending) {
    const word = ending.kind === 'invalid' ? 'is not valid' : 'was cancelled';
    return [`${who} ${word}, so nothing is concluded from it: ${ending.reason}`];
  }
  if (!comparison) {
    const [baseline, name] = [pair.baseline, pair.transport].map(labelOf);
    const measured = plan.transports.map(labelOf).join(', ');
    return [`${who} has no ratio of ${name} to ${baseline}. It measured these: ${measured}.`];
  }
  if (plan.payloadBytes > 0) {
    return [`${who} carries a payload, whose transfer is part of each round trip: it has no floor and no prediction.`];
  }
  if (comparison.isTooCoarse) return [`${who} cannot be compared: the clock was too coarse even for whole trials.`];
  return comparison.speedRatio ? [] : [`${who} has too few blocks in which both transports have samples.`];
}
