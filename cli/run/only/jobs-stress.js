/**
 * How many users each delivery method supports: more and more at once, until too many of their jobs are late or fail.
 *
 * Each is tried alone. The number doubles until a step breaks; two halvings between it and the last that held narrow it
 * down. Where this program was too busy, the step says nothing about the server, and the result is a lower bound.
 */
import { byFrequency } from '../../../core/base/format.js';
import { visible } from '../../../core/base/foreign-text.js';
import { runExperiment } from '../../../core/experiment/run.js';
import { fixed, toText } from '../../../core/experiment/table.js';
import { jobs } from '../../../core/experiments/jobs/index.js';
import { eachTrial, isSequential } from '../../../core/experiments/jobs/plan.js';
import { describePollCost } from '../../../core/experiments/jobs/report.js';
import { readStatus } from '../../../core/net/status.js';
import { environmentOf } from '../measure.js';
import { describeFileLimit, watchClientLoad } from './client-limits.js';
import { describeMemory, memoryOf, readMemory, watchMemory } from './server-memory.js';

/**
 * @import { Column, Ending } from '../../../core/experiment/contract.js'
 * @import { JobsTrial } from '../../../core/experiments/jobs/schema.js'
 * @import { Options } from '../../../core/experiments/jobs/measure.js'
 * @import { JobsPlan, PlannedTrial } from '../../../core/experiments/jobs/plan.js'
 * @import { ClientLoad } from './client-limits.js'
 * @import { Begun } from './index.js'
 * @import { WaitingMemory } from './server-memory.js'
 */

export const SCHEMA = 'sockshootout/jobs-stress/1';

const { describeTrial: nameOf } = jobs;

/** Of a step's jobs. */
const MAX_LOST = 0.01;
const HALVING_COUNT = 2;

/**
 * @typedef {Begun & { means: Pick<Options, 'createClient' | 'readTraffic'> }} StressRun
 * @typedef {ReturnType<typeof stepOf> & { memory?: WaitingMemory }} Step
 * @typedef {PlannedTrial & NonNullable<Awaited<ReturnType<typeof climbUsers>>> & { memory?: ReturnType<typeof memoryOf> }} Climb
 *   of a delivery method; `memory`: of the server, above that before its first step
 * @typedef {Awaited<ReturnType<typeof measureStress>>} Stress `plan.users` is where each delivery method begins, `mostUsers`
 *   where each ends; `status`: of the server, before, absent where it could not be asked; `ways`: those that were tried to
 *   their end; `ending`: absent where all were
 */

/** @type {readonly Column<Step>[]} */
const COLUMNS = [
  { title: 'Users', value: ({ users }) => users },
  { title: 'Jobs', value: ({ jobCount }) => jobCount },
  { title: 'Notified', value: ({ toldCount }) => toldCount },
  { title: 'Late', value: ({ lateCount }) => lateCount },
  { title: 'Failed', value: ({ failureCount }) => failureCount },
  { title: 'Client load, max', value: ({ client }) => formatPercent(client.busiest) },
  { title: 'Client timer delay, p99', unit: 'ms', value: ({ client }) => client.timerLateMs, format: fixed(1) },
  {
    title: 'Server CPU, of one core',
    value: ({ serverCpuMs, elapsedMs }) =>
      serverCpuMs === undefined ? undefined : formatPercent(serverCpuMs / elapsedMs),
  },
];

/**
 * Gives, whatever happens, what was measured until then.
 * @param {StressRun & { mostUsers: number, fileLimit?: number }} options `fileLimit`: of this program
 */
export async function measureStress({ mostUsers, fileLimit, ...run }) {
  const { origin, plan, signal } = run;
  const { url, userAgent } = environmentOf(origin);
  const stress = {
    schema: SCHEMA,
    startedAt: new Date().toISOString(),
    plan,
    mostUsers,
    environment: { url, userAgent },
    status: await readStatus(fetch, `${origin}/status`, signal),
    ways: /** @type {Climb[]} */ ([]),
    ending: /** @type {Ending | undefined} */ (undefined),
  };
  for (const trial of eachTrial(plan)) {
    const beforeBytes = await readMemory(run.means.readTraffic);
    const climb = await climbUsers({
      first: plan.users,
      most: mostUsers,
      measureStep: async (users) => {
        const step = await measureStep({ ...run, plan: planOf(plan, trial, users) });
        const limited = describeFileLimit(trial, { ...plan, users }, fileLimit);
        return !step || step.hasHeld || !limited ? step : { ...step, reason: `${step.reason} ${limited}` };
      },
    });
    if (!climb) return { ...stress, ending: signal.reason };
    stress.ways.push({ ...trial, ...climb, memory: memoryOf(climb.steps, beforeBytes) });
  }
  return stress;
}

/**
 * Absent where a step was cancelled. `carriedUsers`: the most that held, 0 where none did; `brokeAtUsers`: the fewest that did
 * not, absent where all held; `reason`: why; `isClientBusy`: it may support more, as this program was too busy there.
 * @param {{ first: number, most: number, measureStep: (users: number) => Promise<Step | undefined> }} options
 */
