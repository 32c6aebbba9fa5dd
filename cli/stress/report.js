/** Formats a stress test: sentences, and a table of steps for each delivery method. */
import { visible } from '../../core/base/foreign-text.js';
import { fixed, toText } from '../../core/experiment/table.js';
import { labelOfDelivery } from '../../core/experiment/labels.js';
import { isSequential } from '../../core/experiments/jobs/plan.js';
import { describePollCost } from '../../core/experiments/jobs/notes.js';
import { describeMemory } from './server-memory.js';

/**
 * @import { Column, Ending } from '../../core/experiment/contract.js'
 * @import { Climb, Stress } from './index.js'
 * @import { Step } from './step.js'
 */

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
