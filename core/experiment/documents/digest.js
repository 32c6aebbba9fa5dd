/** What lists and comparisons show of a document, computed from its samples: as a schema, and kept within its limits. */
import { visibleThroughout } from '../../base/foreign-text.js';
import { MAX_NAME } from './fields.js';

/**
 * @import { GenericSchema, InferOutput } from 'valibot'
 * @import { Valibot } from './fields.js'
 * @typedef {InferOutput<ReturnType<typeof createDigest>>} Digest
 */

/** In characters, but for the whole, which is in bytes of its JSON; `classicCount`: of the runs that a digest lists. */
export const DIGEST_LIMITS = Object.freeze({
  headline: 300,
  detail: 2000,
  name: MAX_NAME,
  classicCount: 100,
  bytes: 16 * 1024,
});

/** Of the texts whose length a visitor's document decides. @type {Readonly<Record<string, number>>} */
const LENGTHS = {
  headline: DIGEST_LIMITS.headline,
  detail: DIGEST_LIMITS.detail,
  ...Object.fromEntries(
    ['origin', 'link', 'server', 'location', 'version', 'browser'].map((name) => [name, DIGEST_LIMITS.name]),
  ),
};

/** @param {Valibot} v the validation library */
export function createDigest(v) {
  /** @template {GenericSchema} S @param {string} text @param {S} schema */
  const saying = (text, schema) => v.pipe(schema, v.description(text));
  const text = (/** @type {number} */ most) =>
    v.pipe(
      v.string(),
      v.check((given) => isWithin(given, most), `expected at most ${most} characters`),
      v.metadata({ maxLength: most }),
    );
  const name = text(DIGEST_LIMITS.name);
  const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
  const interval = v.strictObject({ estimate: v.number(), low: v.number(), high: v.number() });
  const classicRun = v.strictObject({ iterations: count, elapsedMs: v.optional(count) });
  return v.strictObject({
    startedAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
    origin: v.optional(saying('The measured origin', name)),
    link: v.optional(saying('The emulated link to the server, if there was one', name)),
    server: name,
    location: v.optional(name),
    version: v.optional(name),
    browser: v.optional(saying('As reported by the visitor', name)),
    transports: v.array(v.string()),
    isValid: v.optional(saying('Absent where nobody can tell', v.boolean())),
    headline: text(DIGEST_LIMITS.headline),
    detail: saying('Shortened where the digest would be larger than 16 KiB', text(DIGEST_LIMITS.detail)),
    sampleCount: count,
    failureCount: count,
    floorMs: v.optional(saying('The fastest round trip, ms, an estimate of the network round-trip time', v.number())),
    // Of a shootout.
    plan: v.optional(/** @type {GenericSchema<any>} */ (v.looseObject({ transports: v.array(v.string()) }))),
    comparison: v.optional(
      v.strictObject({
        transport: v.string(),
        baseline: v.string(),
        blockCount: count,
        isTooCoarse: v.boolean(),
        statistic: v.picklist(['median', 'mean']),
        savingMs: v.optional(saying('How much faster a message was, with its 95% confidence interval', interval)),
        speedRatio: v.optional(interval),
        word: v.optional(v.picklist(['same', 'faster', 'slower', 'unclear'])),
        neededBlocks: v.optional(count),
      }),
    ),
    webSocketWorks: v.optional(
      saying('Experiment reach only: whether WebSockets work from the measured place', v.boolean()),
    ),
    classic: v.optional(
      saying('The first runs of a classic test', v.pipe(v.array(classicRun), v.maxLength(DIGEST_LIMITS.classicCount))),
    ),
  });
}

/**
 * The same within {@link DIGEST_LIMITS}: what is too long is cut, and ends in '…'. One of an earlier release may be larger.
 * @template {Record<string, any>} D @param {D} digest @returns {D}
 */
export function boundDigest(digest) {
  const bounded = Object.fromEntries(Object.entries(digest).map(([name, value]) => [name, boundField(name, value)]));
  return shortenDetail(/** @type {D} */ (visibleThroughout(bounded)));
}

/** @param {string} name @param {any} value */
function boundField(name, value) {
  const most = LENGTHS[name];
  if (name === 'classic') return value?.slice(0, DIGEST_LIMITS.classicCount);
  return most !== undefined && typeof value === 'string' ? cut(value, most) : value;
}

/** It can be spared; all else together takes less than the limit. @template {Record<string, any>} D @param {D} digest */
function shortenDetail(digest) {
  const { detail = '' } = digest;
  const excess = new TextEncoder().encode(JSON.stringify(digest)).length - DIGEST_LIMITS.bytes;
  if (excess <= 0) return digest;
  // A character has at least one byte, and the mark of the cut three.
  return { ...digest, detail: cut(detail, Math.max(0, [...detail].length - excess - 2)) };
}

/** Of characters, not of UTF-16's halves. @param {string} text @param {number} most @returns {boolean} */
const isWithin = (text, most) => text.length <= most || (text.length <= 2 * most && [...text].length <= most);

/** @param {string} text @param {number} most characters, with the mark of the cut */
function cut(text, most) {
  if (isWithin(text, most)) return text;
  return most > 0 ? `${[...text.slice(0, 2 * most)].slice(0, most - 1).join('')}…` : '';
}
