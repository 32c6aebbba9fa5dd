/** The sentences of the advice on streams, and what streams and their figures are called within sentences. */
import { capitalize, formatDelay, formatRtt, listOf } from '../../base/format.js';
import { isPolling, STREAM_LABELS, streamMethods } from '../../net/stream/index.js';
import { isCollected, isSmoother } from './flow.js';

/**
 * @import { Compared } from './advice.js'
 * @import { Flow } from './flow.js'
 * @import { StreamRow, StreamSummary } from './summary.js'
 */

/** @param {{ method: string }} row @returns {string} within a sentence */
export const nameOf = ({ method }) => STREAM_LABELS[method];

/** @param {{ method: string }} row @returns {string} such as 'an open WebSocket' */
export const phraseOf = (row) =>
  nameOf(row)
    .replace(/^Open WebSocket$/, 'an open WebSocket')
    .replace(/^WebSocket /, 'a WebSocket ')
    .replace(/^Polling$/, 'polling');

/** @param {{ method: string }} row @returns {string} that at the beginning of a sentence; what is a function keeps its name */
const startOf = (row) => {
  const phrase = phraseOf(row);
  return phrase === nameOf(row) ? phrase : capitalize(phrase);
};

/** @param {{ method: string }} row @returns {string} such as 'over an open WebSocket' or 'with fetch' */
export const byOf = (row) => `${streamMethods[row.method].client === 'socket' ? 'over' : 'with'} ${phraseOf(row)}`;

/** @param {number} ms @returns {string} like '12 ms' or '0.35 s' */
export const formatTime = (ms) => (ms < 100 ? `${formatRtt(ms)} ms` : formatDelay(ms));

/** @param {number} atOnce @returns {string} where a figure was taken, such as 'first piece of 6 streams' */
export const nameFirstOf = (atOnce) => (atOnce === 1 ? 'first piece' : `first piece of ${atOnce} streams`);

/** @param {StreamRow} row @returns {string} when its first piece came */
export const firstOf = ({ first }) => formatTime(Number(first?.estimate));

/** @param {StreamRow} row @returns {string} such as 'the first words come after 12 ms, then evenly' */
export const describeArrival = (row) =>
  `the first words come after ${firstOf(row)}${row.flow ? `, ${describeFlow(row.flow)}` : ''}`;

/** @param {Flow | undefined} flow @returns {string} such as 'in bursts of about 13 pieces' */
function describeFlow(flow) {
  if (!flow) return 'at once';
  const { name, everyMs, pieces } = flow;
  if (name === 'even') return 'then evenly';
  if (name === 'gaps') return 'then with gaps';
  if (name === 'steps') return everyMs === undefined ? 'in steps' : `in steps of ${formatDelay(everyMs)}`;
  if (name === 'bursts' && pieces !== undefined) return `in bursts of about ${Math.round(pieces)} pieces`;
  return name === 'at-once' ? 'all at once' : 'in bursts';
}

/** Says how long streams wait for others. @param {readonly StreamRow[]} rows @returns {string} a sentence, if there are any */
export function describeWaits(rows) {
  if (rows.length === 0) return '';
  const waits = rows.map((row) => `${formatTime(Math.max(0, Number(row.wait?.estimate)))} ${byOf(row)}`);
  return ` Of ${rows[0].atOnce} at once, the last waits longer than the first by ${listOf(waits)}.`;
}

/**
 * Says how polling and today's method compare with what is recommended.
 * @param {Compared} compared @param {StreamRow} base @returns {string} sentences, if that method streams and was not compared yet
 */
export function describeRest(compared, base) {
  const { today, http, socket } = compared;
  const isOther = today && !isPolling(today.method) && today !== http && today !== socket;
  return `${isOther ? ` ${describeOther(today, base, compared)}.` : ''}${describePolling(compared, base)}`;
}

/** @param {Compared} compared @returns {string} a sentence, if methods that stream failed too often to be compared */
export function describeLacking({ plan, streamed = [] }) {
  const [first, ...others] = plan.methods
    .filter((name) => !isPolling(name) && streamed.every(({ method }) => method !== name))
    .map((method) => ({ method }));
  return first ? ` ${listOf([startOf(first), ...others.map(phraseOf)])} failed in too many blocks to be compared.` : '';
}

/** @param {StreamRow} row @returns {string} a sentence without its end */
export const describeStream = (row) => `Stream ${byOf(row)}: ${describeArrival(row)}`;

/**
 * Says how a method compares with the one that is recommended.
 * @param {StreamRow} other @param {StreamRow} base @param {Compared} compared @returns {string} a sentence without its end
 */
export function describeOther(other, base, { compare }) {
  if (isCollected(other.flow)) return `${capitalize(byOf(other))} the answer comes ${describeFlow(other.flow)}`;
  const { judged, laterMs, sooner, later } = compare(other, base);
  const name = startOf(other);
  if (!judged.verdict || !laterMs)
    return `${name} and ${phraseOf(base)} succeeded together in too few blocks to tell which is sooner`;
  // The gain's interval, as it is on the other side of 0.
  const mostMs = -laterMs.low;
  if (sooner !== 'not noticed' && judged.verdict === 'faster')
    return `${name} is sooner by ${formatTime(-laterMs.high)} to ${formatTime(mostMs)}, perhaps enough to notice`;
  if (sooner !== 'not noticed') return `${name} may be sooner, by ${formatTime(mostMs)} at most`;
  if (judged.verdict === 'faster') return `${name} is sooner by ${formatTime(-laterMs.estimate)}, too little to notice`;
  if (judged.verdict === 'slower' && later === 'noticed') return `${name} is later by ${formatTime(laterMs.estimate)}`;
  const isAsSmooth = base.flow && other.flow?.name === base.flow.name;
  const smoothness = isAsSmooth ? ', and no smoother' : isSmoother(other, base) ? ', but smoother' : '';
  return `${name} is not noticeably sooner${smoothness}`;
}

/** @param {Compared} compared @param {StreamRow} base what is recommended @returns {string} a sentence, if polling is another method */
export function describePolling({ poll, compare }, base) {
  if (!poll?.first || poll === base) return '';
  const found = compare(poll, base);
  if (!found.isNoticeablySooner) return ` ${describePolled(poll)}.`;
  const rest = poll.flow?.name === 'steps' ? `, but the rest comes ${describeFlow(poll.flow)}` : '';
  return ` Polling brings them ${formatTime(-Number(found.laterMs?.estimate))} sooner${rest}.`;
}

/** @param {StreamRow} poll @returns {string} a sentence without its end */
export const describePolled = (poll) =>
  `With polling the first words come after ${firstOf(poll)}${poll.flow?.name === 'steps' ? `, and the rest ${describeFlow(poll.flow)}` : ''}`;

/** @param {StreamSummary} summary @returns {string} a sentence, if a method failed in some of the blocks */
export function describeFailed({ plan, rows }) {
  const failed = rows.filter(({ atOnce, blockCount }) => atOnce === plan.atOnce[0] && blockCount < plan.blocks);
  if (failed.length === 0) return '';
  const counts = failed.map((row) => `${plan.blocks - row.blockCount} of ${plan.blocks} ${byOf(row)}`);
  return ` Blocks that failed: ${listOf(counts)}.`;
}
