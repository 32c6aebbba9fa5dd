/** When the pieces of one answer came, by each method, as data of a picture. */
import { formatLatency } from '../../base/format.js';
import { isPolling, STREAM_LABELS } from '../../net/stream/index.js';
import { dueTimesOf } from '../../net/stream/stream.js';
import { firstOf, formatTime } from './advice.js';
import { isCut, streamsOf } from './plan.js';
import { flowBy, longestGapOf, lumpsOf } from './summary.js';
import { FLOW_LABELS } from './tables.js';

/**
 * @import { Arrivals, ArrivalsRow } from '../../picture/arrivals.js'
 * @import { PlannedTrial, StreamPlan } from './plan.js'
 * @import { Stream, StreamTrial } from './schema.js'
 * @import { Flow, StreamRow } from './summary.js'
 */

/**
 * Draws the block in the middle of those in which all methods were measured; of several streams at once, the first. The figures are
 * those of all blocks, as in sentences.
 * @param {readonly StreamTrial[]} trials @param {StreamPlan} plan @param {readonly StreamRow[]} summaries of the methods
 * @returns {Arrivals | undefined} absent if nothing came
 */
export function arrivalsOf(trials, plan, summaries) {
  const fewest = trials.filter(({ atOnce }) => atOnce === plan.atOnce[0]);
  const blocks = [...new Set(fewest.map(({ block }) => block))];
  const whole = blocks.filter(
    (block) => fewest.filter((trial) => trial.block === block).length === plan.methods.length,
  );
  const shown = (whole.length > 0 ? whole : blocks)[Math.floor((Math.max(1, whole.length || blocks.length) - 1) / 2)];
  const own = fewest.filter(({ block, streams }) => block === shown && streams[0].atMs.length > 0);
  if (own.length === 0) return undefined;
  const answer = plan.atOnce[0] === 1 ? 'One answer' : `One of ${plan.atOnce[0]} answers at once`;
  const heading = `${answer} by each method (block ${shown + 1})`;
  const drawn = { ...picture(own, plan, { heading }), ...describePauses(own[0], plan) };
  // Where connections were cut, few answers are whole.
  if (isCut(plan) || blocks.length === 1) return withoutEmptyFlow(drawn);
  const byLabel = new Map(summaries.map((row) => [nameIn(plan, row.method), row]));
  return withoutEmptyFlow({
    ...drawn,
    heading: `${drawn.heading}; figures of all blocks`,
    rows: drawn.rows.map((row) => ({ ...row, ...figuresOf(byLabel.get(row.label)) })),
  });
}

/** @param {StreamPlan} plan @param {string} method @returns {string} such as 'Polling, 250 ms' */
const nameIn = ({ intervalMs }, method) =>
  isPolling(method) ? `${STREAM_LABELS[method]}, ${formatLatency(intervalMs)}` : STREAM_LABELS[method];

const FIGURES = Object.freeze(['First piece', 'Longest gap']);

/**
 * Says why the pieces of even streams do not come evenly: the server sends them as words of an answer come.
 * @param {PlannedTrial} trial @param {StreamPlan} plan @returns {Pick<Arrivals, 'note'>}
 */
function describePauses(trial, plan) {
  if (plan.rate === 0 || plan.spread === 0 || isCut(plan)) return {};
  const longest = longestGapOf(dueTimesOf(streamsOf(plan, trial)[0]));
  return { note: `Sent irregularly, up to ${formatTime(longest)} apart.` };
}

/** Leaves the column out where all answers are too short to tell how they flow. @param {Arrivals} arrivals @returns {Arrivals} */
const withoutEmptyFlow = (arrivals) =>
  arrivals.rows.some(({ word }) => word) ? arrivals : { ...arrivals, columns: FIGURES };

