/** The part of polling or push in a full test: how much sooner users see news, and at what cost. */
import { capitalize, formatSpan, percentLess } from '../../base/format.js';
import { MIN_BLOCKS, SAME_PERCENT, SAME_RATIO } from '../../experiment/compare.js';
import { saySooner, withoutVerdict } from '../../experiment/answer.js';
import { asksForNews, hasTimer, sendsMessages } from '../../experiment/situation.js';
import { deliveries, pushOver } from '../../net/delivery/index.js';
import { isFallback } from '../../experiment/labels.js';
import { transports } from '../../net/echo/index.js';
import { namesOf } from '../../net/rows.js';
import { estimateSeconds } from './plan.js';
import * as predictions from './prediction.js';

/**
 * @import { Found, NewsCosts, UsedFallback } from '../../experiment/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Placed, Situation } from '../../experiment/situation.js'
 * @import { JobsPlan } from './plan.js'
 * @import { JobsRow } from './summary.js'
 */

/** The measured polling interval: a short one, as the model holds for any, and its noise grows with it. */
const INTERVAL_MS = 100;
/** The jobs are open at once: a browser has six connections to a server over HTTP/1.1. */
const JOB_COUNT = 4;
const BLOCK_COUNT = 8;
const LIMIT_MS = 10_000;
/** What news alone can come by without a socket. */
const SIMPLER = 'sse';

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Being notified',
  about: 'How much sooner users see news by push than by polling, and with how many requests.',
  isNeeded: asksForNews,
  predicts: true,
  conditionOf: ({ intervalMs, polls }) =>
    `polling every ${formatSpan(intervalMs)}${hasTimer({ polls }) ? ' by a timer' : ''}`,
  quickPlan,
  secondsOf: estimateSeconds,
  answer,
};

/** @param {Situation} situation @param {{ roundTripMs: number, seed: number }} path @returns {JobsPlan} */
function quickPlan(situation, { roundTripMs, seed }) {
  const chosen = ['poll', pushOver(situation.considers).name, ...(sendsMessages(situation) ? [] : [SIMPLER])];
  // Jobs end evenly over two whole polling periods, so that polling is late by half a period on average.
  const maxMs = 2 * (INTERVAL_MS + Math.round(roundTripMs));
  return {
    deliveries: [...namesOf(deliveries, ({ name }) => chosen.includes(name))],
    intervals: [INTERVAL_MS],
    users: 1,
    jobs: JOB_COUNT,
    arrangement: 'all',
    minMs: 0,
    maxMs,
    limitMs: LIMIT_MS,
    blocks: BLOCK_COUNT,
    seed,
  };
}

/** @param {readonly JobsRow[]} rows @param {Placed} situation @returns {Found} */
function answer(rows, situation) {
  const poll = rows.find(({ delivery }) => delivery === 'poll');
  const push = rows.find(({ isBaseline }) => isBaseline);
  const gainMs = poll && predictions.predictGain(poll, situation);
  if (!poll || !push || !gainMs) {
    const silent = rows.find(({ notifiedCount }) => notifiedCount === 0);
    return withoutVerdict(silent?.failureReasons[0]?.[0] ?? `Fewer than ${MIN_BLOCKS} blocks could be compared.`);
  }
  const { considers, newsMs } = situation;
  const news = findNews({ rows, push }, situation);
  return {
    ...saySooner(gainMs),
    ...gainMs,
    unit: 'sooner-ms',
    count: poll.comparison?.latency.blockCount,
    reason: `${capitalize(news.saving)}, if there is news every ${formatSpan(newsMs)}.`,
    topic: 'news',
    news,
    ...(isFallback(considers, push.protocol) && { fallback: fallbackOf(considers, String(push.protocol)) }),
  };
}

/**
 * @param {{ rows: readonly JobsRow[], push: JobsRow }} measured @param {Placed} situation
 * @returns {NewsCosts}
 */
function findNews({ rows, push }, situation) {
  const pollDelayMs = predictions.pollDelayMsOf(situation);
  const counts = {
    pollCountPerHour: predictions.pollCountPerHour(situation),
    pushCountPerHour: predictions.pushCountPerHour(deliveries[push.delivery], situation.newsMs),
  };
  const simpler = rows.find(({ delivery }) => delivery === SIMPLER);
  return {
    pollDelayMs,
    maxPollDelayMs: predictions.maxPollDelayMsOf(situation),
    ...counts,
    saving: describeSaving(counts),
    ...(simpler && isAsSoon(simpler, pollDelayMs) && { simpler: transports[deliveries[SIMPLER].transport].library }),
  };
}

/** @param {{ pollCountPerHour: number, pushCountPerHour: number }} counts @returns {string} as in '87% fewer requests' */
function describeSaving({ pollCountPerHour, pushCountPerHour }) {
  const ratio = pollCountPerHour / pushCountPerHour;
  if (ratio >= SAME_RATIO) return `${percentLess(ratio)} fewer requests`;
  if (ratio > 1 / SAME_RATIO) return `as many requests within ${SAME_PERCENT}%`;
  return `${(1 / ratio).toFixed(1)} times as many requests and frames`;
}

/**
 * Checks whether a method notified all, and is later than push by less than what is the same beside polling.
 * @param {JobsRow} row compared with push @param {number} pollDelayMs
 */
function isAsSoon({ comparison, notifiedCount, jobCount }, pollDelayMs) {
  const { high } = comparison?.differenceInterval ?? { high: Infinity };
  return notifiedCount === jobCount && high < (SAME_RATIO - 1) * pollDelayMs;
}

/** @param {string} transport @param {string} protocol @returns {UsedFallback} */
const fallbackOf = (transport, protocol) => ({ protocol, cost: transports[transport].fallbackCost });
