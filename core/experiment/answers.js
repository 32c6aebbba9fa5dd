/** What a run answers, as data: each question with its verdict and figure at the place where it was measured. */
import { labelOf, isFallback } from './labels.js';
import { UNITS } from './amount.js';
import { findBaseline } from './compare.js';
import { ELSEWHERE_RTT_MS, scopeIn } from './scope.js';
import { parseFields } from './fields.js';
import { SITUATION_FIELDS } from './situation.js';
import { methodOf, trialsOf } from './trials.js';
import { isWeighty, trustFactsOf } from './trust.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Described, Experiment, Planned } from './contract.js'
 * @import { Valibot } from './document-fields.js'
 * @import { ScoreLine } from './score-line.js'
 * @import { Situation } from './situation.js'
 * @typedef {InferOutput<ReturnType<typeof answerSchema>>} StoredAnswer
 * @typedef {{ experiment: Experiment, document: any, found: any }} Answering `found`: the summary of a run that ended as planned
 */

/** @type {readonly ScoreLine['mark'][]} */
export const MARKS = Object.freeze(['better', 'same', 'worse', 'unclear', 'none']);
const TOPICS = Object.freeze(/** @type {const} */ (['sending', 'news']));

/** The limits of its texts, in characters. */
const MAX = Object.freeze({ name: 40, subject: 160, word: 100, at: 60 });

/** @param {Valibot} v */
export function answerSchema(v) {
  const text = (/** @type {number} */ max) => v.pipe(v.string(), v.maxLength(max));
  return v.strictObject({
    experiment: text(MAX.name),
    subject: v.pipe(
      text(MAX.subject),
      v.description('What it compares; figures of different subjects are not comparable'),
    ),
    mark: v.picklist(MARKS),
    word: text(MAX.word),
    topic: v.optional(v.picklist(TOPICS)),
    amount: v.optional(
      v.strictObject({
        value: v.number(),
        unit: v.picklist(/** @type {(keyof typeof UNITS)[]} */ (Object.keys(UNITS))),
        total: v.optional(v.number()),
        at: v.optional(text(MAX.at)),
      }),
    ),
    overhead: v.optional(
      v.pipe(
        v.strictObject({ transport: text(MAX.name), baselineMs: v.number(), messageMs: v.number() }),
        v.description('The time of a message besides the round trip'),
      ),
    ),
    isDoubtful: v.optional(
      v.pipe(
        v.boolean(),
        v.description('true: a device was busy, or another tab measured; its figure is not to be used'),
      ),
    ),
  });
}

/**
 * @param {readonly Answering[]} runs whose experiments can be a part of a full test; others answer no question
 * @param {Situation} [situation] of the whole; absent: one that their plans compare
 * @param {number} [floorMs] the fastest round trip of the whole; absent: of each run
 * @returns {{ answers?: StoredAnswer[], fallback?: string }} for a digest; `fallback`: the protocol of what was considered, where
 *   a WebSocket did not work
 */
export function storedAnswersOf(runs, situation, floorMs) {
  const answers = runs.flatMap((run) => answerOf(run, situation ?? situationOf(run), floorMs) ?? []);
  const protocols = new Set(runs.flatMap((run) => fallbacksIn(run, situation ?? situationOf(run))));
  return {
    ...(answers.length > 0 && { answers }),
    ...(protocols.size > 0 && { fallback: [...protocols].sort().join(' and ') }),
  };
}

/** @param {Answering} run @param {Situation} situation @param {number} [floorMs] @returns {StoredAnswer | undefined} */
function answerOf({ experiment, document, found }, situation, floorMs) {
  const { name, fullTest } = experiment;
  if (!fullTest || found === undefined) return undefined;
  const scoped = scopeIn(experiment, document);
  const line = fullTest.lineOf(found, { ...situation, rttMs: floorMs ?? scoped.floorMs ?? ELSEWHERE_RTT_MS });
  const compared = `${labelOf(situation.considers)} compared with ${labelOf(situation.uses)}`;
  const subject = [compared, fullTest.conditionOf?.(situation), line.at].filter(Boolean).join(', ');
  const { topic, overhead } = /** @type {any} */ (line.finding ?? {});
  return {
    experiment: name,
    subject: subject.slice(0, MAX.subject),
    mark: line.mark,
    word: line.word.slice(0, MAX.word),
    ...(topic && { topic }),
    ...(line.amount && { amount: line.amount }),
    ...(overhead && { overhead }),
    ...(trustFactsOf(experiment, document, scoped).some(isWeighty) && { isDoubtful: true }),
  };
}

/**
 * The usual situation, with what a plan compares.
 * @param {Pick<Answering, 'experiment' | 'document'>} run @returns {Situation}
 */
function situationOf({ experiment, document: { plan } }) {
  const transports = /** @type {Planned} */ (experiment).transportsOf?.(plan) ?? plan.transports ?? [];
  const candidates = Object.keys(SITUATION_FIELDS.considers.choices);
  const usual = /** @type {Situation} */ (parseFields(new URLSearchParams(), SITUATION_FIELDS));
  // The transport that is considered if nothing else is chosen comes first.
  const considers = [usual.considers, ...candidates].find((name) => transports.includes(name));
  return { ...usual, uses: findBaseline(transports) ?? usual.uses, considers: considers ?? usual.considers };
}

/** @param {Answering} run @param {Situation} situation @returns {string[]} */
function fallbacksIn({ experiment, document }, { considers }) {
  const trials = trialsOf(/** @type {Described} */ (experiment), document);
  return trials
    .filter((trial) => methodOf(experiment, trial) === considers && isFallback(considers, trial.protocol))
    .map(({ protocol }) => protocol);
}