/** @param {StreamRow} [row] @returns {Partial<ArrivalsRow>} its figures; none where no answer was whole */
function figuresOf(row) {
  if (!row?.first || !row.gap) return {};
  return { figures: [firstOf(row), formatTime(row.gap.median)], ...wordOf(row.flow) };
}

/** @param {Flow} [flow] @returns {Pick<ArrivalsRow, 'word' | 'mark'>} */
const wordOf = (flow) =>
  flow ? { word: FLOW_LABELS[flow.name], mark: flow.name === 'even' ? 'better' : 'worse' } : {};

/**
 * Draws what came so far: of each method its last trial; its row is empty before the first piece.
 * @param {{ plan: StreamPlan, trials: readonly StreamTrial[], underWay?: { planned: PlannedTrial, soFar?: Stream[] } }} run
 * @returns {Arrivals}
 */
export function arrivalsSoFar({ plan, trials, underWay }) {
  const current = underWay?.soFar?.length ? [{ ...underWay.planned, streams: underWay.soFar, isOpen: true }] : [];
  const latest = plan.methods.flatMap((method) => {
    const all = [...trials, ...current].filter(
      (trial) => trial.streamedBy === method && trial.streams[0].atMs.length > 0,
    );
    return all.slice(-1);
  });
  const { rows, ...arrivals } = picture(latest, plan, { heading: 'The last answer by each method' });
  const byLabel = new Map(rows.map((row) => [row.label, row]));
  return {
    ...arrivals,
    rows: plan.methods.map((method) => byLabel.get(nameIn(plan, method)) ?? emptyRowOf(plan, method)),
  };
}

/** @param {StreamPlan} plan @param {string} method @returns {ArrivalsRow} */
const emptyRowOf = (plan, method) => ({
  label: nameIn(plan, method),
  colour: `stream-${method}`,
  lumps: [],
  figures: ['', ''],
});

/** @typedef {PlannedTrial & { streams: readonly Stream[], isOpen?: boolean }} Shown */

/** @param {readonly Shown[]} trials @param {StreamPlan} plan @param {{ heading: string }} words @returns {Arrivals} */
function picture(trials, plan, { heading }) {
  const inOrder = plan.methods.flatMap((method) => trials.filter((trial) => trial.streamedBy === method));
  const [first] = [...trials, { block: 0, atOnce: plan.atOnce[0] }];
  const due = dueTimesOf(streamsOf(plan, first)[0]);
  // What comes as fast as possible is due at once; a range needs a length before its pieces have come.
  const endMs = Math.max(1, due[due.length - 1], ...trials.map(({ streams }) => streams[0].atMs.at(-1) ?? 0));
  return {
    heading,
    caption: 'Seconds since the request',
    range: [0, endMs / 1000],
    columns: isCut(plan) ? FIGURES : [...FIGURES, 'Flow'],
    rows: inOrder.map((trial) => rowOf(trial, plan)),
  };
}

/** @param {Shown} trial @param {StreamPlan} plan @returns {ArrivalsRow} */
function rowOf({ streamedBy: method, streams, isOpen, ...planned }, plan) {
  const [{ atMs }] = streams;
  const due = dueTimesOf(streamsOf(plan, planned)[0]);
  const flow = isOpen ? undefined : flowBy(method, atMs, due.slice(0, atMs.length));
  const longest = longestGapOf(atMs);
  const to = atMs.findIndex((ms, i) => i > 0 && ms - atMs[i - 1] === longest);
  return {
    label: nameIn(plan, method),
    colour: `stream-${method}`,
    lumps: lumpsOf(atMs).map(({ atMs: ms, count }) => ({ at: ms / 1000, count })),
    ...(flow && flow.name !== 'even' && to > 0 && { gap: { from: atMs[to - 1] / 1000, to: atMs[to] / 1000 } }),
    figures: [formatTime(atMs[0]), atMs.length > 1 ? formatTime(longest) : ''],
    ...(isCut(plan) ? {} : wordOf(flow)),
  };
}
