/** Reads what a client asks of a feed. */
import { CUT_NAMES, CUTS, FEED_RANGES, lengthMsOf, MAX_FEED_MS } from '../../core/net/feed/feed.js';
import { checkNumber, parseFields, RefusalError, show, toNumber } from '../http/exchange.js';

/**
 * @import { CutName, FeedOptions } from '../../core/net/feed/feed.js'
 * @import { Feed, Feeds } from './feeds.js'
 * @typedef {{ feed: Feed, since?: number }} Subscription `since`: the first message to send, though it may be past due; absent:
 *   the next that is due
 */

/** @param {string} query what follows the `?` of a URL @returns {FeedOptions} @throws {RefusalError} */
export function parseFeedQuery(query) {
  const given = parseFields('option', query, ['rate', 'count', 'cut', 'at', 'for']);
  const { cut = 'none' } = given;
  /** @param {keyof typeof given} name @param {{ min: number, max: number }} range */
  const check = (name, { min, max }) => checkNumber('option', name, toNumber(given[name]), min, max);
  if (!isCut(cut)) throw new RefusalError('bad-option', `cut: expected ${CUT_NAMES.join(' or ')}, got ${show(cut)}`);
  const pace = { rate: check('rate', FEED_RANGES.rate), count: check('count', FEED_RANGES.count) };
  const lengthMs = lengthMsOf(pace);
  if (lengthMs > MAX_FEED_MS) {
    throw new RefusalError(
      'bad-option',
      `count: expected at most ${MAX_FEED_MS / 1000} s of messages, got ${lengthMs / 1000} s`,
    );
  }
  const cutMs = CUTS[cut].lasts ? check('for', FEED_RANGES.cutMs) : 0;
  const cutAtMs = cut === 'none' ? 0 : check('at', { min: 0, max: Math.floor(lengthMs) });
  if (cutAtMs + cutMs > lengthMs) {
    throw new RefusalError(
      'bad-option',
      `for: expected a cut that ends before the feed (${lengthMs} ms), got ${cutAtMs + cutMs} ms`,
    );
  }
  return { ...pace, cut, cutAtMs, cutMs };
}

/** @param {string} name @returns {name is CutName} */
const isCut = (name) => Object.hasOwn(CUTS, name);

/**
 * Reads which feed a connection is for.
 * @param {string} query what follows the `?` of its URL @param {Feeds} feeds
 * @param {{ mayHaveOthers?: boolean }} [options] as of parseFields @returns {Subscription} @throws {RefusalError}
 */
export function parseSubscription(query, feeds, options) {
  const { feed: id = '', since } = parseFields('option', query, ['feed', 'since'], options);
  const feed = findFeed(feeds, id);
  return { feed, since: parseSince(since, feed) };
}

/** @param {unknown} since @param {Feed} feed @returns {number | undefined} @throws {RefusalError} */
export function parseSince(since, { count }) {
  return since === undefined ? undefined : checkNumber('option', 'since', toNumber(since), 0, count);
}

/** @param {Feeds} feeds @param {string} id @returns {Feed} @throws {RefusalError} */
export function findFeed(feeds, id) {
  const feed = feeds.find(id);
  if (feed) return feed;
  throw new RefusalError('not-found', 'feed: expected the ID of a feed from this server', 404);
}
