/** What a run of streams says to do: the first of these rules that applies. */
import { capitalize, formatDelay, formatRtt } from '../../base/format.js';
import { describeTooFewBlocks, MIN_BLOCKS } from '../../experiment/compare.js';
import { isBeyondMargin } from '../../experiment/verdict.js';
import { STREAM_LABELS, streamMethods } from '../../net/stream/index.js';
import { describeCut } from './cut.js';
import { isCollected } from './flow.js';
import { isCut } from './plan.js';

/**
 * @import { Flow } from './flow.js'
 * @import { StreamRow, StreamSummary } from './summary.js'
 * @typedef {object} Compared the methods between which the choice is
 * @property {StreamRow} [http] a stream over HTTP: today's method if it is one, else the simplest; another one where that is buffered
 * @property {StreamRow} [socket] over a connection that is open already, if one was measured
 * @property {StreamRow} [poll]
 * @property {ReturnType<StreamSummary['compare']>} [ofSocket] the socket's first piece, compared with that over HTTP
 * @property {number} blocks of the plan
 * @property {StreamSummary['cuts']} [cuts] what these cost, where the server resets connections: nothing else is compared then
 * @typedef {{ name: string, applies: (compared: Compared) => unknown, say: (compared: Required<Compared>) => string, recommends?:
 *   'http' | 'socket' }} Rule
 */

/** How much sooner the first piece has to come for users to notice. */
const MATTERS_MS = 20;

/** In their order: the first that applies is the answer. @type {readonly Rule[]} */
const RULES = [
  { name: 'cut', applies: ({ cuts }) => cuts, say: ({ cuts }) => describeCut(cuts) },
  {
    name: 'few blocks',
    applies: ({ blocks }) => blocks < MIN_BLOCKS,
    say: ({ blocks }) => `There is ${describeTooFewBlocks(blocks)}.`,
  },
  {
    name: 'nothing came',
    applies: ({ http, socket }) => !http && !socket,
    say: () => 'No method but polling brought a whole answer in each block.',
  },
  {
    name: 'all collected',
    applies: ({ http, socket }) => http && socket && isCollected(http.flow) && isCollected(socket.flow),
    say: ({ http }) =>
      `Something on the way buffers what is streamed, by HTTP and by sockets: the first words come after ${firstOf(http)}, ${describeFlow(http.flow)}. Turn its buffering off.`,
  },
  {
    name: 'HTTP collected',
    applies: ({ http, socket }) => http && socket && isCollected(http.flow),
    say: ({ http, socket }) =>
      `Something on the way buffers what is streamed over HTTP: with ${nameOf(http)} the first words come after ${firstOf(http)}, ${describeFlow(http.flow)}. Use ${phraseOf(socket)}, or turn that buffering off.`,
    recommends: 'socket',
  },
  {
    name: 'only HTTP, collected',
    applies: ({ http, socket }) => http && !socket && isCollected(http.flow),
    say: ({ http }) =>
      `Something on the way buffers what is streamed over HTTP: with ${nameOf(http)} the first words come after ${firstOf(http)}, ${describeFlow(http.flow)}. Turn its buffering off.`,
  },
  {
    name: 'only sockets, collected',
    applies: ({ http, socket }) => !http && socket && isCollected(socket.flow),
    say: ({ socket }) =>
      `Something on the way buffers what is streamed: over ${phraseOf(socket)} the first words come after ${firstOf(socket)}, ${describeFlow(socket.flow)}.`,
  },
  {
    name: 'socket collected',
    applies: ({ http, socket }) => http && socket && isCollected(socket.flow),
    say: ({ http, socket }) =>
      `${describeStream(http)}. Over ${phraseOf(socket)} the answer comes ${describeFlow(socket.flow)}.`,
    recommends: 'http',
  },
  {
    name: 'socket sooner',
    applies: ({ ofSocket }) => ofSocket && isSooner(ofSocket) && Number(ofSocket.laterMs?.high) <= -MATTERS_MS,
    say: ({ http, socket, ofSocket }) =>
      `Stream over ${phraseOf(socket)}: the first words come ${formatTime(-Number(ofSocket.laterMs?.estimate))} sooner than with ${nameOf(http)}.`,
    recommends: 'socket',
  },
  {
    name: 'HTTP is enough',
    applies: ({ http, socket }) => http && socket,
    say: (compared) => `${describeStream(compared.http)}. ${describeSocket(compared)}.${describePolling(compared)}`,
    recommends: 'http',
  },
  {
    name: 'one kind',
    applies: () => true,
    say: ({ http, socket, ...others }) => `${describeStream(http ?? socket)}.${describePolling(others)}`,
  },
];

/**
 * @param {StreamSummary} summary
 * @returns {{ rule: Rule, compared: Compared, text: string }} the rule that applies, and what it says
 */
