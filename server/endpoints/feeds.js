/**
 * Creates and finds feeds, and reads what a client asks of one. The ID of a feed contains everything about it (see signed-ids.js), so any worker knows which message
 * is due, and when to cut. Its bytes:
 *
 * - 6: the start, in ms since 1970
 * - 1: messages per second
 * - 2: their count
 * - 1: the cut
 * - 4 and 4: when the cut begins and how long it lasts, in ms
 * - 6: chance
 */
import { randomBytes } from 'node:crypto';
import { CUT_NAMES, CUTS, dueMsOf, FEED_RANGES, lengthMsOf, MAX_FEED_MS } from '../../core/net/feed/feed.js';
import { checkNumber, parseFields, RefusalError, show, toNumber } from '../http/exchange.js';
import { steadyNow } from '../steady-clock.js';
import { CONTENT_BYTES, createSignedIds } from './signed-ids.js';

/**
 * @import { CutName, FeedOptions } from '../../core/net/feed/feed.js'
 * @typedef {{ feed: Feed, since?: number }} Subscription `since`: the first message to send, though it may be past due; absent:
 *   the next that is due
 * @typedef {FeedOptions & { id: string, startMs: number, cutStartMs: number, cutEndMs: number }} Feed `startMs`, `cutStartMs`,
 *   `cutEndMs`: since 1970, by the server's clock; never, without a cut
 */

/** How long a feed can be read after its last message. */
const KEPT_MS = 300_000;

const AT = { rate: 6, count: 7, cut: 9, cutAtMs: 10, cutMs: 14, chance: 18 };

/** @typedef {ReturnType<typeof createFeeds>} Feeds */

/** @param {{ secret: Uint8Array, now?: () => number }} options `secret`: of all workers */
export function createFeeds({ secret, now = steadyNow }) {
  const ids = createSignedIds({ secret, purpose: 'feed' });
  return {
    now,

    /** @param {FeedOptions} options @returns {Feed} */
    make(options) {
      const { rate, count, cut, cutAtMs, cutMs } = options;
      const startMs = now();
      const bytes = Buffer.alloc(CONTENT_BYTES);
      bytes.writeUIntBE(startMs, 0, AT.rate);
      bytes.writeUInt8(rate, AT.rate);
      bytes.writeUInt16BE(count, AT.count);
      bytes.writeUInt8(CUT_NAMES.indexOf(cut), AT.cut);
      bytes.writeUInt32BE(cutAtMs, AT.cutAtMs);
      bytes.writeUInt32BE(cutMs, AT.cutMs);
      randomBytes(CONTENT_BYTES - AT.chance).copy(bytes, AT.chance);
      return { ...options, id: ids.seal(bytes), startMs, ...spanOf(startMs, options) };
    },

    /** @param {string} id @returns {Feed | undefined} absent if no such feed was made with this secret, or it is over for long */
    find(id) {
      const bytes = ids.open(id);
      if (!bytes) return undefined;
      const startMs = bytes.readUIntBE(0, AT.rate);
      const options = {
        rate: bytes.readUInt8(AT.rate),
        count: bytes.readUInt16BE(AT.count),
        cut: CUT_NAMES[bytes.readUInt8(AT.cut)],
        cutAtMs: bytes.readUInt32BE(AT.cutAtMs),
        cutMs: bytes.readUInt32BE(AT.cutMs),
      };
      if (now() > startMs + lengthMsOf(options) + KEPT_MS) return undefined;
      return { id, startMs, ...options, ...spanOf(startMs, options) };
    },
  };
}

/** @param {number} startMs @param {FeedOptions} options */
function spanOf(startMs, { cut, cutAtMs, cutMs }) {
  const cutStartMs = cut === 'none' ? Infinity : startMs + cutAtMs;
  return { cutStartMs, cutEndMs: cutStartMs + (CUTS[cut].lasts ? cutMs : 0) };
}

/** @param {number} n of a message @param {Feed} feed @returns {number} since 1970 */
export const dueAtMs = (n, feed) => feed.startMs + dueMsOf(n, feed);

/** @param {number} n of a message @returns {string} JSON, the same by every delivery method */
export const formatMessage = (n) => `{"n":${n}}`;

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
