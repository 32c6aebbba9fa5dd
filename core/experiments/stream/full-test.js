/** The part of streams in a full test: how an answer arrives in pieces. */
import { negate } from '../../base/statistics.js';
import { answerJudged, withoutVerdict } from '../../experiment/answer/answer.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { sayNoticed } from '../../experiment/answer/verdict.js';
import { parseFields } from '../../experiment/plan/fields.js';
import { mattersIn } from '../../experiment/plan/situation.js';
import { STREAM_LABELS, streamMethods } from '../../net/stream/index.js';
import { adviceOf } from './advice.js';
import { FIELDS, secondsOf } from './plan.js';
import { nameFirstOf } from './words.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Situation } from '../../experiment/plan/situation.js'
 * @import { Compared } from './advice.js'
 * @import { StreamPlan } from './plan.js'
 * @import { StreamSummary } from './summary.js'
 */

/** Long enough to tell an even flow from a collected one. */
const QUICK = Object.freeze({ pieces: 50, rate: 50, blocks: MIN_BLOCKS });

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
 * Answers how much sooner the first piece comes over a socket than over HTTP, by the methods that the advice compares. Both go by
 * the gain per message that users notice in the situation.
 * @param {StreamSummary} found @param {Situation} situation @returns {OwnAnswer}
 */
function answer(found, situation) {
  const { messageMs } = mattersIn(situation);
  const { text, compared } = adviceOf(found, messageMs);
  const { http, socket, ofSocket } = compared;
  const compares = describeCompared(found.plan, compared);
  if (!http || !socket || !ofSocket?.judged.verdict || !ofSocket.laterMs) return { ...withoutVerdict(text), compares };
  const what = {
    subject: socket.method,
    baseline: http.method,
    unit: /** @type {const} */ ('times-as-fast'),
    at: nameFirstOf(found.plan.atOnce[0]),
  };
  const said = sayNoticed(answerJudged(what, ofSocket.judged), negate(ofSocket.laterMs), messageMs);
  return { ...said, compares, reason: text };
}

/**
 * @param {StreamPlan} plan @param {Compared} compared
 * @returns {string} such as 'Open WebSocket compared with fetch'; of what brought too little, those of the plan
 */
function describeCompared({ methods, today }, { http, socket }) {
  const { method: base } = http ?? { method: today };
  const { method: own } = socket ?? { method: methods.find((name) => name !== base) ?? base };
  return own === base ? STREAM_LABELS[own] : `${STREAM_LABELS[own]} compared with ${STREAM_LABELS[base]}`;
}
