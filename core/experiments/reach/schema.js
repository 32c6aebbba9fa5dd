/** Defines the schema of a saved run of checks, and the protocols that a check can have negotiated. */
import { CHECKS, COMPARED, SOCKJS_ORDER } from './plan.js';
import { HTTP, SOCKJS, WEBSOCKET } from '../../net/protocols.js';

/**
 * @import { ExperimentDocument } from '../../experiment/contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { ReachPlan } from './plan.js'
 * @typedef {OutputOf<typeof trialSchema>} ReachTrial
 * @typedef {ExperimentDocument<ReachPlan, ReachTrial>} ReachDocument
 */

/** The maximum number of times, more than any check sends. */
const MAX_TIMES = 10_000;

/**
 * Defines the schema of a check; docs/results-format.md explains each field.
 * @param {Valibot} v @param {DocumentFields} fields
 */
export function trialSchema(v, { text, ms, count, failure: { outcome, message } }) {
  const times = v.optional(v.pipe(v.array(ms), v.maxLength(MAX_TIMES)));
  const [maybeText, maybeMs, maybeCount] = [v.optional(text), v.optional(ms), v.optional(count)];
  return v.strictObject({
    check: v.picklist(CHECKS),
    transport: v.optional(v.picklist([...new Set([...SOCKJS_ORDER, ...COMPARED])])),
    silenceMs: maybeCount,
    block: maybeCount,
    // This says why it was not made; all else is absent then.
    untested: maybeText,
    protocol: maybeText,
    setUpMs: maybeMs,
    roundTripMs: times,
    // These are times of events: by the server's clock since the first, by the client's since the request.
    sentMs: times,
    arrivedMs: times,
    durationMs: maybeMs,
    // It counts from the opening or the last message; in the search these are the longest silence survived, and the
    // shortest cut.
    livedMs: maybeMs,
    cutMs: maybeMs,
    closeCode: maybeCount,
    failure: v.optional(v.strictObject({ outcome, message })),
    // This is what reached the server.
    seen: v.optional(
      v.strictObject({
        plainCount: count,
        upgradeCount: count,
        openCount: count,
        textCount: count,
        binaryCount: count,
        httpVersion: maybeText,
        refusal: maybeText,
        closeCode: maybeCount,
        openMs: maybeMs,
      }),
    ),
    answered: v.optional(v.strictObject({ status: count, headers: text })),
  });
}

/** Returns what was expected; absent if it is so. @param {ReachTrial} trial */
export function faultOf({ untested, roundTripMs, sentMs = [], arrivedMs = [], durationMs, failure, setUpMs }) {
  const hasFound = [roundTripMs, durationMs, failure, setUpMs].some((found) => found !== undefined);
  if ((untested === undefined) !== hasFound) return 'expected what was found, or why it was not tested';
  if (sentMs.length !== arrivedMs.length) return 'expected as many arrivals as events';
  const isRising = [sentMs, arrivedMs].every((list) => list.every((at, i) => i === 0 || at >= list[i - 1]));
  return isRising ? undefined : 'expected events in their order';
}

/**
 * The protocols by transport: SockJS's own by its client's names, and all of them except WebSocket.
 * @type {Map<string, readonly string[]>}
 */
const BY_TRANSPORT = new Map([
  ...SOCKJS.map((name) => /** @type {const} */ ([name, [name]])),
  ['fallback', SOCKJS.filter((name) => name !== 'websocket')],
  ['fetch', HTTP],
]);

/** The protocols by check, if it has no transport. @type {Map<string, readonly string[]>} */
const BY_CHECK = new Map([
  ...among(['http', 'events', 'stream', 'poll'], HTTP),
  ...among(['upgrade', 'text', 'binary', 'size-64k', 'size-1m', 'silence', 'heartbeat', 'idle'], WEBSOCKET),
  ...among(['fallback', 'fallback-default'], SOCKJS),
]);

/** @param {readonly string[]} names @param {readonly string[]} protocols @returns {[string, readonly string[]][]} */
function among(names, protocols) {
  return names.map((name) => [name, protocols]);
}

/**
 * Returns the protocols that a check can have negotiated; absent if nobody knows.
 * @param {{ transport?: string, check: string }} trial @returns {readonly string[] | undefined}
 */
export const usableProtocolsOf = ({ transport, check }) =>
  transport ? BY_TRANSPORT.get(transport) : BY_CHECK.get(check);
