/** The part of the payload sizes in a full test: which transport is faster for larger messages. */
import { capitalize } from '../../base/format.js';
import { asUnnoticed, isBeyondMargin, VERDICT_LABELS } from '../../experiment/answer/verdict.js';
import { parseFields } from '../../experiment/plan/fields.js';
import { mattersIn } from '../../experiment/plan/situation.js';
import { answerJudged, withoutVerdict } from '../../experiment/answer/answer.js';
import { transferOf } from '../../net/transfer/index.js';
import { expectedMs } from './budget.js';
import { describeUnnoticed, formatSizes } from './findings.js';
import { FIELDS, formatSize, nameMessage } from './plan.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { VerdictName, Verdict } from '../../experiment/answer/verdict.js'
 * @import { Amount, OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Placed, Situation } from '../../experiment/plan/situation.js'
 * @import { Sweep } from './plan.js'
 * @import { PayloadRow } from './summary.js'
 * @typedef {PayloadRow & { verdict: VerdictName, ratio: Interval, blockCount: number, confidence: number }} JudgedRow
 */

/** Few sizes, and no echoes, which are an upload and a download: visitors may pay for each byte. */
const SIZES = [1000, 100_000, 1_000_000];

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Payload size',
  about: `Which is faster for messages of ${SIZES.map(formatSize).join(', ')}.`,
  quickPlan,
  secondsOf: (plan, roundTripMs, path) => Math.ceil(expectedMs(plan, roundTripMs, path) / 1000),
  answer,
};

/** @param {Situation} situation @param {{ seed: number }} path @returns {Sweep} */
function quickPlan({ uses, considers }, { seed }) {
  const transports = [uses, considers].map((name) => transferOf(name).name);
  return {
    ...parseFields(new URLSearchParams(), FIELDS, { seed }),
    transports,
    directions: ['up', 'down'],
    sizes: SIZES,
  };
}

/**
 * Answers for a situation at which size and in which direction a transport differs.
 * @param {readonly PayloadRow[]} found @param {Placed} situation @returns {OwnAnswer}
 */
function answer(found, situation) {
  const { uses, considers } = situation;
  const own = rowsOf(found, considers);
  const sizes = sizesOf(found);
  const used = rowsOf(found, uses);
  const [failed, failedToo] = [own, used].map((rows) => rows.filter(({ failures }) => failures.length > 0));
  const both = failed.filter((row) => failedToo.some((other) => isSame(other, row)));
  const alone = failed.filter((row) => !both.includes(row));
  const largest = largestOf(own);
  const at = largest && nameMessage(largest);
  if (alone.length > 0) return { ...describeFailures(alone, { sizes, considers }), at };
  const missing = failedToo.length > 0 ? describeMissing({ uses, considers }, { failedToo, both, sizes }) : '';
  // A linked plan may compare with something else.
  const isCompared = used.every(({ comparison }) => !comparison);
  const judged = isCompared ? own.flatMap(judgedOf) : [];
  if (judged.length === 0) return { ...withoutVerdict(missing || 'Too few measurements, or too coarse a clock.'), at };
  const notable = judged.filter(isBeyondMargin);
  const shown = farthestOf(notable.length > 0 ? notable : judged);
  const where = formatSizes(sizesOf(notable), sizes);
  const compared = answerJudged({ subject: considers, baseline: uses, unit: 'times-as-fast', at }, shown);
  const said = {
    ...compared,
    word: isBeyondMargin(shown) && where ? `${compared.word} ${where}` : compared.word,
    ...summarizeVerdicts(judged, notable),
  };
  const unnoticed = describeUnnoticed(judged, mattersIn(situation).messageMs);
  return {
    ...(unnoticed.length > 0 && said.mark !== 'unclear' ? asUnnoticed(said) : said),
    amount: amountOf(judged.find((row) => isSame(row, largest))),
    reason: [
      `${capitalize(nameMessage(shown))} differs most.`,
      describeAll(judged),
      ...unnoticed,
      ...(missing ? [missing] : []),
    ].join(' '),
  };
}

/** @typedef {{ size: number, direction: PayloadRow['direction'] }} Where */

/**
 * The largest size is the same in all runs of a plan: which one differs most may vary from run to run.
 * @param {readonly PayloadRow[]} rows @returns {PayloadRow | undefined}
 */
