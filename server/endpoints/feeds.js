/**
 * Creates and finds feeds. The ID of a feed contains everything about it (see signed-ids.js), so any worker knows which message
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
import { CUT_NAMES, CUTS, dueMsOf, lengthMsOf } from '../../core/net/feed/feed.js';
import { steadyNow } from '../steady-clock.js';
import { CONTENT_BYTES, createSignedIds } from './signed-ids.js';

/**
 * @import { FeedOptions } from '../../core/net/feed/feed.js'
 * @typedef {ReturnType<typeof createFeeds>} Feeds
 * @typedef {FeedOptions & { id: string, startMs: number, cutStartMs: number, cutEndMs: number }} Feed `startMs`, `cutStartMs`,
 *   `cutEndMs`: since 1970, by the server's clock; never, without a cut
 */

/** How long a feed can be read after its last message. */
const KEPT_MS = 300_000;

const AT = { rate: 6, count: 7, cut: 9, cutAtMs: 10, cutMs: 14, chance: 18 };

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
