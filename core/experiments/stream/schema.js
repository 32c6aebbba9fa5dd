/** Defines the schema of a saved run of streams. */
import { STREAM_RANGES } from '../../net/stream/stream.js';
import { STREAM_LABELS } from '../../net/stream/index.js';

/**
 * @import { GenericSchema } from 'valibot'
 * @import { ExperimentDocument } from '../../experiment/contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { IdleServer } from '../../net/delivery/traffic.js'
 * @import { StreamPlan } from './plan.js'
 * @typedef {OutputOf<typeof trialSchema>} StreamTrial
 * @typedef {StreamTrial['streams'][number]} Stream
 * @typedef {ExperimentDocument<StreamPlan, StreamTrial> & { idle?: IdleServer }} StreamDocument
 */

const MAX_PIECES = STREAM_RANGES.pieces.max;
/** More than a connection is lost in a minute. */
const MAX_LOSSES = 100;

/** @param {Valibot} v @param {DocumentFields} fields */
export function trialSchema(v, { text, ms, count, recorded, failure: { outcome, message } }) {
  /** @template {GenericSchema} T @param {T} of @param {number} max */
  const atMost = (of, max) => v.pipe(v.array(of), v.maxLength(max));
  return v.strictObject({
    block: count,
    streamedBy: v.picklist(Object.keys(STREAM_LABELS)),
    atOnce: count,
    protocol: v.optional(text),
    startedAtMs: ms,
    elapsedMs: ms,
    // Of a connection that is kept, if it was opened before this trial.
    keptSetUpMs: v.optional(ms),
    streams: v.pipe(
      v.array(
        v.strictObject({
          // Since the trial's start, when it was asked for; other times count from then.
          askedAtMs: ms,
          // Until a connection of its own was open.
          setUpMs: v.optional(ms),
          // An entry for each piece, in their order: when the server sent it, by its own clock since it got the request; and when it came.
          sentMs: atMost(ms, MAX_PIECES),
          atMs: atMost(ms, MAX_PIECES),
          // How many pieces came in each read; absent where the method does not say.
          reads: v.optional(atMost(count, MAX_PIECES)),
          lostAtMs: atMost(ms, MAX_LOSSES),
          failure: v.optional(v.strictObject({ outcome, message })),
        }),
      ),
      v.minLength(1),
    ),
    ...recorded,
  });
}

/** @param {StreamTrial} trial @param {{ plan: StreamPlan }} run @returns {string | undefined} what was expected */
export function faultOf({ atOnce, streams }, { plan }) {
  if (streams.length !== atOnce) return `expected ${atOnce} streams`;
  for (const { sentMs, atMs, reads, lostAtMs, failure } of streams) {
    if (sentMs.length !== atMs.length) return 'expected as many times sent as arrived';
    if (atMs.length > plan.pieces) return `expected at most ${plan.pieces} pieces`;
    if (![atMs, lostAtMs].every(isForward)) return 'expected events in their order';
    if (reads && reads.reduce((sum, one) => sum + one, 0) !== atMs.length) return 'expected reads that have all pieces';
    if (atMs.length < plan.pieces && !failure) return 'expected all pieces, or why some did not come';
  }
  return undefined;
}

/** @param {readonly number[]} times */
const isForward = (times) => times.every((ms, i) => i === 0 || ms >= times[i - 1]);
