/** Defines the schema of a saved run of cuts. */
import { feedMethods } from '../../net/feed/index.js';
import { feedFor, KINDS } from './plan.js';

/**
 * @import { GenericSchema } from 'valibot'
 * @import { ExperimentDocument } from '../../experiment/contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { CutsPlan, Kind } from './plan.js'
 * @typedef {OutputOf<typeof trialSchema>} CutsTrial
 * @typedef {ExperimentDocument<CutsPlan, CutsTrial>} CutsDocument
 */

/** More than a client notices in three minutes. */
const MAX_EVENTS = 2000;
/** More than any feed has, each twice. */
const MAX_ARRIVALS = 7200;

/**
 * Defines the schema of a trial; docs/results-format.md explains each field.
 * @param {Valibot} v @param {DocumentFields} fields
 */
export function trialSchema(v, { text, ms, count, failure: { outcome, message } }) {
  /** @template {GenericSchema} T @param {T} of @param {number} max */
  const atMost = (of, max) => v.pipe(v.array(of), v.maxLength(max));
  return v.strictObject({
    block: count,
    cut: v.picklist(/** @type {Kind[]} */ (Object.keys(KINDS))),
    delivery: v.picklist(Object.keys(feedMethods)),
    protocol: v.optional(text),
    startedAtMs: ms,
    // Times count from the trial's start: when the request for the feed was sent.
    requestMs: ms,
    feedAtMs: ms,
    elapsedMs: ms,
    arrivals: v.pipe(
      v.strictObject({ n: atMost(count, MAX_ARRIVALS), atMs: atMost(ms, MAX_ARRIVALS) }),
      v.check(({ n, atMs }) => n.length === atMs.length, 'expected lists of the same length'),
    ),
    openedAtMs: atMost(ms, MAX_EVENTS),
    losses: atMost(v.strictObject({ atMs: ms, reason: text }), MAX_EVENTS),
    // Requests that were cut off and came again, unknown to the client.
    repeatedCount: count,
    // The lab cut the link itself, both ways; without an end, it dropped for good what belonged to connections that there were.
    linkCut: v.optional(v.strictObject({ fromMs: ms, toMs: v.optional(ms) })),
    failure: v.optional(v.strictObject({ outcome, message })),
  });
}

/** @param {CutsTrial} trial @param {{ plan: CutsPlan }} run @returns {string | undefined} what was expected */
export function faultOf({ block, arrivals, openedAtMs, losses, requestMs, feedAtMs, cut, linkCut, failure }, { plan }) {
  const isForward = [arrivals.atMs, openedAtMs, losses.map(({ atMs }) => atMs)].every((times) =>
    times.every((atMs, i) => i === 0 || atMs >= times[i - 1]),
  );
  if (!isForward) return 'expected events in their order';
  const { count = 0 } = feedFor(plan, { block, cut })?.options ?? {};
  if (arrivals.n.some((n) => n >= count)) return `expected messages of a feed of ${count}`;
  if (feedAtMs > requestMs) return 'expected a feed that began before its request was answered';
  if (linkCut && (cut !== 'watch' || Number(linkCut.toMs) < linkCut.fromMs || linkCut.fromMs < feedAtMs)) {
    return 'expected a cut of the link in a trial in which the server cuts nothing, from the start of the feed on';
  }
  return arrivals.n.length > 0 || failure ? undefined : 'expected messages, or why none came';
}
