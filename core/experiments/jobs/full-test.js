/** The part of polling or push in a full test: which method to use, how much sooner users see news by it, and at what cost. */
import { capitalize, formatDelay, formatSpan } from '../../base/format.js';
import { withoutVerdict } from '../../experiment/answer/answer.js';
import { USUAL_LOOKS } from '../../experiment/plan/blocks.js';
import { isFallback } from '../../experiment/answer/fallback.js';
import { labelOf, labelWithin } from '../../experiment/answer/labels.js';
import { asksForNews, describeNews, mattersIn, needsPush, slownessIn } from '../../experiment/plan/situation.js';
import { noticeOf, SAME_RATIO, sayNoticed, saySooner } from '../../experiment/answer/verdict.js';
import { deliveries, pushOver } from '../../net/delivery/index.js';
import {
  costsOf,
  delayMsAfter,
  describeAssumed,
  hasTimer,
  pollCosts,
  pollDelayMsOf,
} from '../../net/delivery/model.js';
import { transports } from '../../net/echo/index.js';
import { namesOf } from '../../net/rows.js';
import { listChoices } from './choices.js';
import { estimateSeconds } from './plan.js';
import { predictGain, requestBytesOf } from './summary.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { Verdict } from '../../experiment/answer/verdict.js'
 * @import { Bars } from '../../picture/bars.js'
 * @import { NewsMethod, NewsMethods } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Costs } from '../../net/delivery/model.js'
 * @import { Placed, Situation } from '../../experiment/plan/situation.js'
 * @import { JobsPlan } from './plan.js'
 * @import { JobsRow } from './summary.js'
 */

/** The measured polling interval: a short one, as the model holds for any, and its noise grows with it. */
const INTERVAL_MS = 100;
/** The jobs are open at once: a browser has six connections to a server over HTTP/1.1. */
const JOB_COUNT = 4;
const LIMIT_MS = 10_000;
/** The methods besides the considered socket, in their order around it: EventSource is the simplest that is a push. */
const [SIMPLEST, LAST] = ['sse', 'long-poll'];

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Being notified',
  about: 'How much sooner users see news by push than by polling, and how many bytes that saves.',
  isNeeded: asksForNews,
  quickPlan,
  secondsOf: estimateSeconds,
  answer,
};

/** @param {Situation} situation @param {{ roundTripMs: number, seed: number }} path @returns {JobsPlan} */
function quickPlan(situation, { roundTripMs, seed }) {
  const chosen = ['poll', ...candidatesFor(situation)];
  // A round trip after jobs were created, streams are open. From then on they end evenly over a whole polling period: polling is
  // late by half a period on average, and by nearly as much in each block.
  const minMs = Math.round(roundTripMs);
  const maxMs = minMs + INTERVAL_MS + minMs;
  return {
    deliveries: [...namesOf(deliveries, ({ name }) => chosen.includes(name))],
    intervals: [INTERVAL_MS],
    users: 1,
    jobs: JOB_COUNT,
    arrangement: 'all',
    minMs,
    maxMs,
    ...(situation.newsBytes !== undefined && { newsBytes: situation.newsBytes }),
    spread: 'even',
    limitMs: LIMIT_MS,
    ...USUAL_LOOKS,
    seed,
  };
}

/** @param {{ considers: string }} situation @returns {string[]} what may take the place of polling, the simplest first */
const candidatesFor = ({ considers }) => [SIMPLEST, pushOver(considers).name, LAST];

/**
 * Answers for a situation how much sooner users see news.
 * @param {readonly JobsRow[]} rows @param {Placed} situation @returns {OwnAnswer}
 */
function answer(rows, situation) {
  const dependsOn = `polling every ${formatSpan(situation.intervalMs)}${hasTimer(situation) ? ' by a timer' : ''}`;
  return { dependsOn, ...answerNews(rows, situation) };
}

/** @param {readonly JobsRow[]} rows @param {Placed} situation @returns {OwnAnswer} */
function answerNews(rows, situation) {
  const news = findNews(rows, situation);
  if (!news) {
    const silent = rows.find(({ notifiedCount }) => notifiedCount === 0);
    return withoutVerdict(silent?.failureReasons[0]?.[0] ?? 'Too few blocks could be compared.');
  }
  const { considers, newsMs } = situation;
  const { delivery, name, saving, estimate, low, high } = news.best;
  const saved = saving ? `${saving.share} fewer ${saving.what}` : 'no clear saving';
  const row = rows.find((one) => one.delivery === delivery);
  const isConsidered = delivery === pushOver(considers).name;
  // It is mostly the wait for the next poll.
  const device = slownessIn(situation) > 1 ? ' Predicted for devices like the measuring one.' : '';
  return {
    ...sayNeeded(news.best, situation),
    ...{ estimate, low, high },
    unit: 'sooner-ms',
    count: row?.besidePolling?.blockCount,
    subject: isConsidered ? considers : delivery,
    reason: `${capitalize(name)}: ${saved}, with ${describeNews(situation)} every ${formatSpan(newsMs)}.${device}`,
    topic: 'news',
    bars: barsOf(news.best, situation),
    news,
    ...(isConsidered && isFallback(considers, row?.protocol) && { fallback: { protocol: String(row?.protocol) } }),
  };
}

/**
 * What is sooner, but not needed, or too little to notice, is no reason to move.
 * @param {NewsMethod} best @param {Placed} situation @returns {Verdict}
 */
function sayNeeded(best, situation) {
  const said = saySooner(best);
  if (said.mark === 'better' && !needsPush(situation)) return { mark: 'same', word: 'Sooner, not needed' };
  return sayNoticed(said, best, mattersIn(situation).newsMs);
}

/**
 * How late users see news on average.
 * @param {{ name: string, delivery: string, estimate: number }} method @param {Placed} situation
 * @returns {Bars}
 */
function barsOf({ name, delivery, estimate }, situation) {
  const bar = (/** @type {string} */ label, /** @type {number} */ ms, /** @type {string} */ by) =>
    Object.freeze({ name: label, value: ms, figure: formatDelay(ms), colour: `delivery-${by}` });
  return [
    bar(`Polling every ${formatSpan(situation.intervalMs)}`, pollDelayMsOf(situation), 'poll'),
    bar(capitalize(name), delayMsAfter(estimate, situation), delivery),
  ];
}

/**
 * Finds the methods that notified of everything, and recommends one.
 * @param {readonly JobsRow[]} rows @param {Placed} situation @returns {NewsMethods | undefined} absent if none can be compared
 */
function findNews(rows, situation) {
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
    assumed: describeAssumed(situation),
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
  const requestBytes = requestBytesOf(poll);
  const saving = findSaving(costsOf(delivery, situation, requestBytes), pollCosts(situation, requestBytes));
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
 * What is saved: of bytes, if they are known, as a message is less than a request.
 * @param {Costs} own @param {Costs} polling @returns {{ share: string, what: string } | undefined} absent if that is not much
 */
export function findSaving(own, polling) {
  const [ratio, what] =
    own.bytes && polling.bytes
      ? [polling.bytes / own.bytes, 'bytes']
      : [polling.count / own.count, 'requests and messages'];
  // A calculation is not exact enough for more.
  return ratio >= SAME_RATIO ? { share: `${Math.min(99, Math.round(100 - 100 / ratio))}%`, what } : undefined;
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
