/**
 * Poll or push from Node: what its page does, without the page.
 */
import { jobs } from '../../core/experiments/jobs/index.js';
import { measureRoundTrips, WARM_UP_ROUNDS } from '../../core/experiments/jobs/measure.js';
import { eachTrial } from '../../core/experiments/jobs/plan.js';
import { measureDocument } from '../../core/experiment/measure-document.js';
import { readTraffic } from '../../core/net/delivery/traffic.js';
import { watchClientLoad } from '../net/client-load.js';
import { formatTrialTitle } from './progress.js';
import { createTransports } from '../net/transports.js';
import { environmentOf } from '../net/environment.js';

/**
 * @import { JobsTrial, Options } from '../../core/experiments/jobs/measure.js'
 * @import { JobsPlan } from '../../core/experiments/jobs/plan.js'
 * @import { JobsDocument } from '../../core/experiments/jobs/summary.js'
 * @import { JobClient } from '../../core/net/delivery/index.js'
 * @import { ClientLoad } from '../net/client-load.js'
 * @import { JobsProgressLine } from './progress.js'
 */

const now = () => performance.now();

/**
 * @typedef {object} Site
 * @property {string} origin
 * @property {() => JobClient} createClient
 */

/**
 * @param {object} options
 * @param {Site} options.site
 * @param {JobsPlan} options.plan
 * @param {JobsProgressLine} options.progress
 * @param {AbortSignal} options.signal ends the run, with an Ending as its reason
 * @param {(run: { trials: JobsTrial[] }) => void | Promise<void>} [options.onTrialEnd]
 * @returns {Promise<JobsDocument>} whatever happens, what was measured until then
 */
export function measureJobsDocument({ site, plan, progress, signal, onTrialEnd }) {
  const count = eachTrial(plan).length;
  let number = 0;
  /** @type {() => ClientLoad} */
  let readLoad;
  return measureDocument(jobs, {
    ...meansOf(site),
    plan,
    environment: environmentOf(site),
    statusUrl: `${site.origin}/status`,
    signal,
    warmUpRounds: WARM_UP_ROUNDS,
    async readRoundTrips() {
      const { fetch: transport } = await createTransports(site.origin, ['fetch']);
      return measureRoundTrips({ transport, now, signal });
    },
    onTrialStart(trial, state) {
      progress.start(formatTrialTitle(trial, { number: ++number, count }), state);
      readLoad = watchClientLoad();
    },
    onTrialEnd(run) {
      const { isBusy, busiest } = readLoad();
      if (isBusy) progress.say(`This client was busy (${Math.round(100 * busiest)} %): it may have learnt late.`);
      return onTrialEnd?.(run);
    },
  });
}

/**
 * @param {Site} site
 * @returns {Pick<Options, 'createClient' | 'readTraffic' | 'now'>}
 */
export function meansOf({ origin, createClient }) {
  return { createClient, readTraffic: (run) => readTraffic(fetch, `${origin}/traffic/${run}`), now };
}
