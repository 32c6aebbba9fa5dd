/**
 * Compares shootouts at their places, all with the same two transports: how each fits the prediction of the first one; nothing is
 * averaged.
 */
import { formatMs, formatNumber, formatRatio, formatRatioWithRange, formatRtt } from '../../base/format.js';
import { nameOf } from '../../experiment/report/merged-report.js';
import { words } from '../../experiment/report/table.js';
import { PUBLISHED } from '../../net/echo/published.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { chartOf } from './curves.js';
import { PREDICTION_INTERVAL, createDistanceModel, predictSpeedRatio } from './distance-model.js';
import { csvColumns, formatBlocks, tabulateFigures } from './place-figures.js';
import { baselineOf, challengerOf, isComparable } from './plan.js';
import { compareTransports } from '../../experiment/answer/compare.js';
import { ruleOf } from '../../experiment/plan/blocks.js';
import { describeSameDistance } from './same-distance.js';

/**
 * @import { ComparisonPart, Side } from '../../experiment/contract.js'
 * @import { Chart } from '../../picture/plot.js'
 * @import { Column } from '../../experiment/report/table.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { Comparison } from '../../experiment/answer/compare.js'
 * @import { DistanceModel } from './distance-model.js'
 * @import { Result } from './index.js'
 * @import { Plan } from './plan.js'
 * @import { Row, Summary } from './summary.js'
 * @typedef {{ name: string, floorMs?: number, rates: Readonly<Record<string, number | undefined>>, ratio?: string,
 *   predicted?: string }} Rates of a place, by transport; or those that were published
 */

/**
 * Compares the rates of places, and shows how each fits the prediction of the first.
 * @param {readonly Side[]} runs @returns {ComparisonPart}
 */
export function comparisonPart(runs) {
  const compared = comparePlaces(runs);
  const { pair, places } = compared;
  return {
    facts: listFacts(runs),
    warnings: [
      ...places.flatMap((place) => listFaults(place, pair)),
      ...places.flatMap((place) => place.summary.notes.map((note) => `${nameOf(place)}: ${note}`)),
    ],
    tables: [tabulateRates(compared), tabulateFigures(compared)],
    charts: drawPlaces(compared),
    csv: { columns: csvColumns(pair), rows: places },
  };
}

/** Lists the facts of the runs; a preset fits the iterations to the round-trip time. @param {readonly Run[]} runs */
function listFacts(runs) {
  const plans = runs.map(({ document: { plan } }) => plan);
  const isOnePlan = plans.every(
    ({ blocks, warmUpCount }) => blocks === plans[0].blocks && warmUpCount === plans[0].warmUpCount,
  );
  return runs.map(({ document: { plan, environment } }) => ({
    Baseline: labelOf(baselineOf(plan)),
    Transports: plan.transports.map(labelOf).join(', '),
    ...(!isOnePlan && { Plan: formatBlocks(plan) }),
    Payload: `${plan.payloadBytes} bytes`,
    'Page loaded from': environment.pageOrigin ?? 'the measured server',
  }));
}

/**
 * @param {Place} place @param {Pair} pair @returns {string[]} why it cannot be compared with the others, besides its
 *   ending
 */
function listFaults({ document: { ending, plan }, comparison, ...place }, pair) {
  const who = nameOf(place);
  if (ending) return [];
  if (!comparison) {
    const [baseline, name] = [pair.baseline, pair.transport].map(labelOf);
    return [`${who} did not measure both ${name} and ${baseline}.`];
  }
  if (plan.payloadBytes > 0) {
    return [`${who} has a payload, so it has no RTT and no prediction.`];
  }
  if (comparison.isTooCoarse) return [`${who} cannot be compared: the clock was too coarse even for whole trials.`];
  return comparison.speedRatio ? [] : [`${who} has too few blocks in which both transports have samples.`];
}

/** Characters that a chart has room for beside a dot, in two lines. */
const MAX_NAME_LENGTH = 32;
/** In one, if a word fills it. */
const MAX_WORD_LENGTH = 24;

/** @param {string} name */
function shorten(name) {
  const isOneLine = name.split(' ').some((word) => word.length > MAX_WORD_LENGTH / 2);
  const length = isOneLine ? MAX_WORD_LENGTH : MAX_NAME_LENGTH;
  return name.length > length ? `${name.slice(0, length - 1)}…` : name;
}

/**
 * Draws the prediction of the first run for all distances, and each run as a dot.
 * @param {Places} compared @returns {Chart[]}
 */
function drawPlaces({ model, places }) {
  if (!model) return [];
  const dots = places.flatMap((place) => {
    const { summary, comparison } = place;
    const [floorMs, speedRatio] = [summary.floorMs, comparison?.speedRatio];
    return floorMs !== undefined && speedRatio ? [{ name: shorten(nameOf(place)), floorMs, speedRatio }] : [];
  });
  const names = [model.transport, model.baseline].map(labelOf).join(' and ');
  const same = `${names}: ${describeSameDistance(model)}.`;
  const deviations = places.flatMap((place) => (place.deviation ? [`${nameOf(place)}: ${place.deviation}`] : []));
  const { y, ...chart } = chartOf([model], dots);
  const caption = `${y.title} by run ${places[0].number}, with its ${PREDICTION_INTERVAL}, and each run as a dot, with its 95% CI`;
  return [{ ...chart, caption, sentences: [same, ...deviations], y: { ...y, title: '' } }];
}

