import { labelOfDelivery } from '../../../core/net/labels.js';
import { visible } from '../../../core/base/foreign-text.js';
import { fixed, toText } from '../../../core/experiment/table.js';

/**
 * @import { Column } from '../../../core/experiment/table.js'
 * @import { Climb, Step, Stress } from './jobs-stress.js'
 */

/** @type {readonly Column<Step>[]} */
const COLUMNS = [
  { title: 'Users', value: ({ users }) => users },
  { title: 'Jobs', value: ({ jobCount }) => jobCount },
  { title: 'Notified', value: ({ toldCount }) => toldCount },
  { title: 'Late', value: ({ lateCount }) => lateCount },
  { title: 'Failed', value: ({ failureCount }) => failureCount },
  { title: 'This client, busiest', value: ({ client }) => formatPercent(client.busiest) },
  { title: 'Its timers late', unit: 'ms', value: ({ client }) => client.timerLateMs, format: fixed(1) },
  {
    title: 'Server CPU, of one processor',
    value: ({ serverCpuMs, elapsedMs }) =>
      serverCpuMs === undefined ? undefined : formatPercent(serverCpuMs / elapsedMs),
  },
];

/**
 * @param {Stress} stress
 * @returns {string} as plain text: sentences, and a table of steps for each delivery method
 */
export function formatStress({ environment, plan, mostUsers, ways, ending }) {
  return [
    `Each user with ${plan.jobs} jobs at once of ${plan.leastMs / 1000} to ${plan.mostMs / 1000} s; supported means that at most 1% of the jobs are late (after ${plan.limitMs / 1000} s) or fail.`,
    '',
    ...ways.map((climb) => describeClimb(climb, mostUsers)),
    '',
    ...ways.flatMap((climb) => [`${nameOf(climb)}:`, ...toText({ columns: COLUMNS, rows: climb.steps }), '']),
    ...(ending ? [ending.reason] : []),
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    '',
  ]
    .map(visible)
    .join('\n');
}

/**
 * @param {Climb} climb
 * @param {number} mostUsers
 * @returns {string}
 */
export function describeClimb(climb, mostUsers) {
  const { steps, carriedUsers, brokeAtUsers, reason, isClientBusy } = climb;
  if (brokeAtUsers === undefined) return `${nameOf(climb)}: ${mostUsers} users, the most that were tried: supported.`;
  const broken = steps.find(({ users }) => users === brokeAtUsers);
  const lost = broken ? formatPercent((broken.lateCount + broken.failureCount) / broken.jobCount) : '';
  const why = `at ${formatUsers(brokeAtUsers)}, ${lost} of the jobs were late or failed, mostly: ${reason}`;
  if (!isClientBusy) return `${nameOf(climb)}: ${carriedUsers} users; ${why}`;
  if (carriedUsers === 0) return `${nameOf(climb)}: not known, as this client was busy: ${why}`;
  return `${nameOf(climb)}: at least ${carriedUsers} users, as this client was busy: ${why}`;
}

/** @param {Climb} climb */
const nameOf = ({ way, intervalMs }) => labelOfDelivery(way, intervalMs);

/** @param {number} count */
const formatUsers = (count) => `${count} ${count === 1 ? 'user' : 'users'}`;

/** @param {number} ratio */
const formatPercent = (ratio) => `${(100 * ratio).toFixed(ratio < 0.1 ? 1 : 0)}%`;
