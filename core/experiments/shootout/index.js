/** Every transport echoes the same messages back-to-back; they take turns, so that a drift meets all of them alike. */
import { AT_ONCE } from '../../base/async.js';
import { inBlocks } from '../../base/random.js';
import { areCounted, isAccountedFor } from '../../experiment/documents/fields.js';
import { createFaultWatch } from '../../experiment/faults.js';
import { planned } from '../../experiment/planned.js';
import * as echoTrials from '../../experiment/echo-trials.js';
import { runTrial, toRunTrial } from '../../net/echo/trial.js';
import { labelOf, LABELS } from '../../net/labels.js';
import { measureColdSetUp, measurePreflight } from '../../net/probe.js';
import { digest, digestPart } from './digest.js';
import { checkSize, FIELDS, parsePlan, PRESETS } from './plan.js';
import { createReport } from './report.js';
import { report } from './tables.js';

/**
 * @import { TakeTurn } from '../../base/async.js'
 * @import { ExperimentDocument, Measurement } from '../../experiment/contract.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Preflight } from '../../net/probe.js'
 * @import { Plan } from './plan.js'
 * @typedef {{ transport: string, block: number }} PlannedTrial
 * @typedef {{ plan: Plan, transports: Record<string, Transport>, now: Now, timeoutMs?: number, signal?: AbortSignal,
 *   preflightUrl?: string, onStep?: (words: string) => void, takeTurn?: TakeTurn }} Options `transports` by name;
 *   `timeoutMs`: of one answer; `preflightUrl` takes JSON by POST, where the page came from another origin; `onStep`
 *   gets what is done beside the run
 * @typedef {{ coldSetUpMs: Record<string, number>, preflight?: Preflight }} Costs what new connections took after the
 *   run, by transport; `preflight` only where the page came from another server
 * @typedef {ExperimentDocument<Plan, RunTrial> & Costs} Result
 */

/** @type {Measurement<Options, PlannedTrial, RunTrial>} */
const measurement = {
  schema: 'sockshootout/run/1',
  trialsOf(plan) {
    const each = plan.transports.map((transport) => ({ transport }));
    return inBlocks(each, plan);
  },
  async runTrial({ transport: name, block }, { plan, transports, now, timeoutMs, signal, progress }) {
    const transport = transports[name];
    return toRunTrial(await runTrial({ ...plan, transport, now, timeoutMs, progress, signal }), block);
  },
  watchFaults: ({ transports, iterations }) => createFaultWatch(transports, { iterations }),
  /** What connections cost: {@link Costs}. */
  async finish({ preflightUrl, onStep, takeTurn = AT_ONCE, ...options }, { ending }) {
    if (ending) return { coldSetUpMs: {} };
    onStep?.('Measuring the connection setup…');
    const coldSetUpMs = await takeTurn(() => measureSetUps(options));
    if (preflightUrl === undefined) return { coldSetUpMs };
    const { now, signal } = options;
    const preflight = await takeTurn(() => measurePreflight({ fetch, url: preflightUrl, now, signal }));
    return { coldSetUpMs, preflight };
  },
};

/** One sample of each transport that otherwise reuses connections. @param {Options} options */
async function measureSetUps({ plan, transports, now, signal }) {
  /** @type {Record<string, number>} */
  const coldSetUpMs = {};
  for (const name of plan.transports) {
    const setUpMs = await measureColdSetUp({ transport: transports[name], now, signal });
    if (setUpMs !== undefined) coldSetUpMs[name] = setUpMs;
  }
  return coldSetUpMs;
}

export const shootout = planned({
  ...measurement,
  name: 'shootout',
  label: 'Shootout',
  path: '/',
  fields: FIELDS,
  presets: Object.keys(PRESETS).map((label) => ({ label, plan: `preset=${label}` })),
  parsePlan: (query, { seed }) => parsePlan(query, seed),
  describePlan: ({ transports, blocks, iterations }) =>
    `${blocks} blocks. Each sends ${iterations} messages per transport (${transports.map(labelOf).join(', ')}), in random order.`,
  describeTrial: ({ transport }) => labelOf(transport),
  messageCountOf: (_, { iterations }) => iterations,
  hasChart: true,
  checkPlan: checkSize,
  trialKeys: ['block', 'transport'],
  trialSchema: (v, { count, ms, echo }) => v.strictObject({ block: count, startedAtMs: ms, ...echo }),
  moreSchema(v, { ms }) {
    const times = v.pipe(v.array(ms), v.maxLength(100));
    return {
      coldSetUpMs: v.strictObject(Object.fromEntries(Object.keys(LABELS).map((name) => [name, v.optional(ms)]))),
      preflight: v.optional(v.strictObject({ firstMs: times, secondMs: times })),
    };
  },
  faultOf,
  ...echoTrials,
  digest,
  digestPart,
  summarize: createReport,
  report,
  isComparedWithFirst: true,
});

/** @param {RunTrial} trial @param {{ plan: Plan, isCut: boolean }} run */
function faultOf(trial, { plan, isCut }) {
  const isWhole = isAccountedFor(trial, plan.iterations, isCut);
  if (isWhole && areCounted(trial, plan)) return undefined;
  return 'expected each message once, as a sample or a failure';
}
