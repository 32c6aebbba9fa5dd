/**
 * The verdict: what an interval says by a rule, in a word, and the mark that this is to a visitor who considers what was compared. Every
 * card, table, colour and sentence has its verdict from here; the intervals are made in compare.js.
 */
import { capitalize, DASH, formatRange, formatRatio, formatRtt, listOf } from '../../base/format.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @typedef {keyof typeof VERDICT_LABELS} VerdictName
 * @typedef {{ ratio?: Interval, verdict?: VerdictName, neededBlocks?: number, blockCount?: number }} Judged `ratio`: absent below two
 *   blocks; `verdict`: below the rule's; `neededBlocks`: an estimate of the number needed, if it is unclear
 * @typedef {{ labels?: Readonly<Record<VerdictName, string>>, than?: string, isBrief?: boolean }} VerdictWords `than`: behind the
 *   label, such as ' than AJAX'; `isBrief`: without figures
 *
 * @typedef {object} Verdict
 * @property {(typeof MARKS)[number]} mark for a visitor who considers the subject
 * @property {string} word such as 'Sooner'
 * @property {VerdictName} [verdict] on the subject; absent if it is no comparison, or too little was measured
 *
 * @typedef {'noticed' | 'not noticed' | 'not shown'} Notice of a difference by users
 */

/** The factor within which two transports are the same for most purposes. */
export const SAME_RATIO = 1.1;
export const SAME_PERCENT = Math.round((SAME_RATIO - 1) * 100);

/** @param {number} ms round-trip time @returns {string} from which on a choice does not matter: a clause */
export const nameSameDistance = (ms) => `within ${SAME_PERCENT}% beyond ${formatRtt(ms)} ms`;

export const VERDICT_LABELS = Object.freeze({
  same: `same within ${SAME_PERCENT}%`,
  faster: 'faster',
  slower: 'slower',
  'little-faster': 'a little faster',
  'little-slower': 'a little slower',
  unclear: 'no clear difference',
});
export const VERDICTS = /** @type {readonly VerdictName[]} */ (Object.keys(VERDICT_LABELS));

export const RATE_LABELS = Object.freeze({
  ...VERDICT_LABELS,
  faster: 'higher',
  slower: 'lower',
  'little-faster': 'a little higher',
  'little-slower': 'a little lower',
});

/** What is compared by its delay is not faster, but sooner. */
export const DELAY_LABELS = Object.freeze({
  ...VERDICT_LABELS,
  faster: 'sooner',
  slower: 'later',
  'little-faster': 'a little sooner',
  'little-slower': 'a little later',
});

/**
 * Returns the verdict of an interval: beyond the margin, within it, or across its limit, on one side of 1 or on both. So a
 * wider interval around the same centre never turns a verdict into "faster" or "slower".
 * @param {{ low: number, high: number }} speedRatio @returns {VerdictName}
 */
export function verdictOf({ low, high }) {
  if (low > SAME_RATIO) return 'faster';
  if (high < 1 / SAME_RATIO) return 'slower';
  if (low > 1 / SAME_RATIO && high < SAME_RATIO) return 'same';
  if (low > 1) return 'little-faster';
  return high < 1 ? 'little-slower' : 'unclear';
}

/** Checks whether a ratio is within the margin. @param {number} ratio */
export const isSmall = (ratio) => ratio < SAME_RATIO && ratio > 1 / SAME_RATIO;

/** Checks whether one of the two is faster by more than the margin. @param {Judged} judged */
export const isBeyondMargin = ({ verdict }) => verdict === 'faster' || verdict === 'slower';

/** Checks whether one of the two is faster, perhaps by less than the margin. @param {Judged} judged */
export const isLittle = ({ verdict }) => verdict === 'little-faster' || verdict === 'little-slower';

/** `unclear`: also without a verdict; `none`: not measured. */
export const MARKS = Object.freeze(/** @type {const} */ (['better', 'same', 'worse', 'unclear', 'none']));

/** @type {Readonly<Record<VerdictName, Verdict['mark']>>} */
const MARK_OF = Object.freeze({
  faster: 'better',
  same: 'same',
  'little-faster': 'same',
  'little-slower': 'same',
  slower: 'worse',
  unclear: 'unclear',
});

