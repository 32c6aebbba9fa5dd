/** What a run of streams says to do: which methods are compared, and the first of the rules that applies to them. */
import { uncapitalize } from '../../base/format.js';
import { negate } from '../../base/statistics.js';
import { describeTooFewBlocks, MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { mattersIn } from '../../experiment/plan/situation.js';
import { noticeOf } from '../../experiment/answer/verdict.js';
import { isPolling, streamMethods } from '../../net/stream/index.js';
import { describeCut, findReplacement } from './cut.js';
import { isCollected, isSmoother } from './flow.js';
import { isCut } from './plan.js';
import {
  byOf,
  describeArrival,
  describeFailed,
  describeLacking,
  describeOther,
  describePolled,
  describePolling,
  describeRest,
  describeStream,
  describeWaits,
  formatTime,
  nameOf,
  phraseOf,
} from './words.js';

/**
 * @import { Notice } from '../../experiment/answer/verdict.js'
 * @import { StreamPlan } from './plan.js'
 * @import { Comparison as Judgement, CutRow, StreamRow, StreamSummary } from './summary.js'
 * @typedef {{ name: string, applies: (compared: Compared) => unknown, say: (compared: Required<Compared>) => string, recommends?:
 *   'http' | 'socket' | 'today' | 'resumed' }} Rule
 * @typedef {Judgement & { sooner?: Notice, later?: Notice, isNoticeablySooner: boolean }} Comparison of first pieces; `sooner`, `later`:
 *   do users notice that the first is so?
 * @typedef {object} Compared the methods between which the choice is
 * @property {StreamRow} [http] a stream over HTTP: one that is better than today's method; else that if it is one, or the simplest;
 *   another one where that is buffered
 * @property {StreamRow} [socket] such a one over a socket: over a connection that is open already, if one was measured
 * @property {StreamRow[]} [streamed] all that stream, whole often enough
 * @property {StreamRow} [poll]
 * @property {StreamRow} [today] by the method that is used today
 * @property {Comparison} [ofSocket] the socket's first piece, compared with that over HTTP
 * @property {{ method: string }} [resumed] after a cut in which today's method lost pieces, one that resumed
 * @property {(own: StreamRow, other: StreamRow) => Comparison} compare
 * @property {StreamPlan} plan
 * @property {number} [stepMs] of the clock
 * @property {CutRow[]} [cuts] what these cost, where the server resets connections: nothing else is compared then
 */

/**
 * @param {StreamSummary} summary
 * @param {number} [mattersMs] by how much the first piece has to come sooner for users to notice
 * @returns {{ rule: Rule, compared: Compared, text: string, waiting: readonly StreamRow[] }} the rule that applies to what is compared,
 *   and what it says; `waiting`: the streams of which it says how long they waited for others
 */
export function adviceOf(summary, mattersMs = mattersIn({}).messageMs) {
  const compared = chooseCompared(summary, mattersMs);
  const rule = /** @type {Rule} */ (RULES.find(({ applies }) => applies(compared)));
  const said = rule.say(/** @type {Required<Compared>} */ (compared));
  if (compared.cuts) return { rule, compared, text: said, waiting: [] };
  const [fewest, ...more] = summary.plan.atOnce;
  const at = fewest === 1 ? 'With one stream at a time' : `With ${fewest} streams at once`;
  const text = fewest === 1 && more.length === 0 ? said : `${at}, ${uncapitalize(said)}`;
  const waiting = waitingOf(summary, compared);
  return { rule, compared, text: `${text}${describeWaits(waiting)}${describeFailed(summary)}`, waiting };
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

/** The share of a plan's blocks that a method needs whole: what fails more often than that is no choice, however soon it is. */
const MIN_WHOLE_SHARE = 0.5;

/**
 * Chooses {@link Compared what is compared}.
 * @param {StreamSummary} summary @param {number} mattersMs by how much the first piece has to come sooner for users to notice
 * @returns {Compared}
 */
function chooseCompared({ plan, rows, cuts, compare: compareMethods, stepMs }, mattersMs) {
  const compare = (/** @type {StreamRow} */ own, /** @type {StreamRow} */ other) => {
    const found = compareMethods(own.method, other.method);
    const { judged, laterMs } = found;
    const [sooner, later] = laterMs ? [noticeOf(negate(laterMs), mattersMs), noticeOf(laterMs, mattersMs)] : [];
    return { ...found, sooner, later, isNoticeablySooner: judged.verdict === 'faster' && sooner === 'noticed' };
  };
  if (isCut(plan)) return { cuts, compare, plan, resumed: findReplacement(cuts, plan.today) };
  const whole = rows.filter(
    ({ atOnce, blockCount }) => atOnce === plan.atOnce[0] && blockCount >= minWholeOf(plan.blocks),
  );
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
  return {
    http,
    socket,
    streamed,
    poll: whole.find(({ method }) => isPolling(method)),
    today,
    ofSocket: http && socket && compare(socket, http),
    compare,
    plan,
    stepMs,
  };
}

/** @param {number} blocks of a plan @returns {number} how many of them have to be whole */
const minWholeOf = (blocks) => Math.min(blocks, Math.max(MIN_BLOCKS, Math.ceil(MIN_WHOLE_SHARE * blocks)));

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
 * Is what is used today as good as the others? A stream over HTTP is recommended anyway where nothing is better.
 * @param {Compared} compared @returns {boolean | undefined}
 */
function isKeepingToday(compared) {
  const { today, http, streamed = [], compare, plan } = compared;
  if (!today || today === http || isCollected(today.flow)) return false;
  // Polls are steps, even where a stream is too short to show them.
  if (isPolling(today.method) && !today.flow && plan.rate > 0) return false;
  const others = othersOf(compared);
  return (
    others.length > 0 &&
    others.every((other) => isCollected(other.flow) || !compare(other, today).isTooCoarse) &&
    streamed.every((other) => other === today || !isBetter(other, today, compare))
  );
}

/** @param {Compared} compared @returns {StreamRow[]} those that stream by another method than today's */
const othersOf = ({ today, http, socket }) =>
  [http, socket].filter((row) => row !== undefined).filter((row) => row !== today);

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
    say: ({ poll, plan: { blocks } }) => {
      const least = minWholeOf(blocks);
      const where = least === blocks ? `all ${blocks} blocks` : `at least ${least} of ${blocks} blocks`;
      return `${poll ? 'Only polling' : 'No method'} brought a whole answer in ${where}.`;
    },
  },
  {
    name: 'keep today',
    applies: isKeepingToday,
    say: (compared) =>
      `Keep ${phraseOf(compared.today)}: ${describeArrival(compared.today)}.${othersOf(compared)
        .map((other) => ` ${describeOther(other, compared.today, compared)}.`)
        .join('')}${describePolling(compared, compared.today)}`,
    recommends: 'today',
  },
  {
    name: 'all collected',
    applies: ({ http, socket }) => http && socket && isCollected(http.flow) && isCollected(socket.flow),
    say: ({ http }) =>
      `Something on the path buffers what is streamed, by HTTP and by sockets: with ${nameOf(http)} ${describeArrival(http)}. Turn its buffering off.`,
  },
  {
    name: 'HTTP collected',
    applies: ({ http, socket }) => http && socket && isCollected(http.flow),
    say: ({ http, socket }) =>
      `Something on the path buffers what is streamed over HTTP: with ${nameOf(http)} ${describeArrival(http)}. Use ${phraseOf(socket)}, or turn that buffering off.`,
    recommends: 'socket',
  },
  {
    name: 'only HTTP, collected',
    applies: ({ http, socket }) => http && !socket && isCollected(http.flow),
    say: ({ http }) =>
      `Something on the path buffers what is streamed over HTTP: with ${nameOf(http)} ${describeArrival(http)}. Turn its buffering off.`,
  },
  {
    name: 'only sockets, collected',
    applies: ({ http, socket }) => !http && socket && isCollected(socket.flow),
    say: ({ socket }) => `Something on the path buffers what is streamed: ${byOf(socket)} ${describeArrival(socket)}.`,
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