export async function climbUsers({ first, most, measureStep }) {
  /** @type {Step[]} */
  const steps = [];
  let carriedUsers = 0;
  /** @type {Step | undefined} */
  let broken;
  /** @param {number} users */
  const take = async (users) => {
    const step = await measureStep(users);
    if (!step) return false;
    steps.push(step);
    if (step.hasHeld) carriedUsers = users;
    else broken = step;
    return true;
  };

  for (let users = Math.min(first, most); ; users = Math.min(2 * users, most)) {
    if (!(await take(users))) return undefined;
    if (broken || users === most) break;
  }
  for (let halving = 0; broken && halving < HALVING_COUNT; halving++) {
    const between = Math.floor((carriedUsers + broken.users) / 2);
    if (between === carriedUsers) break;
    if (!(await take(between))) return undefined;
  }
  const { users: brokeAtUsers, reason } = broken ?? {};
  return { steps, carriedUsers, brokeAtUsers, reason, isClientBusy: broken?.client.isBusy ?? false };
}

/** @param {JobsPlan} plan @param {PlannedTrial} trial @param {number} users @returns {JobsPlan} of this trial alone */
function planOf(plan, { way, intervalMs }, users) {
  const intervals = intervalMs === undefined ? plan.intervals : [intervalMs];
  return { ...plan, blocks: 1, users, ways: [way], intervals };
}

/** @param {StressRun} run @returns {Promise<Step | undefined>} absent where it was cancelled */
async function measureStep({ plan, means, progress, signal }) {
  /** @type {() => { client: ClientLoad, memory?: WaitingMemory }} */
  let endTrial;
  /** @type {Step | undefined} */
  let step;
  await runExperiment(jobs, {
    ...means,
    now: () => performance.now(),
    plan,
    readRoundTrips: async () => [],
    onTrialStart(trial, state) {
      const title = `${nameOf(trial)}, ${plan.users} users`;
      progress.start({ title, state, messageCount: plan.users * plan.jobs });
      const readLoad = watchClientLoad();
      const endMemory = watchMemory({ readTraffic: means.readTraffic, state, jobs: plan.jobs });
      endTrial = () => ({ memory: endMemory(), client: readLoad() });
    },
    onTrialEnd({ trials: [trial] }) {
      const { client, memory } = endTrial();
      step = { ...stepOf(trial, plan, client), memory };
    },
    signal,
  });
  return signal.aborted ? undefined : step;
}

/**
 * `failureCount`: of jobs that were not just late; `reason`: the most frequent error; `serverCpuMs`: of all its
 * processes.
 * @param {JobsTrial} trial @param {{ users: number, jobs: number }} plan @param {ClientLoad} client
 */
export function stepOf({ told, failures, traffic, elapsedMs }, { users, jobs }, client) {
  const jobCount = users * jobs;
  const lateCount = failures.filter(({ outcome }) => outcome === 'timeout').length;
  return {
    users,
    jobCount,
    toldCount: told.job.length,
    lateCount,
    failureCount: failures.length - lateCount,
    hasHeld: failures.length <= MAX_LOST * jobCount,
    reason: failures.length > 0 ? byFrequency(failures.map(({ message }) => message))[0][0] : undefined,
    client,
    serverCpuMs: traffic?.cpuMs,
    elapsedMs,
  };
}

/**
 * As plain text: sentences, and a table of steps for each delivery method.
 * @param {Omit<Stress, 'status' | 'ending'> & { status?: Stress['status'], ending?: Ending }} stress
 */
export function formatStress({ environment, plan, mostUsers, status, ways, ending }) {
  return [
    `${plan.jobs === 1 ? '1 job' : `${plan.jobs} jobs`} per user, ${isSequential(plan) ? 'one after the other' : 'all at once'}, of ${plan.leastMs / 1000} to ${plan.mostMs / 1000} s. Supported means that at most 1% of the jobs are late (after ${plan.limitMs / 1000} s) or fail.`,
    '',
    ...ways.map((climb) => describeClimb(climb, mostUsers)),
    '',
    'Server memory (RSS) per 1,000 waiting users:',
    ...ways.map((climb) => `${nameOf(climb)}: ${describeMemory(climb.memory)}`),
    '',
    ...ways.flatMap((climb) => [`${nameOf(climb)}:`, ...toText({ columns: COLUMNS, rows: climb.steps }), '']),
    ...[describePollCost(status), ending?.reason ?? ''].filter(Boolean),
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    '',
  ]
    .map(visible)
    .join('\n');
}

/** @param {Climb} climb @param {number} mostUsers @returns {string} a sentence */
export function describeClimb(climb, mostUsers) {
  const { steps, carriedUsers, brokeAtUsers, reason, isClientBusy } = climb;
  if (brokeAtUsers === undefined) return `${nameOf(climb)}: at least ${mostUsers} users, the maximum tested.`;
  const broken = steps.find(({ users }) => users === brokeAtUsers);
  const lost = broken ? formatPercent((broken.lateCount + broken.failureCount) / broken.jobCount) : '';
  const users = `${brokeAtUsers} ${brokeAtUsers === 1 ? 'user' : 'users'}`;
  const why = `at ${users}, ${lost} of the jobs were late or failed, mostly: ${reason}`;
  if (!isClientBusy) return `${nameOf(climb)}: ${carriedUsers} users; ${why}`;
  if (carriedUsers === 0) return `${nameOf(climb)}: not known, because this client was too busy: ${why}`;
  return `${nameOf(climb)}: at least ${carriedUsers} users, because this client was too busy for more: ${why}`;
}

/** @param {number} ratio */
const formatPercent = (ratio) => `${(100 * ratio).toFixed(ratio < 0.1 ? 1 : 0)}%`;