/**
 * What a verdict is to a visitor who considers what was compared: a little faster is no reason to move; if it may be much
 * faster, it is unclear.
 * @param {Judged} judged with a verdict @returns {Verdict['mark']}
 */
export const markOf = ({ verdict, ratio }) =>
  isLittle({ verdict }) && ratio && !isSmall(ratio.estimate)
    ? 'unclear'
    : MARK_OF[/** @type {VerdictName} */ (verdict)];

/**
 * Says what was judged: 'No verdict', unclear, if there is none. What is marked as unclear claims nothing.
 * @param {Judged} judged @param {VerdictWords['labels']} [labels] @returns {Verdict}
 */
export function say(judged, labels) {
  const { verdict } = judged;
  if (!verdict) return { mark: 'unclear', word: 'No verdict' };
  const mark = markOf(judged);
  const isOpen = mark === 'unclear' && isLittle(judged);
  const word = isOpen ? askBeyondMargin(verdict, labels) : capitalize(nameVerdict(judged, { labels }));
  return { mark, word, verdict };
}

/** @param {VerdictName} verdict that may be far beyond the margin, or not @param {VerdictWords['labels']} [labels] */
const askBeyondMargin = (verdict, labels = VERDICT_LABELS) =>
  `Unclear if over ${SAME_PERCENT}% ${labels[verdict === 'little-faster' ? 'faster' : 'slower']}`;

/** Says what the interval of a ratio means. @param {Interval} ratio @returns {Verdict} */
export const sayRatio = (ratio) => say({ verdict: verdictOf(ratio), ratio });

/**
 * Says who is notified sooner: 'Sooner', better, or 'Later', worse, if all of the interval is on one side of 0.
 * @param {{ low: number, high: number }} soonerMs @returns {Verdict}
 */
export function saySooner({ low, high }) {
  if (low > 0) return { mark: 'better', word: 'Sooner' };
  return high < 0 ? { mark: 'worse', word: 'Later' } : { mark: 'unclear', word: 'No clear difference' };
}

/**
 * Compares all of an interval with what users notice: noise widens it, and so never makes a difference noticed.
 * @param {{ low: number, high: number }} differenceMs @param {number} mattersMs @returns {Notice}
 */
export const noticeOf = ({ low, high }, mattersMs) =>
  low >= mattersMs ? 'noticed' : high < mattersMs ? 'not noticed' : 'not shown';

/**
 * What is too little to notice is no reason to move or to stay: its word says so.
 * @template {Verdict} T @param {T} said what is better or worse @returns {T}
 */
export const asUnnoticed = (said) => ({ ...said, mark: 'same', word: `${said.word}, unnoticed` });

/**
 * Says of what is better or worse if nobody notices it.
 * @template {Verdict} T @param {T} said @param {{ low: number, high: number }} gainMs @param {number} mattersMs @returns {T}
 */
export function sayNoticed(said, gainMs, mattersMs) {
  if (said.mark !== 'better' && said.mark !== 'worse') return said;
  const difference = said.mark === 'better' ? gainMs : { low: -gainMs.high, high: -gainMs.low };
  const isNoticed = noticeOf(difference, mattersMs) !== 'not noticed';
  return isNoticed ? said : asUnnoticed(said);
}

/**
 * Says a verdict, as in 'faster', or 'a little faster (at most 12%)': by the end of the interval that is farther from 1.
 * @param {Judged} judged with a verdict @param {VerdictWords} [words]
 */
export const nameVerdict = ({ verdict, ratio }, words) =>
  nameVerdicts(/** @type {VerdictName} */ (verdict), ratio ? [ratio] : [], words);

/**
 * Says the verdict that several have. What is a little faster, by an estimate beyond the margin, may be much faster.
 * @param {VerdictName} verdict @param {readonly Interval[]} ratios of each, or none for the bare label @param {VerdictWords} [words]
 */
