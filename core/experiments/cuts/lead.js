/** The card of a run of cuts: what each method lost, or how late its latest message came. */
import { formatCount, formatTenths, uncapitalize } from '../../base/format.js';
import { withoutVerdict } from '../../experiment/answer/answer.js';
import { FEED_LABELS } from '../../net/feed/index.js';
import { toBars } from '../../picture/bars.js';
import { nameCut } from './plan.js';
import { aboutOf, endOf, formatLength, isUntested, latestOf, lossMsOf, nameWithInterval } from './words.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { CutsRow, CutsSummary } from './summary.js'
 */

/**
 * Shows the method that lost most, or was latest, beside all others of the cut that the conclusion is about.
 * @param {CutsSummary} summary @returns {OwnReport['lead']} absent where there is nothing to compare
 */
export function leadOf(summary) {
  const { rows, plan } = summary;
  const own = rows.filter(({ cut }) => cut === aboutOf(summary)?.cut);
  if (own.length < 2) return undefined;
  const isGone = (/** @type {CutsRow} */ row) => endOf(row, plan) === 'gone';
  const hasLosses = own.some(({ lost }) => Number(lost?.max) > 0);
  const msOf = hasLosses ? (/** @type {CutsRow} */ row) => lossMsOf(row, plan) : latestOf;
  // Some were lost, but in less than half of the blocks: no bar would be longer than another.
  if (hasLosses && own.every((row) => msOf(row) === 0)) return undefined;
  const sorted = own.toSorted((one, other) => msOf(one) - msOf(other));
  const [best, worst] = [sorted[0], sorted[sorted.length - 1]];
  const by = `with ${uncapitalize(FEED_LABELS[worst.delivery])}`;
  return {
    ...verdictOf(summary, hasLosses),
    subject: worst.delivery,
    baseline: best.delivery,
    at: `${uncapitalize(nameCut(worst))}${formatLength(worst, plan)}`,
    estimate: msOf(worst) / 1000,
    ...(hasLosses
      ? { unit: 'lost-seconds', condition: `${isGone(worst) ? 'or more ' : ''}of messages lost ${by}` }
      : { unit: 'late-seconds', condition: `longest delay${plan.blocks > 1 ? ', median' : ''}, ${by}` }),
    bars: toBars(
      own.map((row) => ({
        name: nameWithInterval(row, plan),
        value: msOf(row),
        figure: `${formatTenths(msOf(row))}${hasLosses && isGone(row) ? ' or more' : ''}`,
        colour: `feed-${row.delivery}`,
      })),
    ),
    barsTitle: `${hasLosses ? 'Seconds of messages lost' : 'Longest delay of a message'}, ${plan.blocks > 1 && !own.some(isGone) ? 'median of ' : ''}${formatCount(plan.blocks, 'block')}`,
  };
}

/** @param {CutsSummary} summary @param {boolean} hasLosses */
function verdictOf(summary, hasLosses) {
  if (hasLosses) return /** @type {const} */ ({ mark: 'worse', word: 'Messages lost' });
  return isUntested(summary) ? withoutVerdict('') : /** @type {const} */ ({ mark: 'better', word: 'None lost' });
}
