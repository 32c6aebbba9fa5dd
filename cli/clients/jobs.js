/**
 * Creates the clients of many users for polling or push, reads the server's traffic, and tests how many users it
 * supports.
 */
import { packagesFor } from '../../core/experiment/plan/packages.js';
import { jobs } from '../../core/experiments/jobs/index.js';
import { measureRoundTrips } from '../../core/experiments/jobs/measure.js';
import { WARM_UP_ROUNDS, eachTrial } from '../../core/experiments/jobs/plan.js';
import { reachServer } from '../../core/net/http.js';
import { readTraffic } from '../../core/net/delivery/traffic.js';
import { createTransports } from '../net/transports.js';
import { followTrials } from '../run/measure.js';
import { watchClientLoad } from '../stress/client-load.js';
import { describeFileLimit, readFileLimit } from '../stress/file-limit.js';
import { runStress, parseStress, STRESS_OPTIONS } from '../stress/index.js';
import { client as echo } from './echo.js';

/**
 * @import { JobsProgress } from '../../core/experiments/jobs/follow.js'
 * @import { PlannedTrial } from '../../core/experiments/jobs/plan.js'
 * @import { ClientLoad } from '../stress/client-load.js'
 * @import { NodeClient, NodeRun } from './index.js'
 */

/** @type {NodeClient} */
export const client = {
  ...echo,
  prepareRun,
  options: {
    list: STRESS_OPTIONS,
    parse: parseStress,
    instead: (run, { own: maxUsers, format }) =>
      maxUsers === undefined ? undefined : startStress(run, { maxUsers, format }),
  },
};

/** @param {NodeRun} run @param {{ maxUsers: number, format: string }} options */
const startStress = async (run, options) => runStress({ ...run, means: await createClients(run) }, options);

/** @param {NodeRun} run */
async function prepareRun({ baseUrl, plan, progress, signal }) {
  const fileLimit = readFileLimit();
  for (const trial of eachTrial(plan)) {
    const limited = describeFileLimit(trial, plan, fileLimit);
    if (limited) progress.say(limited);
  }
  const { onTrialStart } = followTrials(jobs, { plan, progress });
  /** @type {() => ClientLoad} */
  let readLoad;
  return {
    ...(await createClients({ baseUrl, plan })),
    warmUpRounds: WARM_UP_ROUNDS,
    reach: () => reachServer(fetchWithFewFiles, `${baseUrl}/status`, signal),
    async readRoundTrips() {
      const { fetch: transport } = await createTransports(baseUrl, ['fetch']);
      return measureRoundTrips({ transport, now: () => performance.now(), signal });
    },
    onTrialStart(/** @type {PlannedTrial} */ planned, /** @type {JobsProgress} */ state) {
      onTrialStart(planned, state);
      readLoad = watchClientLoad();
    },
    onTrialEnd() {
      const { isBusy, busiest } = readLoad();
      if (isBusy)
        progress.say(`This client was busy (${Math.round(100 * busiest)}%): measured latencies may be too long.`);
    },
  };
}

/** Reports that this program may open no more files, which says nothing about the server. @type {typeof fetch} */
const fetchWithFewFiles = (...args) =>
  fetch(...args).catch((error) => {
    if (error.cause?.code === 'EMFILE') return new Response();
    throw error;
  });

/** @param {{ baseUrl: string, plan: any }} run */
async function createClients({ baseUrl, plan }) {
  // These libraries take longer to load than everything else before a run.
  const { createJobClients } = await import('../net/job-client.js');
  return {
    createClient: await createJobClients(baseUrl, packagesFor(jobs, plan)),
    readTraffic: (/** @type {string} */ trialId) => readTraffic(fetch, `${baseUrl}/traffic/${trialId}`),
  };
}
