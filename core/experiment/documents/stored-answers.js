/**
 * The answers of a run as digests store them: each question's verdict and figure at the place where it was measured. A run on one
 * machine or network also stores what it predicts for users elsewhere.
 */
import { capitalize, formatRtt, uncapitalize } from '../../base/format.js';
import { isFallback } from '../answer/fallback.js';
import { labelOf } from '../answer/labels.js';
import { formatAmount, UNITS } from '../answer/answer.js';
import { CONFIDENCE, findBaseline } from '../answer/compare.js';
import { VERDICTS, MARKS } from '../answer/verdict.js';
import { ELSEWHERE_RTT_MS } from '../run/scope.js';
import { parseFields } from '../plan/fields.js';
import { SITUATION_FIELDS } from '../plan/situation.js';
import { methodOf } from '../run/trials.js';
import { isWeighty } from '../run/trust.js';

/**
 * @import { Experiment, Findings } from '../contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { Amount, Estimate, OwnAnswer } from '../answer/answer.js'
 * @import { Verdict } from '../answer/verdict.js'
 * @import { Situation } from '../plan/situation.js'
 * @typedef {OutputOf<typeof answerSchema>} StoredAnswer
 * @typedef {{ experiment: Experiment, findings: Findings }} Answering a run
 */

const TOPICS = Object.freeze(/** @type {const} */ (['sending', 'news']));

/** The limits of its texts, in characters. */
const MAX = Object.freeze({ name: 40, subject: 160, word: 100, at: 60 });

