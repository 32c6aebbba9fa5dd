/** Polling or push: clients of many users, the traffic that the server records, and how many users it supports. */
import { measureRoundTrips, WARM_UP_ROUNDS } from '../../../core/experiments/jobs/measure.js';
import { eachTrial } from '../../../core/experiments/jobs/plan.js';
import { reachServer } from '../../../core/net/http.js';
import { labelOfDelivery } from '../../../core/net/labels.js';
import { readTraffic } from '../../../core/net/delivery/traffic.js';
import { createTransports } from '../../net/transports.js';
import { watchClientLoad } from '../../stress/client-load.js';
import { describeFileLimit, readFileLimit } from '../../stress/file-limit.js';
import { runStress } from '../../stress/index.js';
import { parseStress, STRESS_ARGS, STRESS_HELP } from '../../stress/options.js';
import { probeEcho } from './echo.js';

/**
 * @import { JobsDocument } from '../../../core/experiments/jobs/schema.js'
 * @import { Begun, Only } from './index.js'
 */

/** @type {Only} */
export const only = {
  options: STRESS_ARGS,
  help: STRESS_HELP,
  parseOwn: parseStress,
  probe: probeEcho,
  createMeans,
  unmeasured: { roundTripMs: [] },
  failure: 'a delivery method notified no client, the run is invalid or stopped',
  reasonToFail,
  instead: (begun, { own: mostUsers, format }) =>
    mostUsers === undefined
      ? undefined
      : createClients(begun.origin).then((means) => runStress({ ...begun, means }, { mostUsers, format })),
};

/** @param {Begun} begun */
export async function createMeans({ origin, plan, progress, signal }) {
  const fileLimit = readFileLimit();
  for (const trial of eachTrial(plan)) {
    const limited = describeFileLimit(trial, plan, fileLimit);
    if (limited) progress.say(limited);
  }
  /** @type {ReturnType<typeof watchClientLoad>} */
  let readLoad;
  return {
    ...(await createClients(origin)),
    warmUpRounds: WARM_UP_ROUNDS,
    reach: () => reachServer(fetchWithFewFiles, `${origin}/status`, signal),
    async readRoundTrips() {
      const { fetch: transport } = await createTransports(origin, ['fetch']);
      return measureRoundTrips({ transport, now: () => performance.now(), signal });
    },
    onTrialStart() {
      readLoad = watchClientLoad();
    },
    onTrialEnd() {
      const { isBusy, busiest } = readLoad();
      if (isBusy)
        progress.say(`This client was busy (${Math.round(100 * busiest)}%): measured latencies may be too long.`);
    },
  };
}

/** Where this program may open no more files, that says nothing about the server. @type {typeof fetch} */
const fetchWithFewFiles = (...args) =>
  fetch(...args).catch((error) => {
    if (error.cause?.code === 'EMFILE') return new Response();
    throw error;
  });

/** @param {string} origin */
async function createClients(origin) {
  // Its libraries take longer to load than all else before a run.
  const { createJobClients } = await import('../../net/job-client.js');
  return {
    createClient: await createJobClients(origin),
    readTraffic: (/** @type {string} */ trialId) => readTraffic(fetch, `${origin}/traffic/${trialId}`),
  };
}

/** Jobs that were late or failed are a result; a method without any notification is not. @param {JobsDocument} document */
function reasonToFail({ ending, trials }) {
  if (ending) return ending.reason;
  const silent = trials.find(({ told }) => told.job.length === 0);
  if (!silent) return undefined;
  const cause = silent.failures[0]?.message ?? '';
  return `${labelOfDelivery(silent.way, silent.intervalMs)}: no client was notified of any job. ${cause}`.trim();
}