export function nameVerdicts(verdict, ratios, { labels = VERDICT_LABELS, than = '', isBrief = false } = {}) {
  const label = `${labels[verdict]}${than}`;
  if (!isLittle({ verdict }) || ratios.length === 0) return label;
  if (!ratios.every(({ estimate }) => isSmall(estimate))) return `at least ${label}`;
  return isBrief ? label : `${label} (${describeMost(ratios)})`;
}

/** @param {readonly Interval[]} ratios @returns {string} as in 'at most 12%' */
export function describeMost(ratios) {
  const most = Math.max(...ratios.flatMap(({ low, high }) => [high, 1 / low]));
  return `at most ${Math.round(100 * (most - 1))}%`;
}

/**
 * Formats a verdict, as in 'faster: 2.0x (95% CI 1.5–2.7)'; a dash without one.
 * @param {Judged} [judged] @param {Readonly<Record<VerdictName, string>>} [labels]
 */
export function formatJudged(judged, labels = VERDICT_LABELS) {
  if (!judged?.verdict || !judged.ratio) return DASH;
  const { verdict, ratio } = judged;
  const factor = verdict !== 'unclear' && !isSmall(ratio.estimate) ? `: ${formatRatio(ratio)}` : '';
  return `${nameVerdict(judged, { labels, isBrief: true })}${factor} (95% CI ${formatRange(ratio)})`;
}

/**
 * Describes several verdicts, as in 'SockJS is 2.0x as fast as AJAX (95% CI 1.5–2.7); fetch shows no clear difference
 * from AJAX'.
 * @param {readonly { name: string, judged: Judged }[]} factors
 * @param {{ verb: string, what: string, more: string, less: string, baseline?: string }} words before a factor, and after it,
 *   such as 'as fast'; `more`, `less`: without one, such as 'faster'; `baseline`: absent if each is compared with itself
 */
export function describeFactors(factors, { verb, what, more, less, baseline }) {
  const clear = factors.flatMap(({ name, judged }) =>
    judged.ratio && isBeyondMargin(judged) ? { name, ratio: judged.ratio } : [],
  );
  const figures = clear.map(({ name, ratio }) => `${name} ${verb} ${formatRatio(ratio)}`);
  const ci = clear.length === 1 ? ` (95% CI ${formatRange(clear[0].ratio)})` : '';
  const namesOf = (/** @type {VerdictName | undefined} */ verdict) =>
    factors.filter(({ judged }) => judged.verdict === verdict).map(({ name }) => name);
  const labels = { ...VERDICT_LABELS, 'little-faster': `a little ${more}`, 'little-slower': `a little ${less}` };
  const [than, as] = baseline ? [` than ${baseline}`, ` as ${baseline}`] : ['', ''];
  const little = factors
    .filter(({ judged }) => isLittle(judged))
    .map(({ name, judged }) => `${name} ${verb} ${nameVerdict(judged, { labels, than })}`);
  const others = /** @type {const} */ (['same', 'unclear']).flatMap((verdict) => {
    const names = namesOf(verdict);
    return names.length > 0 ? [describeAlike(names, verdict, { verb, what, baseline })] : [];
  });
  const unjudged = namesOf(undefined);
  return [
    ...(figures.length > 0 ? [`${listOf(figures)} ${what}${as}${ci}`] : []),
    ...little,
    ...others,
    ...(unjudged.length > 0 ? [`there is not enough data for ${listOf(unjudged)}`] : []),
  ].join('; ');
}

/**
 * @param {readonly string[]} names @param {'same' | 'unclear'} verdict on all
 * @param {{ verb: string, what: string, baseline?: string }} words
 */
function describeAlike(names, verdict, { verb, what, baseline }) {
  const [is, shows] = names.length === 1 ? ['is', 'shows'] : ['are', 'show'];
  if (verdict === 'unclear')
    return `${listOf(names)} ${shows} no clear difference${baseline ? ` from ${baseline}` : ''}`;
  if (baseline) return `${listOf(names)} ${is} the same as ${baseline} within ${SAME_PERCENT}%`;
  // Each is the same as itself, not as the others.
  return names.map((name) => `${name} ${verb} ${what}, within ${SAME_PERCENT}%`).join('; ');
}
