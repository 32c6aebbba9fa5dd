/** Answers on a run's own page how a push compares with every other method. */
import { formatCount } from '../../base/format.js';
import { answerJudged } from '../../experiment/answer/answer.js';
import { barsBetween } from '../../experiment/answer/answer-card.js';
import { labelOfDelivery } from '../../experiment/answer/labels.js';

/**
 * @import { Compared, OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { JobsRow } from './summary.js'
 */

/** What the bars of a run are. */
export const BARS_TITLE = 'Mean notification latency';

/** Names a method that push is compared with. @param {{ delivery: string, intervalMs?: number }} row */
export const nameBaseline = ({ delivery, intervalMs }) => [delivery, intervalMs].filter(Boolean).join(' ');

/** @param {readonly JobsRow[]} rows @returns {(OwnAnswer & Compared)[]} of a push with every other method */
export function answersOf(rows) {
  const subject = rows.find(({ isSubject }) => isSubject);
  return rows.flatMap(({ delivery, intervalMs, lag, comparison }) => {
    if (!comparison || !subject) return [];
    const { latency, differenceInterval, pairedJobCount } = comparison;
    const what = { subject: subject.delivery, baseline: nameBaseline({ delivery, intervalMs }) };
    const sides = /** @type {const} */ ([
      { name: delivery, value: lag.meanMs },
      { name: subject.delivery, value: subject.lag.meanMs },
    ]);
    const nameOf = (/** @type {string} */ name) => labelOfDelivery(name, name === delivery ? intervalMs : undefined);
    const bars = barsBetween(...sides, { prefix: 'delivery-', nameOf });
    const basis = pairedJobCount ? { basis: `from ${formatCount(pairedJobCount, 'job')}` } : {};
    return [
      {
        ...answerJudged({ ...what, unit: 'sooner-ms', bars, barsTitle: BARS_TITLE }, latency),
        ...differenceInterval,
        ...basis,
      },
    ];
  });
}