const largestOf = (rows) =>
  rows.reduce((/** @type {PayloadRow | undefined} */ a, b) => (a && b.size < a.size ? a : b), undefined);

/** @param {Where} a @param {Where | undefined} b */
const isSame = (a, b) => a.size === b?.size && a.direction === b.direction;

/** @param {JudgedRow | undefined} judged @returns {Amount | null} its ratio */
function amountOf(judged) {
  if (!judged) return null;
  const { ratio, confidence } = judged;
  const { estimate: value, low, high } = ratio;
  return { value, low, high, confidence, unit: 'times-as-fast', at: nameMessage(judged) };
}

/**
 * @param {readonly JudgedRow[]} judged @param {readonly JudgedRow[]} notable
 * @returns {Verdict | undefined} if not that of the row that differs most
 */
function summarizeVerdicts(judged, notable) {
  const kinds = new Set((notable.length > 0 ? notable : judged).map(({ verdict }) => verdict));
  if (notable.length > 0) return kinds.size > 1 ? MIXED : undefined;
  return kinds.size > 1 || kinds.has('unclear') ? UNCLEAR : undefined;
}

/** @type {Verdict} */
const UNCLEAR = { mark: 'unclear', word: 'No clear difference', verdict: 'unclear' };
/** @type {Verdict} */
const MIXED = { mark: 'unclear', word: 'Depends on the message', verdict: undefined };

/** @param {readonly PayloadRow[]} rows @param {string} transport */
const rowsOf = (rows, transport) => rows.filter((row) => row.transport === transferOf(transport).name);

/** @param {readonly PayloadRow[]} rows @returns {number[]} rising */
const sizesOf = (rows) => [...new Set(rows.map(({ size }) => size))].sort((a, b) => a - b);

/** @param {PayloadRow} row @returns {JudgedRow[]} none without a verdict */
function judgedOf(row) {
  const { verdict, ratio, confidence, blockCount } = row.comparison ?? {};
  return verdict && ratio && blockCount !== undefined && confidence !== undefined
    ? [{ ...row, verdict, ratio, confidence, blockCount }]
    : [];
}

/** @param {readonly JudgedRow[]} rows */
const farthestOf = (rows) =>
  rows.reduce((a, b) => (Math.abs(Math.log(b.ratio.estimate)) > Math.abs(Math.log(a.ratio.estimate)) ? b : a));

/** @param {readonly JudgedRow[]} judged @returns {string} a sentence */
function describeAll(judged) {
  const verdicts = /** @type {const} */ (['faster', 'little-faster', 'same', 'little-slower', 'slower', 'unclear']);
  const counts = verdicts.flatMap((verdict) => {
    const { length } = judged.filter((row) => row.verdict === verdict);
    return length > 0 ? `${length} ${VERDICT_LABELS[verdict]}` : [];
  });
  return `Of ${judged.length} comparisons: ${counts.join(', ')}.`;
}

/**
 * Says where the transport that is used now failed, which leaves nothing to compare there.
 * @param {Pick<Situation, 'uses' | 'considers'>} situation
 * @param {{ failedToo: readonly PayloadRow[], both: readonly PayloadRow[], sizes: readonly number[] }} rows @returns {string} a sentence
 */
function describeMissing({ uses, considers }, { failedToo, both, sizes }) {
  const [now, then] = [uses, considers].map((name) => transferOf(name).label);
  return both.length > 0
    ? `${now} and ${then} fail ${formatSizes(sizesOf(both), sizes)}.`
    : `${now} fails ${formatSizes(sizesOf(failedToo), sizes)}, ${then} does not.`;
}

/**
 * @param {readonly PayloadRow[]} failed where the other one worked @param {{ sizes: readonly number[], considers: string }} run
 * @returns {OwnAnswer}
 */
function describeFailures(failed, { sizes, considers }) {
  const { sendLimit } = transferOf(considers);
  const isBeyond = failed.some(({ size, direction }) => sendLimit && direction !== 'down' && size > sendLimit.bytes);
  return {
    mark: 'worse',
    word: `Fails ${formatSizes(sizesOf(failed), sizes)}`,
    reason: isBeyond ? String(sendLimit?.reason) : capitalize(failed[0].failures[0].message),
  };
}
