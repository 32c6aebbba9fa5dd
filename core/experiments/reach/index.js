/** The description of "Does it work from here?": does a WebSocket survive on the path to the server, and what does losing it cost? */
import { planned } from '../../experiment/planned.js';
import { measurement } from './measure.js';
import { CHECKS, COMPARED, describeCheck, describeReachPlan, FIELDS, SOCKJS_ORDER } from './plan.js';
import { sharesOf } from './places.js';
import { usableProtocolsOf } from './protocols.js';
import { report } from './report.js';
import { summarize } from './summary.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { DocumentFields, Valibot } from '../../experiment/documents/fields.js'
 * @import { Counts, DigestPart, ExperimentDocument } from '../../experiment/contract.js'
 * @import { ReachPlan } from './plan.js'
 *
 * @typedef {InferOutput<ReturnType<typeof trialSchema>>} ReachTrial
 * @typedef {ExperimentDocument<ReachPlan, ReachTrial>} ReachDocument
 */

/** More than any check sends. */
const MAX_TIMES = 10_000;

/** A check; docs/results-format.md says what each field means. @param {Valibot} v @param {DocumentFields} fields */
function trialSchema(v, { text, ms, count, failure: { outcome, message } }) {
  const times = v.optional(v.pipe(v.array(ms), v.maxLength(MAX_TIMES)));
  const [maybeText, maybeMs, maybeCount] = [v.optional(text), v.optional(ms), v.optional(count)];
  return v.strictObject({
    check: v.picklist(CHECKS),
    transport: v.optional(v.picklist([...new Set([...SOCKJS_ORDER, ...COMPARED])])),
    silenceMs: maybeCount,
    block: maybeCount,
    // Why it was not made; then there is nothing else.
    untested: maybeText,
    protocol: maybeText,
    setUpMs: maybeMs,
    roundTripMs: times,
    // Of events: by the server's clock since the first, by the client's since the request.
    sentMs: times,
    arrivedMs: times,
    durationMs: maybeMs,
    // From the opening or the last message; of the search the longest silence survived, and the shortest cut.
    livedMs: maybeMs,
    cutMs: maybeMs,
    closeCode: maybeCount,
    failure: v.optional(v.strictObject({ outcome, message })),
    // What reached the server.
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

/** @param {ReachTrial} trial */
function faultOf({ untested, roundTripMs, sentMs = [], arrivedMs = [], durationMs, failure, setUpMs }) {
  const hasFound = [roundTripMs, durationMs, failure, setUpMs].some((found) => found !== undefined);
  if ((untested === undefined) !== hasFound) return 'expected what was found, or why it was not tested';
  if (sentMs.length !== arrivedMs.length) return 'expected as many arrivals as events';
  const isRising = [sentMs, arrivedMs].every((list) => list.every((at, i) => i === 0 || at >= list[i - 1]));
  return isRising ? undefined : 'expected events in their order';
}

/** @param {ReachTrial} trial @param {number} index */
function sampleRows({ check, transport, silenceMs, block, failure, ...found }, index) {
  const { protocol, setUpMs, livedMs, durationMs, roundTripMs, sentMs = [], arrivedMs = [] } = found;
  const place = [index + 1, check, transport, silenceMs, block === undefined ? undefined : block + 1];
  const times = [setUpMs, livedMs, durationMs].map((ms) => ms?.toFixed(3));
  const lists = [sentMs, arrivedMs].map((list) => list.map((ms) => ms.toFixed(1)).join(' ') || undefined);
  const tripsMs = roundTripMs ?? (durationMs === undefined ? [] : [undefined]);
  return [
    ...tripsMs.map((ms) => [...place, 'ok', protocol, ...times, ms?.toFixed(3), ...lists]),
    ...(failure ? [[...place, failure.outcome, protocol, ...times, undefined, ...lists, failure.message]] : []),
  ];
}

const sampleColumns = [
  'trial', 'check', 'transport', 'silence_ms', 'block', 'outcome', 'protocol', 'set_up_ms', 'lived_ms', 'duration_ms',
  'round_trip_ms', 'sent_ms', 'arrived_ms', 'message',
]; // prettier-ignore

/** @param {ReachTrial} trial @returns {Counts} */
function countsOf({ roundTripMs, durationMs, failure }) {
  const answerCount = roundTripMs?.length ?? (durationMs === undefined ? 0 : 1);
  return { answerCount, failures: failure ? [failure] : [] };
}

/** @type {DigestPart} */
const digestPart = {
  formerFields: ['webSocketWorks'],
  schemaOf(v) {
    const works = v.pipe(v.boolean(), v.description('Whether WebSockets work from the measured place'));
    return v.strictObject({ webSocketWorks: works });
  },
  // Of checks that were not all made nobody can tell.
  partOf: (summary, { ending }) =>
    ending || summary.works === undefined ? undefined : { webSocketWorks: summary.works },
};

export const reach = planned({
  ...measurement,
  name: 'reach',
  label: 'Does it work from here?',
  path: '/reach',
  intro:
    'Do WebSockets, SockJS and streaming survive the network between you and this server, and what does a fallback cost?',
  legend: 'Checks',
  fields: FIELDS,
  describePlan: describeReachPlan,
  describeTrial: describeCheck,
  messageCountOf: () => 1,
  hasChart: true,
  digestPart,
  transportsOf: () => ['websocket', 'sockjs', 'fetch'],
  trialKeys: ['check', 'transport', 'silenceMs', 'block'],
  trialSchema,
  faultOf,
  sampleColumns,
  sampleRows,
  countsOf,
  methodOf: (/** @type {ReachTrial} */ { transport, check }) => transport ?? check,
  usableProtocolsOf,
  roundTripsOf: ({ trials }) => trials.flatMap((/** @type {ReachTrial} */ { roundTripMs = [] }) => roundTripMs),
  summarize,
  report,
  sharesOf,
});
