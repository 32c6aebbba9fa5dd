/** The part of streams in a full test: which methods are compared, and how much sooner an answer begins by one of them. */
import { negate } from '../../base/statistics.js';
import { answerJudged, withoutVerdict } from '../../experiment/answer/answer.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { noticeOf, sayNoticed } from '../../experiment/answer/verdict.js';
import { parseFields } from '../../experiment/plan/fields.js';
import { mattersIn } from '../../experiment/plan/situation.js';
import { isPolling, STREAM_LABELS, streamLabelWithin, streamMethods } from '../../net/stream/index.js';
import { adviceOf } from './advice.js';
import { findReplacement } from './cut.js';
import { FIELDS, isCut, secondsOf } from './plan.js';
import { isCollected, isSmoother } from './summary.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Situation } from '../../experiment/plan/situation.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { Bars } from '../../picture/bars.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { Compared } from './advice.js'
 * @import { StreamPlan } from './plan.js'
 * @import { StreamRow, StreamSummary } from './summary.js'
 */

/** Long enough to tell an even flow from a collected one. */
const QUICK = Object.freeze({ pieces: 50, rate: 50, blocks: MIN_BLOCKS });
/** The share of a plan's blocks that a method needs whole: what fails more often than that is no choice, however soon it is. */
const MIN_WHOLE_SHARE = 0.5;

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Streaming an answer',
  about: 'When the first words of an answer come, and whether the rest flows.',
  isExtra: true,
  quickPlan,
  secondsOf,
  answer,
};

/** @param {Situation} situation @param {{ seed: number }} path @returns {StreamPlan} */
function quickPlan({ considers }, { seed }) {
  const kept = Object.values(streamMethods).filter(({ isKept }) => isKept);
  const { name } = kept.find(({ transport }) => transport === considers) ?? kept[0];
  return { ...parseFields(new URLSearchParams(), FIELDS, { seed }), ...QUICK, methods: ['fetch', name] };
}

/**
 * Answers how much sooner the first piece comes over a socket than over HTTP. The advice, too, goes by the gain per message that users
 * notice in the situation.
 * @param {StreamSummary} found @param {Situation} situation @returns {OwnAnswer}
 */
function answer(found, situation) {
  const compared = chooseCompared(found, situation);
  const { text } = adviceOf(found, compared);
  const { http, socket, ofSocket } = compared;
  const compares = describeCompared(found.plan, compared);
  if (!http || !socket || !ofSocket?.judged.verdict || !ofSocket.laterMs) return { ...withoutVerdict(text), compares };
  const what = { subject: socket.method, baseline: http.method, atOnce: found.plan.atOnce[0] };
  return { ...answerFirst(what, ofSocket, situation), compares, reason: text };
}

/**
 * Answers how much sooner the first piece came by one of two methods, as far as users notice.
 * @param {{ subject: string, baseline: string, atOnce: number, bars?: Bars, barsTitle?: string }} what @param {{ judged: Judged, laterMs?: Interval }} compared
 * @param {Partial<Situation>} [situation] which says how much sooner users notice
 */
export function answerFirst({ atOnce, ...what }, { judged, laterMs }, situation = {}) {
  const at = atOnce === 1 ? 'first piece' : `first piece of ${atOnce} streams`;
  const answer = answerJudged({ ...what, unit: 'times-as-fast', at }, judged);
  return laterMs ? sayNoticed(answer, negate(laterMs), mattersIn(situation).messageMs) : answer;
}

/**
 * @param {StreamPlan} plan @param {Compared} compared
 * @returns {string} such as 'Open WebSocket compared with fetch'; of what brought too little, those of the plan
 */
function describeCompared({ methods, today }, { http, socket }) {
  const { method: base } = http ?? { method: today };
  const { method: own } = socket ?? { method: methods.find((name) => name !== base) ?? base };
  return own === base ? STREAM_LABELS[own] : `${STREAM_LABELS[own]} compared with ${streamLabelWithin(base)}`;
}

/**
 * Chooses {@link Compared what is compared}.
 * @param {StreamSummary} summary @param {Partial<Situation>} [situation] which says how much sooner users notice
 * @returns {Compared}
 */
