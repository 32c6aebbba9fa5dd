/** What lists and comparisons know of a document, its digest: its schema, and its limits. */
import { visibleThroughout } from '../../base/foreign-text.js';
import { cut, isWithin } from '../../base/format.js';
import { MAX_HEADLINE } from '../report/headline.js';
import { answerSchema } from './stored-answers.js';
import { SCOPES } from '../run/scope.js';
import { MAX_NAME } from './document-fields.js';

/**
 * @import { GenericSchema } from 'valibot'
 * @import { Described } from '../contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @typedef {OutputOf<typeof createCommon> & { [experiment: string]: unknown }} Digest the common
 *   fields, and each experiment's part under its name
 */

/**
 * The limits of a digest in characters, except `bytes`, which is that of its whole JSON; `listLength`: of a list that
 * is an experiment's part.
 */
export const DIGEST_LIMITS = Object.freeze({
  headline: MAX_HEADLINE,
  detail: 2000,
  name: MAX_NAME,
  link: 200,
  browser: 100,
  fallback: 100,
  listLength: 100,
  bytes: 16 * 1024,
});

/** The limits of the texts whose length a visitor's document decides. @type {Readonly<Record<string, number>>} */
const LENGTHS = {
  ...Object.fromEntries(['origin', 'server', 'location', 'version'].map((name) => [name, DIGEST_LIMITS.name])),
  link: DIGEST_LIMITS.link,
  browser: DIGEST_LIMITS.browser,
  fallback: DIGEST_LIMITS.fallback,
  headline: DIGEST_LIMITS.headline,
  detail: DIGEST_LIMITS.detail,
};

/**
 * @param {Valibot} v the validation library @param {readonly Described[]} experiments
 *   whose parts a digest may have
 */
export function createDigest(v, experiments) {
  const parts = experiments.flatMap(({ name, digestSchema }) =>
    digestSchema ? [[name, v.optional(digestSchema(v))]] : [],
  );
  return v.strictObject({ ...createCommon(v).entries, ...Object.fromEntries(parts) });
}

/** @param {Valibot} v */
function createCommon(v) {
  /** @template {GenericSchema} S @param {string} text @param {S} schema */
  const saying = (text, schema) => v.pipe(schema, v.description(text));
  const text = (/** @type {number} */ max) =>
    v.pipe(
      v.string(),
      v.check((given) => isWithin(given, max), `expected at most ${max} characters`),
      v.metadata({ maxLength: max }),
    );
  const name = text(DIGEST_LIMITS.name);
  const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
  return v.strictObject({
    startedAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
    origin: v.optional(saying('The measured origin', name)),
    link: v.optional(saying('The emulated link to the server, if there was one', text(DIGEST_LIMITS.link))),
    server: name,
    location: v.optional(name),
    version: v.optional(name),
    browser: v.optional(saying('As reported by the visitor', text(DIGEST_LIMITS.browser))),
    transports: v.array(v.string()),
    isValid: v.optional(saying('Absent where nobody can tell', v.boolean())),
    headline: text(DIGEST_LIMITS.headline),
    detail: saying('Shortened where the digest would be larger than 16 KiB', text(DIGEST_LIMITS.detail)),
    sampleCount: count,
    failureCount: count,
    warningCount: v.optional(saying('The number of trust checks that cast doubt on the run', count)),
    scope: v.optional(
      saying('How far it reached: one machine, one network, or a path between places', v.picklist(SCOPES)),
    ),
    answers: v.optional(saying('What it answers, of each question', v.array(answerSchema(v)))),
    fallback: v.optional(
      saying('The protocol of what was considered, where a WebSocket did not work', text(DIGEST_LIMITS.fallback)),
    ),
    floorMs: v.optional(saying('The fastest round trip, ms, an estimate of the network round-trip time', v.number())),
  });
}

/**
 * Limits a digest to {@link DIGEST_LIMITS}: a text that is too long is cut, and ends in '…'.
 * @template {Record<string, any>} D @param {D} digest @returns {D}
 */
export function boundDigest(digest) {
  const bounded = Object.fromEntries(Object.entries(digest).map(([name, value]) => [name, boundField(name, value)]));
  return shortenDetail(/** @type {D} */ (visibleThroughout(bounded)));
}

/** @param {string} name @param {any} value */
function boundField(name, value) {
  const max = LENGTHS[name];
  if (Array.isArray(value)) return value.slice(0, DIGEST_LIMITS.listLength);
  return max !== undefined && typeof value === 'string' ? cut(value, max) : value;
}

/**
 * Shortens the detail, the only dispensable part; everything else together takes less than the limit.
 * @template {Record<string, any>} D @param {D} digest
 */
function shortenDetail(digest) {
  const { detail } = digest;
  const excess = bytesOf(digest) - DIGEST_LIMITS.bytes;
  if (excess <= 0 || detail === undefined) return digest;
  return { ...digest, detail: cutToBytes(detail, bytesOf(detail) - excess) };
}

/** @param {unknown} value @returns {number} of its JSON */
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;

/** @param {string} text @param {number} max bytes of its JSON, with the mark of the cut @returns {string} */
function cutToBytes(text, max) {
  const [quotes, mark] = ['', '…'].map(bytesOf);
  if (max < mark) return '';
  const kept = [];
  let left = max - mark;
  for (const character of text) {
    left -= bytesOf(character) - quotes;
    if (left < 0) break;
    kept.push(character);
  }
  return `${kept.join('')}…`;
}
