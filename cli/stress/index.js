/**
 * Runs a stress test of the jobs' delivery methods: more and more users at once, until too many of their jobs are late
 * or fail.
 * Each method is tested alone. If this program was too busy, a step says nothing about the server, and the result is a
 * lower bound. It is not an experiment: it has no page, and its document cannot be shared.
 */
import { eachTrial, isSequential } from '../../core/experiments/jobs/plan.js';
import { readStatus } from '../../core/net/status.js';
import { environmentOf } from '../run/measure.js';
import { climbUsers, measureStep } from './step.js';
import { describeFileLimit, readFileLimit } from './file-limit.js';
import { memoryOf, readMemory, describeMemory } from './server-memory.js';
import { Option } from 'commander';
import { integerOption } from '../program/command.js';
import { UsageError } from '../program/program.js';
import { visible } from '../../core/base/foreign-text.js';
import { fixed, toText } from '../../core/experiment/report/table.js';
import { labelOfDelivery } from '../../core/experiment/answer/labels.js';
import { describePollCost } from '../../core/experiments/jobs/notes.js';

/**
 * @import { Ending } from '../../core/experiment/contract.js'
 * @import { Column } from '../../core/experiment/report/table.js'
 * @import { Options } from '../../core/experiments/jobs/measure.js'
 * @import { JobsPlan, PlannedTrial } from '../../core/experiments/jobs/plan.js'
 * @import { Status } from '../../core/net/status.js'
 * @import { NodeRun } from '../clients/index.js'
 * @import { Outcome } from '../run/outcome.js'
 * @import { MemoryOfUsers } from './server-memory.js'
 * @import { Values } from '../program/command.js'
 * @import { Climbed, Step } from './step.js'
 * @typedef {NodeRun & { means: { createClient: Options['createClient'], readTraffic: Options['readTraffic'] } }} StressRun
 * @typedef {PlannedTrial & Climbed & { memory?: MemoryOfUsers }} Climb `memory`: of the server, in addition to that before its
 *   first step
 * @typedef {object} Stress
 * @property {string} schema
 * @property {string} startedAt
 * @property {JobsPlan} plan its users are those with which each delivery method begins
 * @property {number} maxUsers the last number
 * @property {{ url: string, userAgent: string }} environment
 * @property {Status} [status] of the server, before, absent if it could not be read
 * @property {Climb[]} deliveries those that were tested to the end
 * @property {Ending} [ending] absent if all were
 */

export const SCHEMA = 'sockshootout/jobs-stress/2';

/** @param {StressRun} run @param {{ maxUsers: number, format: string }} options @returns {Promise<Outcome>} */
export async function runStress(run, { maxUsers, format }) {
  const measured = await measureStress({ ...run, maxUsers, fileLimit: readFileLimit() });
  return {
    text: format === 'json' ? `${JSON.stringify(measured)}\n` : formatStress(measured),
    listReasons: () => (measured.ending ? [measured.ending.reason] : []),
  };
}

/**
 * Measures all delivery methods; returns, whatever happens, what was measured until then.
 * @param {StressRun & { maxUsers: number, fileLimit?: number }} options `fileLimit`: of this program
 * @returns {Promise<Stress>}
 */
async function measureStress({ maxUsers, fileLimit, ...run }) {
  const { baseUrl, plan, signal } = run;
  const { url, userAgent } = environmentOf(baseUrl);
  /** @type {Stress} */
  const stress = {
    schema: SCHEMA,
    startedAt: new Date().toISOString(),
    plan,
    maxUsers,
    environment: { url, userAgent },
    status: await readStatus(fetch, `${baseUrl}/status`, signal),
    deliveries: [],
    ending: undefined,
  };
  for (const trial of eachTrial(plan)) {
    const beforeBytes = await readMemory(run.means.readTraffic);
    const climb = await climbUsers({
      first: plan.users,
      max: maxUsers,
      measureStep: async (users) => {
        const step = await measureStep({ ...run, plan: planOf(plan, trial, users) });
        const limited = describeFileLimit(trial, { ...plan, users }, fileLimit);
        return !step || step.hasHeld || !limited ? step : { ...step, reason: `${step.reason} ${limited}` };
      },
    });
    if (!climb) return { ...stress, ending: signal.reason };
    stress.deliveries.push({ ...trial, ...climb, memory: memoryOf(climb.steps, beforeBytes) });
  }
  return stress;
}

/** @param {JobsPlan} plan @param {PlannedTrial} trial @param {number} users @returns {JobsPlan} of this trial alone */
function planOf(plan, { delivery, intervalMs }, users) {
  const intervals = intervalMs === undefined ? plan.intervals : [intervalMs];
  return { ...plan, blocks: 1, users, deliveries: [delivery], intervals };
}

const MAX_USERS = 100_000;
const DEFAULT_USERS = 3200;

/** The options of a stress test, in addition to those of the experiment whose jobs it creates. */
export const STRESS_OPTIONS = [
  new Option(
    '--stress',
    'measure instead how many users each delivery method supports: add users until more than 1% of the jobs are late or fail',
  ).conflicts(['csv', 'markdown', 'browser', 'failIf']),
  integerOption('max-users', `maximum number of users with --stress; default: ${DEFAULT_USERS}`, { max: MAX_USERS }),
];

/**
 * @param {Values} values @returns {number | undefined} the maximum of users; absent without a stress test
 * @throws {UsageError} if it is given without one
 */
export function parseStress({ stress: isStress = false, maxUsers }) {
  if (isStress) return maxUsers ?? DEFAULT_USERS;
  if (maxUsers !== undefined) throw new UsageError('--max-users needs --stress');
  return undefined;
}

/** @param {{ delivery: string, intervalMs?: number }} climb */
const nameOf = ({ delivery, intervalMs }) => labelOfDelivery(delivery, intervalMs);

/** @type {readonly Column<Step>[]} */
const COLUMNS = [
  { title: 'Users', value: ({ users }) => users },
  { title: 'Jobs', value: ({ jobCount }) => jobCount },
  { title: 'Notified', value: ({ notifiedCount }) => notifiedCount },
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
 * Formats the test as plain text: sentences, and a table of steps for each delivery method.
 * @param {Omit<Stress, 'status' | 'ending'> & { status?: Stress['status'], ending?: Ending }} stress
 */
export function formatStress({ environment, plan, maxUsers, status, deliveries, ending }) {
  return [
    `${plan.jobs === 1 ? '1 job' : `${plan.jobs} jobs`} per user, ${isSequential(plan) ? 'one after the other' : 'all at once'}, of ${plan.minMs / 1000} to ${plan.maxMs / 1000} s. Supported means that at most 1% of the jobs are late (after ${plan.limitMs / 1000} s) or fail.`,
    '',
    ...deliveries.map((climb) => describeClimb(climb, maxUsers)),
    '',
    'Server memory (RSS) per 1,000 waiting users:',
    ...deliveries.map((climb) => `${nameOf(climb)}: ${describeMemory(climb.memory)}`),
    '',
    ...deliveries.flatMap((climb) => [`${nameOf(climb)}:`, ...toText({ columns: COLUMNS, rows: climb.steps }), '']),
    ...[describePollCost(status), ending?.reason ?? ''].filter(Boolean),
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    '',
  ]
    .map(visible)
    .join('\n');
}

/** @param {Climb} climb @param {number} maxUsers @returns {string} a sentence */
export function describeClimb(climb, maxUsers) {
  const { steps, carriedUsers, brokeAtUsers, reason, isClientBusy } = climb;
  if (brokeAtUsers === undefined) return `${nameOf(climb)}: at least ${maxUsers} users, the maximum tested.`;
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