const RATIO_NOTE = 'In parentheses: 95% CI. Published in 2012: of 1,000 messages. The ratio is that of the rates.';

/** Tabulates the rates of every transport, and those of 2012 beneath. @param {Places} compared */
function tabulateRates({ pair, places, model }) {
  const [baseline, name] = [pair.baseline, pair.transport].map(labelOf);
  const transports = [...new Set(places.flatMap(({ summary }) => summary.rows.map(({ transport }) => transport)))];
  /** @type {Column<Rates>[]} */
  const columns = [
    words('Place', ({ name: place }) => place),
    { title: 'Fastest round trip', unit: 'ms', value: ({ floorMs }) => floorMs, format: formatRtt },
    ...transports.map((one) => ({
      title: labelOf(one),
      value: (/** @type {Rates} */ { rates }) => rates[one],
      format: formatMs,
    })),
    { title: `${name} to ${baseline}`, value: ({ ratio }) => ratio },
  ];
  if (model && places.length > 1)
    columns.push({ title: `Predicted ratio (${PREDICTION_INTERVAL})`, value: ({ predicted }) => predicted });
  return {
    heading: 'Messages per second by place',
    note: RATIO_NOTE,
    columns,
    rows: [...places.map(ratesOf), ...Object.values(PUBLISHED).map((published) => ratesOf2012(published, pair))],
  };
}

/** @param {Place} place @returns {Rates} */
const ratesOf = ({ summary: { floorMs, rows }, comparison, predicted, ...place }) => ({
  name: nameOf(place),
  floorMs,
  rates: Object.fromEntries(rows.map(({ transport, summary }) => [transport, summary.messagesPerSecond])),
  ratio: formatRatioWithRange(comparison?.speedRatio),
  predicted: formatRatioWithRange(predicted),
});

/** @param {(typeof PUBLISHED)['localhost']} published @param {Pair} pair @returns {Rates} */
function ratesOf2012({ name, rates: { 1000: given } }, { baseline, transport }) {
  /** @type {Rates['rates']} */
  const rates = given;
  const [base, other] = [rates[baseline], rates[transport]];
  return { name: `Published in 2012: ${name}`, rates, ratio: base && other ? `${formatMs(other / base)}x` : undefined };
}

/**
 * @typedef {Omit<Side, 'document' | 'summary'> & { document: Result, summary: Summary }} Run
 * @typedef {{ baseline: string, transport: string }} Pair the compared transports, the same in all places
 * @typedef {Run & { base?: Row, other?: Row, comparison?: Comparison }} MeasuredPlace `base`, `other`: the rows of the pair, absent if the
 *   plan lacks them; `comparison`: absent if the run ended early
 * @typedef {{ predicted?: Interval, deviation?: string }} Predicted the speed, and how this run's deviates
 * @typedef {MeasuredPlace & Predicted} Place a run at its round-trip time
 * @typedef {{ pair: Pair, places: Place[], model?: DistanceModel }} Places
 */

/** @param {readonly Run[]} runs of one pair, each at its round-trip time @returns {Places} */
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

/** @param {Run} run @param {Pair} pair @returns {MeasuredPlace} */
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
 * @param {{ summary: { floorMs?: number }, comparison?: Comparison }} place @param {DistanceModel} [model]
 * @returns {Predicted}
 */
function predict({ summary: { floorMs }, comparison }, model) {
  if (!model || floorMs === undefined) return {};
  const predicted = predictSpeedRatio(model, floorMs);
  const speedRatio = comparison?.speedRatio;
  return { predicted, deviation: speedRatio && describeDeviation(model, { floorMs, speedRatio }) };
}

/**
 * Computes the deviation of a run from its prediction; `byRatio`: measured to predicted.
 * @param {DistanceModel} model @param {{ floorMs: number, speedRatio: Interval }} measured by another run
 */
export function findDeviation(model, { floorMs, speedRatio }) {
  const predicted = predictSpeedRatio(model, floorMs);
  return {
    predicted,
    byRatio: speedRatio.estimate / predicted.estimate,
    doOverlap: speedRatio.low <= predicted.high && predicted.low <= speedRatio.high,
  };
}

/**
 * Describes the deviation in a sentence; the table beside it has the intervals.
 * @param {DistanceModel} model @param {{ floorMs: number, speedRatio: Interval }} measured
 */
function describeDeviation(model, measured) {
  const { predicted, byRatio, doOverlap } = findDeviation(model, measured);
  const [wanted, got] = [predicted, measured.speedRatio].map(formatRatio);
  const percent = 100 * Math.abs(byRatio - 1);
  const amount = `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)}%`;
  const deviation = Number(percent.toFixed(1)) === 0 ? 'as predicted' : `${amount} ${byRatio > 1 ? 'higher' : 'lower'}`;
  const doubt = doOverlap
    ? 'The intervals overlap.'
    : 'The intervals do not overlap, so more than the distance may differ.';
  return `at ${formatDistance(measured.floorMs)} ms, predicted ${wanted}, measured ${got}: ${deviation}. ${doubt}`;
}

/** @param {number} distanceMs */
const formatDistance = (distanceMs) => formatNumber(distanceMs, distanceMs < 10 ? 1 : 0);
