/**
 * Makes the steps of a stress test: the jobs of a number of users, by one delivery method, and whether the server kept up. Searches
 * for the number of users that the server supports.
 */
import { byFrequency } from '../../core/base/format.js';
import { runExperiment } from '../../core/experiment/run/run.js';
import { jobs } from '../../core/experiments/jobs/index.js';
import { watchClientLoad } from './client-load.js';
import { watchMemory } from './server-memory.js';

/**
 * @import { JobsTrial } from '../../core/experiments/jobs/schema.js'
 * @import { ClientLoad } from './client-load.js'
 * @import { StressRun } from './index.js'
 * @import { WaitingMemory } from './server-memory.js'
 * @typedef {object} Step
 * @property {number} users
 * @property {number} jobCount
 * @property {number} notifiedCount
 * @property {number} lateCount
 * @property {number} failureCount jobs that failed and were not just late
 * @property {boolean} hasHeld did the server keep up?
 * @property {string} [reason] the most frequent error
 * @property {ClientLoad} client
 * @property {number} [serverCpuMs] of all its processes
 * @property {number} elapsedMs
 * @property {WaitingMemory} [memory]
 * @typedef {object} Climbed users, by a delivery method
 * @property {Step[]} steps
 * @property {number} carriedUsers the maximum that succeeded, 0 if none did
 * @property {number} [brokeAtUsers] the minimum that failed, absent if all succeeded
 * @property {string} [reason] why
 * @property {boolean} isClientBusy it may support more, as this program was too busy there
 */

/** The share of a step's jobs that may be late or fail. */
const MAX_LOST = 0.01;

/** @param {StressRun} run @returns {Promise<Step | undefined>} absent if it was cancelled */
export async function measureStep({ plan, means, progress, signal }) {
  /** @type {() => { client: ClientLoad, memory?: WaitingMemory }} */
  let endTrial;
  /** @type {Step | undefined} */
  let step;
  await runExperiment(jobs, {
    ...means,
    now: () => performance.now(),
    plan,
    readRoundTrips: async () => [],
    onTrialStart(_, state) {
      const title = `${state.label}, ${plan.users} users`;
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
 * Summarizes a step.
 * @param {JobsTrial} trial @param {{ users: number, jobs: number }} plan @param {ClientLoad} client @returns {Step}
 */
export function stepOf({ notified, failures, traffic, elapsedMs }, { users, jobs }, client) {
  const jobCount = users * jobs;
  const lateCount = failures.filter(({ outcome }) => outcome === 'timeout').length;
  return {
    users,
    jobCount,
    notifiedCount: notified.job.length,
    lateCount,
    failureCount: failures.length - lateCount,
    hasHeld: failures.length <= MAX_LOST * jobCount,
    reason: failures.length > 0 ? byFrequency(failures.map(({ message }) => message))[0][0] : undefined,
    client,
    serverCpuMs: traffic?.cpuMs,
    elapsedMs,
  };
}

const HALVING_COUNT = 2;

/**
 * Searches for the number of users that a delivery method supports. It doubles until a step fails. Two halvings between that step
 * and the last one that succeeded narrow it down.
 * @param {{ first: number, max: number, measureStep: (users: number) => Promise<Step | undefined> }} options
 * @returns {Promise<Climbed | undefined>} absent if a step was cancelled
 */
export async function climbUsers({ first, max, measureStep }) {
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

  for (let users = Math.min(first, max); ; users = Math.min(2 * users, max)) {
    if (!(await take(users))) return undefined;
    if (broken || users === max) break;
  }
  for (let halving = 0; broken && halving < HALVING_COUNT; halving++) {
    const between = Math.floor((carriedUsers + broken.users) / 2);
    if (between === carriedUsers) break;
    if (!(await take(between))) return undefined;
  }
  const { users: brokeAtUsers, reason } = broken ?? {};
  return { steps, carriedUsers, brokeAtUsers, reason, isClientBusy: broken?.client.isBusy ?? false };
}
