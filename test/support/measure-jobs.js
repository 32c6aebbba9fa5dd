import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { client } from '../../cli/clients/jobs.js';
import { measureInNode } from '../../cli/run/measure.js';
import { jobs } from '../../core/experiments/jobs/index.js';

/**
 * @import { NodeRun } from '../../cli/clients/index.js'
 * @import { JobsPlan } from '../../core/experiments/jobs/plan.js'
 * @import { JobsDocument } from '../../core/experiments/jobs/schema.js'
 * @import { JobClient } from '../../core/net/delivery/index.js'
 */

/** @param {string} query of a link @returns {JobsPlan} */
export const jobsPlanOf = (query) => parsePlan(jobs, new URLSearchParams(query), { seed: 0 });

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
  const watched = {
    /** @param {NodeRun} run */
    async prepareRun(run) {
      const means = await client.prepareRun(run);
      return {
        ...means,
        createClient: watch(means.createClient),
        async onTrialEnd(/** @type {any} */ made) {
          await means.onTrialEnd?.(made);
          onTrialEnd?.(made);
        },
      };
    },
  };
  return measureInNode(jobs, watched, { baseUrl: origin, plan, progress, signal: new AbortController().signal });
}
