/**
 * Runs the jobs experiment against the scripted server of jobs, over virtual time.
 */
import { runExperiment } from '../../core/experiment/run/run.js';
import { jobs } from '../../core/experiments/jobs/index.js';
import { createScriptedJobs } from './scripted-jobs.js';
import { createVirtualTime } from './virtual-time.js';

/**
 * @import { Options } from '../../core/experiments/jobs/measure.js'
 * @import { JobsPlan } from '../../core/experiments/jobs/plan.js'
 * @import { JobsTrial } from '../../core/experiments/jobs/schema.js'
 */

export const RTT_MS = 10;
export const DELIVERIES = ['poll', 'long-poll', 'sse', 'socket-per-job', 'push', 'sockjs'];

/** This plan has ten jobs and one delivery method. */
export const PLAN = {
  deliveries: ['push'],
  intervals: [50],
  users: 2,
  jobs: 5,
  minMs: 100,
  maxMs: 1000,
  limitMs: 1100,
  seed: 7,
};

/**
 * @param {Partial<JobsPlan>} [plan] what differs from PLAN
 * @param {Parameters<typeof createScriptedJobs>[1]} [script]
 * @param {Partial<Options> & { onTrialStart?: (planned: any, progress: any) => void }} [options]
 */
export async function measure(plan, script, options) {
  const { run, ...rest } = await runScriptedJobs({ ...PLAN, ...plan }, script, options);
  return { ...run, ...rest };
}

/**
 * @param {JobsPlan} plan
 * @param {Parameters<typeof createScriptedJobs>[1]} [script]
 * @param {Parameters<typeof measure>[2]} [options]
 */
export async function runScriptedJobs(plan, script, options) {
  const time = createVirtualTime();
  const { state, ...means } = createScriptedJobs(time, { roundTripMs: RTT_MS, ...script });
  const { now, timers } = time;
  const run = await time.run(runExperiment(jobs, { plan, ...means, now, timers, ...options }));
  return { run, state, time };
}

/** @param {JobsTrial} trial @returns {string[]} each once */
export const messagesOf = ({ failures }) => [...new Set(failures.map(({ message }) => message))];
