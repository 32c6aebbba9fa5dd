import { measureInNode } from '../../cli/run/measure.js';
import { createMeans } from '../../cli/run/only/jobs.js';
import { jobs } from '../../core/experiments/jobs/index.js';

/**
 * @import { JobsPlan } from '../../core/experiments/jobs/plan.js'
 * @import { JobsDocument } from '../../core/experiments/jobs/schema.js'
 * @import { JobClient } from '../../core/net/delivery/index.js'
 */

/** @param {string} query of a link @returns {JobsPlan} */
export const jobsPlanOf = (query) => jobs.parsePlan(new URLSearchParams(query), { seed: 0 });

/**
 * `sockshootout run jobs` without its process.
 *
 * @param {string} origin
 * @param {object} options
 * @param {JobsPlan} options.plan
 * @param {(create: () => JobClient) => () => JobClient} [options.watch] makes clients that are watched
 * @param {(run: any) => void} [options.onTrialEnd]
 * @returns {Promise<JobsDocument>}
 */
export async function measureJobs(origin, { plan, watch = (create) => create, onTrialEnd }) {
  const progress = { start() {}, say() {}, end() {} };
  const begun = { origin, plan, progress, signal: new AbortController().signal };
  const means = await createMeans(begun);
  return measureInNode(jobs, { ...begun, means: { ...means, createClient: watch(means.createClient) }, onTrialEnd });
}
