/** Polling or push: clients of many users, the traffic that the server records, and how many users it supports. */
import { measureRoundTrips, WARM_UP_ROUNDS } from '../../../core/experiments/jobs/measure.js';
import { eachTrial } from '../../../core/experiments/jobs/plan.js';
import { integer, parseField } from '../../../core/experiment/fields.js';
import { reachServer } from '../../../core/net/http.js';
import { labelOfDelivery } from '../../../core/net/labels.js';
import { readTraffic } from '../../../core/net/delivery/traffic.js';
import { createTransports } from '../../net/transports.js';
import { FLAG, TEXT, UsageError } from '../../program/program.js';
import { describeFileLimit, readFileLimit, watchClientLoad } from './client-limits.js';
import { probeEcho } from './echo.js';
import { formatStress, measureStress } from './jobs-stress.js';

/**
 * @import { JobsDocument } from '../../../core/experiments/jobs/schema.js'
 * @import { Begun, Only } from './index.js'
 */

/** With --stress. */
const MAX_USERS = integer({ parameter: '--most-users', label: '', min: 1, max: 100_000, default: 3200 });

/** @type {Only} */
export const only = {
  options: { stress: FLAG, 'most-users': TEXT },
  help: `  --stress              measure instead how many users each delivery method supports: add users until more than 1% of
                        the jobs are late or fail
  --most-users N        maximum number of users with --stress; default: ${MAX_USERS.default}`,
  parseOwn,
  probe: probeEcho,
  createMeans,
  unmeasured: { roundTripMs: [] },
  failure: 'a delivery method notified no client, the run is invalid or stopped',
  reasonToFail,
  instead: (begun, { own, format }) => (own === undefined ? undefined : stress(begun, own, format)),
};

/** @param {Record<string, any>} values @returns {number | undefined} */
function parseOwn({ stress: isStress = false, 'most-users': text, csv, markdown, browser }) {
  if (!isStress && text !== undefined) throw new UsageError('--most-users needs --stress');
  if (!isStress) return undefined;
  const wrong = [csv && '--csv', markdown && '--markdown', browser && '--browser'].find(Boolean);
  if (wrong) throw new UsageError(`--stress cannot be used with ${wrong}`);
  return parseField(text ?? null, MAX_USERS);
}

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

/** @param {Begun} begun @param {number} mostUsers @param {string} format */
async function stress(begun, mostUsers, format) {
  const means = await createClients(begun.origin);
  const measured = await measureStress({ ...begun, means, mostUsers, fileLimit: readFileLimit() });
  return {
    text: format === 'json' ? `${JSON.stringify(measured)}\n` : formatStress(measured),
    listReasons: () => (measured.ending ? [measured.ending.reason] : []),
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
