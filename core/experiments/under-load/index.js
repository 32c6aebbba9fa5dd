/** Under load: how long small messages take while a large transfer goes on, on the same socket, on another, as requests. */
import { createFind, withLead } from '../../experiment/report/find.js';
import { lastOf, samplesCsv } from '../../experiment/run/trials.js';
import { fullTest } from './full-test.js';
import { leadOf } from './lead.js';
import { measurement } from './measure.js';
import { checkPlan, describePlan, FIELDS, formatRate, LOADS, PROBES, SAME, trialsOf } from './plan.js';
import { report } from './report.js';
import { faultOf, trialSchema } from './schema.js';
import { answersOf, isReached, latenciesOf, rateOf, summarize } from './summary.js';

/**
 * @import { Experiment, LiveItem, LiveRun } from '../../experiment/contract.js'
 * @import { PlannedTrial, UnderLoadPlan } from './plan.js'
 * @import { Probed, UnderLoadTrial } from './schema.js'
 */

/**
 * Returns the CSV lines of a trial. Times count from its start.
 * @param {UnderLoadTrial} trial @param {number} index
 */
function sampleRows({ block, load, transfer, probed, failure }, index) {
  const time = (/** @type {number | undefined} */ ms) => ms?.toFixed(3);
  const place = [block + 1, index + 1, load, time(transfer?.firstMs), time(transfer?.lastMs)];
  /** @param {Probed | undefined} probe @param {Probed['failures'][number]} one */
  const failed = (probe, { outcome, plannedAtMs, message }) => {
    return [...place, probe?.transport, probe?.protocol, outcome, time(plannedAtMs), undefined, undefined, message];
  };
  return [
    ...(failure ? [failed(undefined, failure)] : []),
    ...probed.flatMap((probe) => {
      const { plannedAtMs, sentAtMs, endedAtMs } = probe.samples;
      return [
        ...plannedAtMs.map((ms, i) => {
          return [...place, probe.transport, probe.protocol, 'ok', time(ms), time(sentAtMs[i]), time(endedAtMs[i])];
        }),
        ...probe.failures.map((one) => failed(probe, one)),
      ];
    }),
  ];
}

/** @param {UnderLoadTrial} trial */
const readTrial = ({ load, probed, failure, elapsedMs }) => ({
  answerCount: probed.reduce((sum, { samples }) => sum + samples.endedAtMs.length, 0),
  failures: [...(failure ? [failure] : []), ...probed.flatMap(({ failures }) => failures)],
  method: load,
  protocols: probed.flatMap(({ transport }) => PROBES[transport].protocols),
  lastMs: Math.min(elapsedMs, lastOf(probed.flatMap(({ samples }) => samples.endedAtMs))),
});

/** @param {{ trials: readonly UnderLoadTrial[] }} run @returns {number[]} ms */
const roundTripsOf = ({ trials }) =>
  trials.flatMap((trial) => (trial.load === 'unloaded' ? trial.probed.flatMap((one) => latenciesOf(one, trial)) : []));

/** @param {LiveRun<UnderLoadPlan, UnderLoadTrial>} run @returns {LiveItem[]} */
const live = ({ plan, trials, underWay }) =>
  trialsOf(plan).map(({ block, load }, i) => ({
    label: `Block ${block + 1}: ${LOADS[load].label}`,
    ...resultOf(trials[i]),
    ...(underWay && i === trials.length && { word: 'under way' }),
  }));

/** @param {UnderLoadTrial | undefined} trial @returns {Omit<LiveItem, 'label'>} */
function resultOf(trial) {
  if (!trial) return { result: 'waiting' };
  if (trial.failure) return { result: 'fail' };
  if (trial.load === 'unloaded') return { result: 'pass', word: 'done' };
  if (!isReached(trial)) return { result: 'untested', word: 'load not reached' };
  return { result: 'pass', word: formatRate(Number(rateOf(trial))) };
}

/** What measures a run, and reports it: all that a full test needs. @satisfies {Experiment} */
export const withoutLead = Object.freeze({
  ...measurement,
  name: 'under-load',
  label: 'Latency under load',
  path: '/underload',
  question: 'How long do small messages wait while a large one downloads?',
  fields: FIELDS,
  presets: [
    { label: '45 seconds', plan: 'loads=unloaded,http-down,ws-down&seconds=2' },
    { label: 'Chunks', plan: 'loads=unloaded,ws-down,ws-down-16,ws-down-64,ws-down-256' },
    { label: 'Uploads', plan: 'loads=unloaded,http-up,ws-up,ws-up-64' },
  ],
  checkPlan,
  describePlan,
  progressOf: (/** @type {PlannedTrial} */ { load }, { transports: { length }, seconds }) => ({
    label: LOADS[load].label,
    totalCount: 5 * length * seconds,
  }),
  live,
  transportsOf: ({ transports: probes }) => {
    const own = probes.filter((/** @type {string} */ name) => name !== SAME);
    // The same socket is a WebSocket, too.
    return own.length < probes.length && !own.includes('ws') ? [...own, 'ws'] : own;
  },
  trialSchema,
  faultOf,
  formatCsv: samplesCsv(
    'block,trial,load,first_ms,last_ms,probe,protocol,outcome,planned_ms,sent_ms,ended_ms,message'.split(','),
    sampleRows,
  ),
  readTrial,
  compares: true,
  find: createFind({ summarize, report, roundTripsOf, answersOf }),
  fullTest,
});

/** The whole experiment. A bundler leaves out the card where only the other is imported. */
export const underLoad = /* @__PURE__ */ withLead(withoutLead, leadOf);

export default underLoad;
