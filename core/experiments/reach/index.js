/**
 * Describes the reachability test: does a WebSocket survive on the path to the server, and what is the cost of its
 * fallback?
 */
import { createFind, withLead } from '../../experiment/report/find.js';
import { samplesCsv } from '../../experiment/run/trials.js';
import { fullTest } from './full-test.js';
import { leadOf } from './lead.js';
import { measurement } from './measure.js';
import { describeCheck, describeReachPlan, FIELDS } from './plan.js';
import { usableProtocolsOf, faultOf, trialSchema } from './schema.js';
import { report } from './report.js';
import { summarize } from './summary.js';

/**
 * @import { Ending, Experiment, LiveItem, LiveRun, TrialFacts } from '../../experiment/contract.js'
 * @import { Valibot } from '../../base/valibot.js'
 * @import { ReachPlan } from './plan.js'
 * @import { ReachTrial } from './schema.js'
 * @import { ReachSummary } from './summary.js'
 */

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

/** @param {ReachTrial} trial @returns {TrialFacts} */
function readTrial({ check, transport, roundTripMs, durationMs, failure }) {
  const answerCount = roundTripMs?.length ?? (durationMs === undefined ? 0 : 1);
  const protocols = usableProtocolsOf({ transport, check }) ?? [];
  return { answerCount, failures: failure ? [failure] : [], method: transport ?? check, protocols };
}

/**
 * Lists the checks, as far as they are made, and the one that is under way; the blocks of latency come after them.
 * @param {LiveRun<ReachPlan, ReachTrial>} run @returns {LiveItem[]}
 */
const live = ({ plan, trials, underWay }) => {
  const current = underWay && describeCheck(underWay.planned);
  return summarize({ plan, trials }).checks.map(({ planned, trial, result }) => {
    const label = describeCheck(planned);
    if (trial) return { label, result };
    return { label, result: 'waiting', ...(label === current && { word: 'under way' }) };
  });
};

/** @param {Valibot} v */
function digestSchema(v) {
  const works = v.pipe(v.boolean(), v.description('Whether WebSockets work from the measured place'));
  return v.strictObject({ webSocketWorks: works });
}

/** @param {ReachSummary} summary @param {{ ending?: Ending }} run @returns absent unless all checks were made */
const digestOf = ({ works }, { ending }) => (ending || works === undefined ? undefined : { webSocketWorks: works });

/** @param {ReachSummary} summary @param {{ ending?: Ending }} run */
function failureOf({ checks }, { ending }) {
  if (ending) return ending.reason;
  const failed = checks.filter(({ result }) => result === 'fail');
  if (failed.length === 0) return undefined;
  const names = failed.map(({ planned }) => describeCheck(planned));
  return `${failed.length} of ${checks.length} checks failed: ${names.join('; ')}.`;
}

/** @param {{ trials: readonly ReachTrial[] }} run @returns {number[]} ms */
const roundTripsOf = ({ trials }) => trials.flatMap(({ roundTripMs = [] }) => roundTripMs);

/** What measures a run, and reports it: all that a full test needs. @satisfies {Experiment} */
export const withoutLead = Object.freeze({
  ...measurement,
  name: 'reach',
  label: fullTest.question,
  path: '/reach',
  question:
    'Do WebSockets, SockJS and streaming survive the network between you and this server, and what does a fallback cost?',
  fields: FIELDS,
  describePlan: describeReachPlan,
  progressOf: (planned) => ({ label: describeCheck(planned), totalCount: 1 }),
  live,
  digestSchema,
  transportsOf: () => ['ws', 'sockjs', 'fetch'],
  trialSchema,
  faultOf,
  formatCsv: samplesCsv(sampleColumns, sampleRows),
  readTrial,
  find: createFind({ summarize, report, roundTripsOf, failureOf, digestOf }),
  fullTest,
  failsIf: 'a check failed, the run is invalid or stopped',
});

/** The whole experiment. A bundler leaves out the card where only the other is imported. */
export const reach = /* @__PURE__ */ withLead(withoutLead, leadOf);

export default reach;