/** Creates the schema of a stored answer. @param {Valibot} v */
export function answerSchema(v) {
  const text = (/** @type {number} */ max) => v.pipe(v.string(), v.maxLength(max));
  const said = {
    mark: v.picklist(MARKS),
    word: text(MAX.word),
    verdict: v.optional(
      v.pipe(v.picklist(VERDICTS), v.description('Of what is compared; absent if the word says more')),
    ),
    amount: v.optional(
      v.strictObject({
        value: v.number(),
        unit: v.picklist(/** @type {(keyof typeof UNITS)[]} */ (Object.keys(UNITS))),
        total: v.optional(v.number()),
        low: v.optional(v.pipe(v.number(), v.description('Its interval, with `high`'))),
        high: v.optional(v.number()),
        confidence: v.optional(v.pipe(v.number(), v.description('Of the interval; absent for 0.95'))),
        at: v.optional(text(MAX.at)),
      }),
    ),
  };
  return v.strictObject({
    experiment: text(MAX.name),
    subject: v.pipe(
      text(MAX.subject),
      v.description('What it compares; figures of different subjects are not comparable'),
    ),
    topic: v.optional(v.picklist(TOPICS)),
    ...said,
    elsewhere: v.optional(
      v.pipe(
        v.strictObject({ rttMs: v.number(), ...said }),
        v.description('What a run on one machine or network predicts for users at this round-trip time'),
      ),
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
 * Says in a few words what a run found: of news if it can, as that differs by most, else of sending.
 * @param {{ answers?: readonly StoredAnswer[] }} digest @param {boolean} isElsewhere whether only what it predicts says anything of users
 * @returns {string | undefined} such as 'news 0.55 s sooner'; absent for a run that answers neither
 */
export function sayBriefly({ answers = [] }, isElsewhere) {
  const [answer] = /** @type {const} */ (['news', 'sending']).flatMap(
    (topic) => answers.find((one) => one.topic === topic && !one.isDoubtful && (one.elsewhere || !isElsewhere)) ?? [],
  );
  if (!answer) return undefined;
  const { mark, word, amount } = answer.elsewhere ?? answer;
  const where = answer.elsewhere ? `, predicted ${formatRtt(answer.elsewhere.rttMs)} ms away` : '';
  const figure =
    amount && (mark === 'better' || mark === 'worse') && formatAmount({ ...amount, value: Math.abs(amount.value) });
  const said = uncapitalize(word).replace(/^same/, 'the same');
  const words = answer.topic === 'news' ? [figure, said] : figure ? [figure, 'as fast'] : [said];
  return `${answer.topic} ${words.filter(Boolean).join(' ')}${where}`;
}

/**
 * @param {readonly Answering[]} runs whose experiments can be a part of a full test; others answer no question
 * @param {Situation} [situation] of the whole; absent: one that their plans compare
 * @returns {{ answers?: StoredAnswer[], fallback?: string }} for a digest; `fallback`: the protocol of what was considered, where
 *   a WebSocket did not work
 */
export function storedAnswersOf(runs, situation) {
  const answers = runs.flatMap((run) => storedAnswerOf(run, situation ?? situationOf(run)) ?? []);
  const protocols = new Set(runs.flatMap((run) => fallbacksIn(run, situation ?? situationOf(run))));
  return {
    ...(answers.length > 0 && { answers }),
    ...(protocols.size > 0 && { fallback: [...protocols].sort().join(' and ') }),
  };
}

/** @param {Answering} run @param {Situation} situation @returns {StoredAnswer | undefined} */
function storedAnswerOf({ experiment, findings }, situation) {
  const { summary, part, floorMs, scope, report } = findings;
  const { fullTest } = experiment;
  if (!fullTest || part.ending) return undefined;
  // Runs are compared as they were measured.
  const own = { ...situation, device: 'like-this' };
  const answer = fullTest.answer(summary, { ...own, rttMs: floorMs ?? ELSEWHERE_RTT_MS });
  const subject = subjectOf(answer, situation);
  const far = fullTest.answer(summary, { ...own, rttMs: ELSEWHERE_RTT_MS });
  const isPredicted =
    scope !== 'path' && answer.topic && !far.onlyHere && far.topic && subjectOf(far, situation) === subject;
  return {
    experiment: experiment.name,
    subject: subject.slice(0, MAX.subject),
    ...toStored(answer),
    ...(answer.topic && { topic: answer.topic }),
    ...(answer.overhead && { overhead: answer.overhead }),
    ...(isPredicted && { elsewhere: { rttMs: ELSEWHERE_RTT_MS, ...toStored(far) } }),
    ...(report.trust.some(isWeighty) && { isDoubtful: true }),
  };
}

/** @param {OwnAnswer} answer @param {Situation} situation @returns {string} what it compares */
function subjectOf({ news, compares, dependsOn, at }, { uses, considers }) {
  // Of news, the figure is that of the method that is recommended.
  const subject = news ? capitalize(news.best.name) : labelOf(considers);
  return [compares ?? `${subject} compared with ${labelOf(uses)}`, dependsOn, at].filter(Boolean).join(', ');
}

/** @param {OwnAnswer} answer @returns {Verdict & { amount?: StoredAnswer['amount'] }} */
function toStored({ mark, word, verdict, ...figure }) {
  const amount = amountOf(figure);
  return { mark, word: word.slice(0, MAX.word), ...(verdict && { verdict }), ...(amount && { amount }) };
}

/** @param {Estimate & { at?: string }} answer @returns {Amount | null} */
function amountOf({ amount, estimate: value, low, high, confidence = CONFIDENCE, total, unit: given }) {
  if (amount !== undefined || value === undefined || !given) return amount ?? null;
  const unit = /** @type {Amount['unit']} */ (given);
  const hasInterval = [low, high].every(Number.isFinite);
  return {
    value,
    ...(total !== undefined && { total }),
    unit,
    ...(hasInterval && { low, high, ...(confidence !== CONFIDENCE && { confidence }) }),
  };
}

/**
 * The default situation, with what a plan compares.
 * @param {Answering} run @returns {Situation}
 */
function situationOf({ experiment, findings }) {
  const { plan } = findings.part;
  const transports = experiment.transportsOf?.(plan) ?? plan.transports ?? [];
  const candidates = Object.keys(SITUATION_FIELDS.considers.choices);
  const usual = /** @type {Situation} */ (parseFields(new URLSearchParams(), SITUATION_FIELDS));
  // The transport that is considered if nothing else is chosen comes first.
  const considers = [usual.considers, ...candidates].find((name) => transports.includes(name));
  return { ...usual, uses: findBaseline(transports) ?? usual.uses, considers: considers ?? usual.considers };
}

/** @param {Answering} run @param {Situation} situation @returns {string[]} */
function fallbacksIn({ experiment, findings }, { considers }) {
  return findings.part.trials
    .filter((trial) => methodOf(experiment, trial) === considers && isFallback(considers, trial.protocol))
    .map(({ protocol }) => protocol);
}