export function adviceOf(summary) {
  const compared = choose(summary);
  const rule = /** @type {Rule} */ (RULES.find(({ applies }) => applies(compared)));
  return { rule, compared, text: rule.say(/** @type {Required<Compared>} */ (compared)) };
}

/** @param {StreamSummary} summary @returns {Compared} */
function choose({ plan, rows, cuts, compare }) {
  if (isCut(plan)) return { cuts, blocks: plan.blocks };
  const [fewest] = plan.atOnce;
  const whole = rows.filter(
    ({ atOnce, blockCount }) => atOnce === fewest && blockCount >= Math.min(plan.blocks, MIN_BLOCKS),
  );
  const streamed = whole.filter(({ method }) => streamMethods[method].client !== 'polls');
  const overHttp = streamed.filter(({ method }) => streamMethods[method].client !== 'socket');
  // One that nothing buffers is better than that of today.
  const ofToday = overHttp.find(({ method }) => method === plan.today) ?? overHttp[0];
  const http = isCollected(ofToday?.flow) ? (overHttp.find(({ flow }) => !isCollected(flow)) ?? ofToday) : ofToday;
  const sockets = streamed.filter(({ method }) => streamMethods[method].client === 'socket');
  const kept = sockets.filter(({ isKept }) => isKept);
  const socket = kept.find(({ method }) => method === plan.today) ?? kept[0] ?? sockets[0];
  return {
    http,
    socket,
    poll: whole.find(({ method }) => streamMethods[method].client === 'polls'),
    ofSocket: http && socket && compare(socket.method, http.method),
    blocks: plan.blocks,
  };
}

/** @param {NonNullable<Compared['ofSocket']>} compared */
const isSooner = ({ judged }) => isBeyondMargin(judged) && judged.verdict === 'faster';

/** @param {{ method: string }} row @returns {string} within a sentence */
export const nameOf = ({ method }) => STREAM_LABELS[method];

/** @param {StreamRow} row of a socket @returns {string} such as 'an open WebSocket' */
export const phraseOf = (row) => nameOf(row).replace(/^Open WebSocket$/, 'an open WebSocket');

/** @param {number} ms @returns {string} like '12 ms' or '0.35 s' */
export const formatTime = (ms) => (ms < 100 ? `${formatRtt(ms)} ms` : formatDelay(ms));

/** @param {StreamRow} row @returns {string} when its first piece came */
const firstOf = ({ first }) => formatTime(Number(first?.estimate));

/** @param {StreamRow} row @returns {string} a sentence without its end */
const describeStream = (row) =>
  `Stream ${streamMethods[row.method].client === 'socket' ? `over ${phraseOf(row)}` : `with ${nameOf(row)}`}: the first words come after ${firstOf(row)}${row.flow ? `, ${describeFlow(row.flow)}` : ''}`;

/** @param {Flow | undefined} flow @returns {string} such as 'in lumps of about 13' */
function describeFlow(flow) {
  if (!flow) return 'at once';
  const { name, everyMs, pieces } = flow;
  if (name === 'even') return 'then evenly';
  if (name === 'gaps') return 'then with gaps';
  if (name === 'steps') return everyMs === undefined ? 'in steps' : `in steps of ${formatDelay(everyMs)}`;
  if (name === 'lumps' && pieces !== undefined) return `in lumps of about ${Math.round(pieces)}`;
  return name === 'at-once' ? 'all at once' : 'in lumps';
}

/** @param {Required<Compared>} compared @returns {string} the start of a sentence about the socket */
function describeSocket({ http, socket, ofSocket }) {
  const { judged, laterMs } = ofSocket;
  const name = capitalize(phraseOf(socket));
  const isAsSmooth = http.flow && socket.flow?.name === http.flow.name;
  // The gain's interval, as it is on the other side of 0.
  const mostMs = -Number(laterMs?.low);
  if (mostMs >= MATTERS_MS) return `${name} may be sooner, by ${formatTime(mostMs)} at most`;
  if (judged.verdict === 'faster')
    return `${name} is sooner by ${formatTime(-Number(laterMs?.estimate))}, too little to notice`;
  const smoothness = isAsSmooth ? ', and no smoother' : socket.flow?.name === 'even' ? ', but smoother' : '';
  return `${name} is not noticeably sooner${smoothness}`;
}

/** @param {{ poll?: StreamRow }} compared @returns {string} a sentence, if polling was measured */
function describePolling({ poll }) {
  if (!poll?.first) return '';
  const rest = poll.flow?.name === 'steps' ? `, and the rest ${describeFlow(poll.flow)}` : '';
  return ` With polling the first words come after ${firstOf(poll)}${rest}.`;
}
