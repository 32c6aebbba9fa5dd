/** What a run of streams says to do: the first of the rules that applies to what is compared, and its sentences. */
import { capitalize, formatDelay, formatRtt, listOf, uncapitalize } from '../../base/format.js';
import { describeTooFewBlocks, MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { isPolling, STREAM_LABELS, streamMethods } from '../../net/stream/index.js';
import { describeCut } from './cut.js';
import { isCollected, isSmoother } from './summary.js';

/**
 * @import { Notice } from '../../experiment/answer/verdict.js'
 * @import { CutRow } from './cut.js'
 * @import { StreamPlan } from './plan.js'
 * @import { Comparison as Judgement, Flow, StreamRow, StreamSummary } from './summary.js'
 * @typedef {Judgement & { sooner?: Notice, later?: Notice, isNoticeablySooner: boolean }} Comparison of first pieces; `sooner`, `later`:
 *   do users notice that the first is so?
 * @typedef {object} Compared the methods between which the choice is
 * @property {StreamRow} [http] a stream over HTTP: one that is better than today's method; else that if it is one, or the simplest;
 *   another one where that is buffered
 * @property {StreamRow} [socket] such a one over a socket: over a connection that is open already, if one was measured
 * @property {StreamRow[]} [streamed] all that stream, whole often enough
 * @property {StreamRow} [poll]
 * @property {StreamRow} [today] by the method that is used today
 * @property {StreamRow[]} others `http` and `socket`, but for today's
 * @property {boolean} isKeeping whether today's is as good as the others; where nothing is better, a stream over HTTP is recommended
 *   anyway
 * @property {Comparison} [ofSocket] the socket's first piece, compared with that over HTTP
 * @property {{ method: string }} [resumed] after a cut in which today's method lost pieces, one that resumed
 * @property {(own: StreamRow, other: StreamRow) => Comparison} compare
 * @property {StreamPlan} plan
 * @property {number} least how many of its blocks a method needs whole
 * @property {number} [stepMs] of the clock
 * @property {CutRow[]} [cuts] what these cost, where the server resets connections: nothing else is compared then
 * @typedef {{ name: string, applies: (compared: Compared) => unknown, say: (compared: Required<Compared>) => string, recommends?:
 *   'http' | 'socket' | 'today' | 'resumed' }} Rule
 */

/**
 * @param {StreamSummary} summary @param {Compared} compared of it
 * @returns {{ rule: Rule, text: string, waiting: readonly StreamRow[] }} the rule that applies to what is compared, and what it says;
 *   `waiting`: the streams of which it says how long they waited for others
 */
export function adviceOf(summary, compared) {
  const rule = /** @type {Rule} */ (RULES.find(({ applies }) => applies(compared)));
  const said = rule.say(/** @type {Required<Compared>} */ (compared));
  if (compared.cuts) return { rule, text: said, waiting: [] };
  const [fewest, ...more] = summary.plan.atOnce;
  const at = fewest === 1 ? 'With one stream at a time' : `With ${fewest} streams at once`;
  const text = fewest === 1 && more.length === 0 ? said : `${at}, ${uncapitalize(said)}`;
  const waiting = waitingOf(summary, compared);
  return { rule, text: `${text}${describeWaits(waiting)}${describeFailed(summary)}`, waiting };
}

/**
 * @param {StreamSummary} summary @param {Compared} compared
 * @returns {StreamRow[]} of what is compared, where the most were at once; none if no more were than those that are compared
 */
function waitingOf({ plan, rows }, { http, socket }) {
  const most = Math.max(...plan.atOnce);
  if (most === plan.atOnce[0]) return [];
  const methods = [http, socket].map((row) => row?.method);
  return rows.filter(({ atOnce, method, wait }) => atOnce === most && wait && methods.includes(method));
}

/** In their order: the first that applies is the answer. @type {readonly Rule[]} */
const RULES = [
  { name: 'cut', applies: ({ cuts }) => cuts, say: ({ cuts }) => describeCut(cuts), recommends: 'resumed' },
  {
    name: 'few blocks',
    applies: ({ plan }) => plan.blocks < MIN_BLOCKS,
    say: ({ plan }) => String(describeTooFewBlocks(plan.blocks)),
  },
  {
    name: 'only polling measured',
    applies: ({ plan, poll }) => poll && plan.methods.every(isPolling),
    say: ({ poll }) => `${describePolled(poll)}. To compare it, also measure a method that streams.`,
  },
  {
    name: 'nothing came',
    applies: ({ http, socket }) => !http && !socket,
    say: ({ poll, least, plan: { blocks } }) => {
      const where = least === blocks ? `all ${blocks} blocks` : `at least ${least} of ${blocks} blocks`;
      return `${poll ? 'Only polling' : 'No method'} brought a whole answer in ${where}.`;
    },
  },
  {
    name: 'keep today',
    applies: ({ isKeeping }) => isKeeping,
    say: (compared) =>
      `Keep ${phraseOf(compared.today)}: ${describeArrival(compared.today)}.${compared.others
        .map((other) => ` ${describeOther(other, compared.today, compared)}.`)
        .join('')}${describePolling(compared, compared.today)}`,
    recommends: 'today',
  },
  {
    name: 'all collected',
    applies: ({ http, socket }) => http && socket && isCollected(http.flow) && isCollected(socket.flow),
    say: ({ http }) => `${describeBuffering(', by HTTP and by sockets', http)} Turn its buffering off.`,
  },
  {
    name: 'HTTP collected',
    applies: ({ http, socket }) => http && socket && isCollected(http.flow),
    say: ({ http, socket }) =>
      `${describeBuffering(' over HTTP', http)} Use ${phraseOf(socket)}, or turn that buffering off.`,
    recommends: 'socket',
  },
  {
    name: 'only HTTP, collected',
    applies: ({ http, socket }) => http && !socket && isCollected(http.flow),
    say: ({ http }) => `${describeBuffering(' over HTTP', http)} Turn its buffering off.`,
  },
  {
    name: 'only sockets, collected',
    applies: ({ http, socket }) => !http && socket && isCollected(socket.flow),
    say: ({ socket }) => describeBuffering('', socket),
  },
  {
    name: 'socket collected',
    applies: ({ http, socket }) => http && socket && isCollected(socket.flow),
    say: (compared) => `${describeStream(compared.http)}. ${describeOther(compared.socket, compared.http, compared)}.`,
    recommends: 'http',
  },
  {
    name: 'coarse clock',
    applies: ({ ofSocket }) => ofSocket?.isTooCoarse,
    say: ({ stepMs }) =>
      `There is no verdict, because the clock is too coarse for the first pieces${stepMs ? `: its step is ${formatTime(stepMs)}` : ''}.`,
  },
  {
    name: 'socket sooner',
    applies: ({ ofSocket }) => ofSocket?.isNoticeablySooner,
    say: (compared) =>
      `Stream over ${phraseOf(compared.socket)}: the first words come ${formatTime(-Number(compared.ofSocket.laterMs?.estimate))} sooner than with ${nameOf(compared.http)}.${describeRest(compared, compared.socket)}`,
    recommends: 'socket',
  },
  {
    name: 'HTTP is enough',
    applies: ({ http, socket }) => http && socket,
    say: (compared) =>
      `${describeStream(compared.http)}. ${describeOther(compared.socket, compared.http, compared)}.${describeRest(compared, compared.http)}`,
    recommends: 'http',
  },
  {
    name: 'only HTTP',
    applies: ({ http }) => http,
    say: (compared) =>
      `${describeStream(compared.http)}.${describeLacking(compared)}${describeRest(compared, compared.http)}`,
    recommends: 'http',
  },
  {
    name: 'only sockets',
    applies: () => true,
    say: (compared) =>
      `${describeStream(compared.socket)}.${describeLacking(compared)}${describeRest(compared, compared.socket)}`,
    recommends: 'socket',
  },
];

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
const byOf = (row) => `${streamMethods[row.method].client === 'socket' ? 'over' : 'with'} ${phraseOf(row)}`;

/** @param {number} ms @returns {string} like '12 ms' or '0.35 s' */
export const formatTime = (ms) => (ms < 100 ? `${formatRtt(ms)} ms` : formatDelay(ms));

/** @param {StreamRow} row @returns {string} when its first piece came */
export const firstOf = ({ first }) => formatTime(Number(first?.estimate));

/** @param {StreamRow} row @returns {string} such as 'the first words come after 12 ms, then evenly' */
const describeArrival = (row) =>
  `the first words come after ${firstOf(row)}${row.flow ? `, ${describeFlow(row.flow)}` : ''}`;

/** @param {string} what is buffered of what is streamed, such as ' over HTTP' @param {StreamRow} row @returns {string} a sentence */
const describeBuffering = (what, row) =>
  `Something on the path buffers what is streamed${what}: ${byOf(row)} ${describeArrival(row)}.`;

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
function describeWaits(rows) {
  if (rows.length === 0) return '';
  const waits = rows.map((row) => `${formatTime(Math.max(0, Number(row.wait?.estimate)))} ${byOf(row)}`);
  return ` Of ${rows[0].atOnce} at once, the last waits longer than the first by ${listOf(waits)}.`;
}

/**
 * Says how polling and today's method compare with what is recommended.
 * @param {Compared} compared @param {StreamRow} base @returns {string} sentences, if that method streams and was not compared yet
 */
function describeRest(compared, base) {
  const { today, http, socket } = compared;
  const isOther = today && !isPolling(today.method) && today !== http && today !== socket;
  return `${isOther ? ` ${describeOther(today, base, compared)}.` : ''}${describePolling(compared, base)}`;
}

/** @param {Compared} compared @returns {string} a sentence, if methods that stream failed too often to be compared */
function describeLacking({ plan, streamed = [] }) {
  const [first, ...others] = plan.methods
    .filter((name) => !isPolling(name) && streamed.every(({ method }) => method !== name))
    .map((method) => ({ method }));
  return first ? ` ${listOf([startOf(first), ...others.map(phraseOf)])} failed in too many blocks to be compared.` : '';
}

/** @param {StreamRow} row @returns {string} a sentence without its end */
const describeStream = (row) => `Stream ${byOf(row)}: ${describeArrival(row)}`;

/**
 * Says how a method compares with the one that is recommended.
 * @param {StreamRow} other @param {StreamRow} base @param {Compared} compared @returns {string} a sentence without its end
 */
function describeOther(other, base, { compare }) {
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
function describePolling({ poll, compare }, base) {
  if (!poll?.first || poll === base) return '';
  const found = compare(poll, base);
  if (!found.isNoticeablySooner) return ` ${describePolled(poll)}.`;
  const rest = poll.flow?.name === 'steps' ? `, but the rest comes ${describeFlow(poll.flow)}` : '';
  return ` Polling brings them ${formatTime(-Number(found.laterMs?.estimate))} sooner${rest}.`;
}

/** @param {StreamRow} poll @returns {string} a sentence without its end */
const describePolled = (poll) =>
  `With polling the first words come after ${firstOf(poll)}${poll.flow?.name === 'steps' ? `, and the rest ${describeFlow(poll.flow)}` : ''}`;

/** @param {StreamSummary} summary @returns {string} a sentence, if a method failed in some of the blocks */
function describeFailed({ plan, rows }) {
  const failed = rows.filter(({ atOnce, blockCount }) => atOnce === plan.atOnce[0] && blockCount < plan.blocks);
  if (failed.length === 0) return '';
  const counts = failed.map((row) => `${plan.blocks - row.blockCount} of ${plan.blocks} ${byOf(row)}`);
  return ` Blocks that failed: ${listOf(counts)}.`;
}
