/**
 * What the API answers, as schemas: its description is made of them, and its tests check the answers by them.
 */
import * as v from 'valibot';
import { EXPERIMENTS } from '../../core/experiments/all.js';

/** The status of each error, by its code. */
export const ERROR_STATUS = Object.freeze({
  'bad-request': 400,
  'bad-run': 400,
  'bad-query': 400,
  'no-token': 401,
  'wrong-token': 403,
  'origin-refused': 403,
  'not-found': 404,
  'wrong-method': 405,
  'too-slow': 408,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  'too-many': 429,
  internal: 500,
  busy: 503,
  'store-read-only': 503,
  'store-unavailable': 503,
  'store-full': 507,
});

const time = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const interval = v.strictObject({ estimate: v.number(), low: v.number(), high: v.number() });

export const errorSchema = v.strictObject({
  error: v.strictObject({
    code: v.picklist(Object.keys(ERROR_STATUS)),
    message: v.pipe(v.string(), v.description('What was expected, and what the server got')),
    path: v.optional(v.pipe(v.string(), v.description('The wrong field, as a path with dots'))),
  }),
});

const digest = v.strictObject({
  startedAt: v.optional(time),
  origin: v.optional(v.pipe(v.string(), v.description('The measured origin'))),
  server: v.string(),
  location: v.optional(v.string()),
  version: v.optional(v.string()),
  browser: v.optional(v.pipe(v.string(), v.description('As reported by the visitor'))),
  transports: v.array(v.string()),
  isValid: v.boolean(),
  headline: v.string(),
  detail: v.string(),
  sampleCount: count,
  failureCount: count,
  plan: v.optional(v.looseObject({ transports: v.array(v.string()) })),
  floorMs: v.optional(
    v.pipe(v.number(), v.description('The smallest round trip, an estimate of the network round-trip time')),
  ),
  comparison: v.optional(
    v.strictObject({
      transport: v.string(),
      baseline: v.string(),
      blockCount: count,
      isTooCoarse: v.boolean(),
      statistic: v.picklist(['median', 'mean']),
      savingMs: v.optional(
        v.pipe(interval, v.description('How much faster a message was, with its 95% confidence interval')),
      ),
      speedRatio: v.optional(interval),
      word: v.optional(v.picklist(['same', 'faster', 'slower', 'unclear'])),
      neededBlocks: v.optional(count),
    }),
  ),
  webSocketWorks: v.optional(v.pipe(v.boolean(), v.description('Of the experiment reach: from where it was measured'))),
  classic: v.optional(v.array(v.strictObject({ iterations: count, elapsedMs: v.optional(count) }))),
});

const described = {
  id: v.string(),
  url: v.pipe(v.string(), v.description('The path of its page')),
  savedAt: time,
  experiment: v.picklist(EXPERIMENTS.map(({ name }) => name)),
  label: v.optional(v.string()),
  note: v.optional(v.string()),
  place: v.optional(
    v.strictObject({
      name: v.optional(v.string()),
      latitude: v.optional(v.number()),
      longitude: v.optional(v.number()),
    }),
  ),
  digest: v.pipe(digest, v.description('Computed by the server from the samples that the visitor sent')),
};

export const savedSchema = v.strictObject({
  ...described,
  deleteToken: v.pipe(
    v.string(),
    v.description('Deletes the run. It is sent only here; the server stores a hash of it'),
  ),
});
/** What the app of 2019 reads. */
export const sharedSchema = v.strictObject({
  submission: v.strictObject({
    uuid: v.pipe(
      v.string(),
      v.description(
        'Replaces the submission, and is its delete token. It is sent only here; the server stores a hash of it',
      ),
    ),
    runs: v.strictObject({ count, total_iterations: count }),
  }),
});
export const listSchema = v.strictObject({
  results: v.array(v.strictObject(described)),
  next: v.optional(v.pipe(v.string(), v.description('The cursor of the next page; absent on the last'))),
});
export const wholeSchema = v.strictObject({ ...described, document: v.looseObject({ schema: v.string() }) });