export function chooseCompared(summary, situation = {}) {
  const { messageMs: mattersMs } = mattersIn(situation);
  const { plan, rows, cuts, stepMs } = summary;
  const compare = (/** @type {StreamRow} */ own, /** @type {StreamRow} */ other) => {
    const found = summary.compare(own.method, other.method);
    const { judged, laterMs } = found;
    const [sooner, later] = laterMs ? [noticeOf(negate(laterMs), mattersMs), noticeOf(laterMs, mattersMs)] : [];
    return { ...found, sooner, later, isNoticeablySooner: judged.verdict === 'faster' && sooner === 'noticed' };
  };
  const least = Math.min(plan.blocks, Math.max(MIN_BLOCKS, Math.ceil(MIN_WHOLE_SHARE * plan.blocks)));
  const common = { compare, plan, least, stepMs };
  if (isCut(plan)) return { ...common, cuts, others: [], isKeeping: false, resumed: findReplacement(cuts, plan.today) };
  const whole = rows.filter(({ atOnce, blockCount }) => atOnce === plan.atOnce[0] && blockCount >= least);
  const streamed = whole.filter(({ method }) => !isPolling(method));
  const overHttp = streamed.filter(({ method }) => streamMethods[method].client !== 'socket');
  const sockets = streamed.filter(({ method }) => streamMethods[method].client === 'socket');
  const kept = sockets.filter(({ isKept }) => isKept);
  const today = whole.find(({ method }) => method === plan.today);
  const choiceOf = (/** @type {StreamRow[]} */ usual, all = usual) =>
    bestOf(today ? all.filter((row) => isBetter(row, today, compare)) : [], compare) ??
    orUnbuffered(usual.find((row) => row === today) ?? usual[0], all);
  const http = choiceOf(overHttp);
  const socket = choiceOf(kept.length > 0 ? kept : sockets, [...kept, ...sockets]);
  const others = [http, socket].filter((row) => row !== undefined).filter((row) => row !== today);
  const isKeeping = today !== undefined && today !== http && isGoodEnough(today, { others, streamed, compare, plan });
  return {
    ...common,
    http,
    socket,
    streamed,
    poll: whole.find(({ method }) => isPolling(method)),
    today,
    others,
    isKeeping,
    ofSocket: http && socket && compare(socket, http),
  };
}

/**
 * One that nothing buffers is better than that of today.
 * @param {StreamRow | undefined} usual @param {readonly StreamRow[]} rows in their order
 */
const orUnbuffered = (usual, rows) =>
  isCollected(usual?.flow) ? (rows.find(({ flow }) => !isCollected(flow)) ?? usual) : usual;

/**
 * @param {readonly StreamRow[]} rows in their order @param {Compared['compare']} compare
 * @returns {StreamRow | undefined} the first, or a later one that is better
 */
const bestOf = ([first, ...rows], compare) =>
  first && rows.reduce((best, row) => (isBetter(row, best, compare) ? row : best), first);

/** Is one better, as far as users notice? @param {StreamRow} row @param {StreamRow} other @param {Compared['compare']} compare */
function isBetter(row, other, compare) {
  if (isCollected(row.flow) || isCollected(other.flow)) return !isCollected(row.flow);
  return compare(row, other).isNoticeablySooner || (isSmoother(row, other) && !compare(other, row).isNoticeablySooner);
}

/**
 * Is what is used today as good as the others?
 * @param {StreamRow} today
 * @param {{ others: readonly StreamRow[], streamed: readonly StreamRow[], compare: Compared['compare'], plan: StreamPlan }} choice
 * @returns {boolean}
 */
function isGoodEnough(today, { others, streamed, compare, plan }) {
  if (isCollected(today.flow)) return false;
  // Polls are steps, even where a stream is too short to show them.
  if (isPolling(today.method) && !today.flow && plan.rate > 0) return false;
  return (
    others.length > 0 &&
    others.every((other) => isCollected(other.flow) || !compare(other, today).isTooCoarse) &&
    streamed.every((other) => other === today || !isBetter(other, today, compare))
  );
}
