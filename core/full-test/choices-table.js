/** “Which interval would do?”: the table of what lies between polling as now and push, of one visible page. */
import { DASH, formatBytes, formatDelay, formatSpan, listOf, uncapitalize } from '../base/format.js';
import { mattersIn } from '../experiment/plan/situation.js';
import { words } from '../experiment/report/table.js';

/**
 * @import { NewsChoice } from '../experiment/answer/answer.js'
 * @import { Table, TableLook } from '../experiment/report/table.js'
 * @typedef {{ newsMs: number, lateMs: number, newsMattersMs: number }} Wanted of a situation
 */

/** @param {number} [ms] */
const delayOrDash = (ms) => (ms === undefined ? DASH : formatDelay(ms));

/**
 * Says when a choice would do, as {@link NewsChoice} has it.
 * @param {Wanted} wanted @returns {string} a sentence
 */
function describeLimit(wanted) {
  const { lateMs } = wanted;
  const often = lateMs > 0 ? `polls at least every ${formatSpan(lateMs)}, or ` : '';
  const { newsMs } = mattersIn(wanted);
  return `“Yes”: ${often}shows news less than ${formatSpan(newsMs)} later than push, on average.`;
}

/**
 * Says what would do, as the table's lead.
 * @param {readonly NewsChoice[]} choices @param {(choice: NewsChoice) => boolean} isAdvised @returns {string} sentences
 */
function describeChoices(choices, isAdvised) {
  const advised = choices.filter(isAdvised).map(({ name }) => `Recommended: ${name}.`);
  const others = choices.filter((one) => one.wouldDo && !isAdvised(one)).map(({ name }) => uncapitalize(name));
  return [...advised, ...(others.length > 0 ? [`Also soon enough: ${listOf(others)}.`] : [])].join(' ');
}

/**
 * @param {{ choices: readonly NewsChoice[], assumed: string }} news
 * @param {{ wanted: Wanted, isHere: boolean, newsBy?: string | number }} about
 *   `isHere`: for users where it was measured; `newsBy`: the delivery method or polling interval that is recommended
 * @returns {Table<NewsChoice> & TableLook & { lead: string }} `lead`: what would do, in sentences
 */
export function tabulateChoices({ choices, assumed }, { wanted, isHere, newsBy }) {
  /** @param {NewsChoice} choice @returns {string} such as '0.60 s (1.05 s), predicted' */
  const delayOf = ({ measured, ...predicted }) => {
    const isMeasured = isHere && measured !== undefined;
    const { meanMs, p90Ms } = isMeasured ? measured : predicted;
    return `${delayOrDash(meanMs)} (${delayOrDash(p90Ms)}), ${isMeasured ? 'measured' : 'predicted'}`;
  };
  const isAdvised = (/** @type {NewsChoice} */ { by }) => by === newsBy;
  return {
    heading: 'Which interval would do?',
    lead: describeChoices(choices, isAdvised),
    note: `${describeLimit(wanted)} For one visible page, with news every ${formatSpan(wanted.newsMs)}. Requests and bytes are calculated. ${assumed}`,
    columns: [
      { ...words('Delivery', ({ name, isNow }) => `${name}${isNow ? ' (now)' : ''}`), isKey: true },
      {
        ...words('Would it do?', (one) => (isAdvised(one) ? 'Recommended' : one.wouldDo ? 'Yes' : 'No')),
        answerMark: (one) => (isAdvised(one) ? 'better' : one.wouldDo ? 'same' : undefined),
      },
      { title: 'Mean delay of news (9 in 10 within)', value: delayOf },
      {
        title: 'Requests and messages per hour',
        value: ({ count }) => count,
        format: (count) => Math.round(count).toLocaleString('en'),
      },
      { title: 'Bytes per hour', value: ({ bytes }) => bytes, format: formatBytes },
    ],
    rows: choices,
  };
}
