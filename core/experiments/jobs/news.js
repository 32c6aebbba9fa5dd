/**
 * Finds what a run says of being notified: by each method how much sooner than by polling, and which method is the best. It predicts
 * that for users elsewhere, whose page asks at another interval: what was measured beyond half a polling period hardly depends on
 * distance or interval.
 */
import { labelOf, labelWithin } from '../../experiment/answer/labels.js';
import { mattersIn } from '../../experiment/plan/situation.js';
import { noticeOf } from '../../experiment/answer/verdict.js';
import { deliveries, pushOver } from '../../net/delivery/index.js';
import { transports } from '../../net/echo/index.js';
import { listChoices } from './choices.js';
import * as costs from './costs.js';
import { periodMsOf } from './prediction.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { NewsMethod, NewsMethods } from '../../experiment/answer/answer.js'
 * @import { Placed, Situation } from '../../experiment/plan/situation.js'
 * @import { Page } from './prediction.js'
 * @import { JobsRow } from './summary.js'
 */

/** The methods besides the considered socket, in their order around it: EventSource is the simplest that is a push. */
const [SIMPLEST, LAST] = ['sse', 'long-poll'];

/** @param {{ considers: string }} situation @returns {string[]} what may take the place of polling, the simplest first */
export const candidatesFor = ({ considers }) => [SIMPLEST, pushOver(considers).name, LAST];

/**
 * Finds the methods that notified of everything, and recommends one.
 * @param {readonly JobsRow[]} rows @param {Placed} situation @returns {NewsMethods | undefined} absent if none can be compared
 */
export function findNews(rows, situation) {
  const poll = rows.find(({ delivery }) => delivery === 'poll');
  if (!poll) return undefined;
  const candidates = candidatesFor(situation).flatMap((name) => {
    const row = rows.find(({ delivery }) => delivery === name);
    return row ? [{ row, name: nameOf(name, situation) }] : [];
  });
  const others = candidates.flatMap(({ row, name }) => {
    const method = methodOf({ row, name }, poll, situation);
    return method ? [{ row, method }] : [];
  });
  const methods = others.map(({ method }) => method);
  const considered = methods.find(({ delivery }) => delivery === pushOver(situation.considers).name);
  const best = recommend(methods, considered, situation);
  if (!best) return undefined;
  const simpler = candidates.slice(
    0,
    candidates.findIndex(({ name }) => name === best.name),
  );
  return {
    best,
    considered,
    failed: simpler.map(({ name }) => name).filter((name) => methods.every((one) => one.name !== name)),
    choices: listChoices({ poll, others }, situation),
    assumed: costs.describeAssumed(situation),
  };
}

/** @param {string} delivery @param {{ considers: string }} situation @returns {string} within a sentence */
function nameOf(delivery, { considers }) {
  if (delivery === SIMPLEST) return transports[deliveries[delivery].transport].library;
  return delivery === LAST ? labelWithin(delivery) : labelOf(considers);
}

/**
 * @param {{ row: JobsRow, name: string }} candidate @param {JobsRow} poll @param {Placed} situation
 * @returns {NewsMethod | undefined} absent if it did not notify of everything, or in too few blocks
 */
function methodOf({ row, name }, poll, situation) {
  const { delivery, notifiedCount, jobCount, comparison } = row;
  const gainMs = notifiedCount === jobCount ? predictGain(row, situation) : undefined;
  const requestBytes = costs.requestBytesOf(poll);
  const saving = costs.findSaving(
    costs.costsOf(delivery, situation, requestBytes),
    costs.pollCosts(situation, requestBytes),
  );
  return (
    gainMs && {
      ...gainMs,
      ...{ delivery, name, isPush: delivery !== LAST, isSimplest: delivery === SIMPLEST },
      ...(saving && { saving }),
      ...(comparison?.differenceInterval && { laterMs: comparison.differenceInterval }),
    }
  );
}

/**
 * Predicts how much sooner push is than polling: half a period and the rest of the measured difference, at most half a period, which is
 * all the delay that polling adds. What was measured beyond that is an error: the estimate moves to the limit, and the lower half of
 * its interval with it, which so never shrinks to a point there.
 * @param {{ besidePolling?: JobsRow['besidePolling'] }} push @param {Page} page
 * @returns {Interval | undefined} ms sooner than polling; absent if it was not compared in enough blocks
 */
export function predictGain({ besidePolling }, page) {
  const beyond = besidePolling?.beyondHalfPeriod;
  if (!beyond) return undefined;
  const mostMs = periodMsOf(page) / 2;
  return {
    estimate: mostMs + Math.min(0, beyond.estimate),
    low: mostMs + beyond.low - Math.max(0, beyond.estimate),
    high: mostMs + Math.min(0, beyond.high),
  };
}

/**
 * The first that is not later than polling, unless the considered one was shown to be sooner, as far as users notice.
 * @param {readonly NewsMethod[]} methods @param {NewsMethod | undefined} considered @param {Placed} situation
 */
function recommend(methods, considered, situation) {
  const first = methods.find(({ high }) => high >= 0) ?? methods[0];
  const isLater = first?.laterMs && noticeOf(first.laterMs, mattersIn(situation).newsMs) === 'noticed';
  return considered && isLater ? considered : first;
}

/**
 * Whether the intervals say of each method if users notice that it is sooner than polling, and later than the baseline.
 * @param {readonly JobsRow[]} rows @param {Page & Partial<Situation>} page
 */
export function isClear(rows, page) {
  const { newsMs } = mattersIn(page);
  const isAnswered = (/** @type {Interval | undefined} */ ms) => ms && noticeOf(ms, newsMs) !== 'not shown';
  const whole = rows.filter(
    ({ delivery, notifiedCount, jobCount }) => delivery !== 'poll' && notifiedCount === jobCount,
  );
  return (
    whole.length > 0 &&
    whole.every(
      (row) => isAnswered(predictGain(row, page)) && (!row.comparison || isAnswered(row.comparison.differenceInterval)),
    )
  );
}
