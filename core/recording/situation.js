/** The test of the home page for what a recording shows: intervals, rates and sizes only, no address, header or body. */
import { formatFields } from '../experiment/plan/fields.js';
import { SITUATION_FIELDS } from '../experiment/plan/situation.js';
import { HOUR_MS } from '../net/delivery/model.js';
import { newsPerHourOf } from './costs.js';
import { tellsNews } from './polls.js';

/**
 * @import { Situation } from '../experiment/plan/situation.js'
 * @import { Poll, Recording } from './recording.js'
 * @typedef {Pick<Situation, 'does' | 'intervalMs' | 'polls' | 'uses' | 'newsMs' | 'newsBytes'>} RecordedSituation
 */

/** Requests with a body that a page sends beside its polls: with fewer, sending is not what it does. */
const MIN_SENDS = 3;

/**
 * @param {Recording} recording @param {Poll} [poll] default: the most frequent
 * @returns {{ situation: RecordedSituation, link: string } | undefined} `link`: path and query on the site; absent without a poll, or with too
 *   few answers to tell its news
 */
export function situationOf({ polls, rest }, poll = polls[0]) {
  if (!poll || !tellsNews(poll)) return undefined;
  const { intervalMs, newsMs, newsBytes } = SITUATION_FIELDS;
  const newsPerHour = newsPerHourOf(poll);
  /** @type {RecordedSituation} */
  const situation = {
    does: rest.sends >= MIN_SENDS ? 'asks-and-sends' : 'asks',
    intervalMs: within(poll.everyMs, intervalMs),
    polls: poll.by,
    uses: poll.library === 'jQuery' ? 'ajax' : 'fetch',
    // Without news, there was less than one piece in all the time that the poll was seen.
    newsMs: within(newsPerHour > 0 ? HOUR_MS / newsPerHour : Math.max(poll.observedMs, Number(newsMs.default)), newsMs),
    ...(newsPerHour > 0 && poll.newBodyBytes >= newsBytes.min && { newsBytes: within(poll.newBodyBytes, newsBytes) }),
  };
  return { situation, link: `/?${formatFields(situation, SITUATION_FIELDS)}` };
}

/** @param {number} ms @param {{ min: number, max: number }} field @returns {number} a whole number that it takes, of two digits */
const within = (ms, { min, max }) => Math.min(max, Math.max(min, Math.round(Number(ms.toPrecision(2)))));
