/** The part of streams in a full test: how an answer arrives in pieces. */
import { answerJudged, withoutVerdict } from '../../experiment/answer.js';
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { parseFields } from '../../experiment/fields.js';
import { streamMethods } from '../../net/stream/index.js';
import { adviceOf } from './advice.js';
import { FIELDS, secondsOf } from './plan.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Placed, Situation } from '../../experiment/situation.js'
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
 * Answers how much sooner the first piece comes over the considered socket than with fetch.
 * @param {StreamSummary} found @param {Placed} situation @returns {OwnAnswer}
 */
function answer(found, { considers }) {
  const { text, compared } = adviceOf(found);
  const { http, socket, ofSocket } = compared;
  if (!http || !socket || !ofSocket?.judged.verdict) return withoutVerdict(text);
  const what = {
    subject: considers,
    baseline: 'fetch',
    unit: /** @type {const} */ ('times-as-fast'),
    at: 'first piece',
  };
  return { ...answerJudged(what, ofSocket.judged), reason: text };
}
