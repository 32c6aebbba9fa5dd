/**
 * Polling or push: clients of many users, the traffic that the server records, and how many users it supports.
 */
import { measureRoundTrips, WARM_UP_ROUNDS } from '../../../core/experiments/jobs/measure.js';
import { eachTrial } from '../../../core/experiments/jobs/plan.js';
import { integer, parseField } from '../../../core/experiment/fields.js';
import { reachServer } from '../../../core/net/http.js';
import { labelOfDelivery } from '../../../core/net/labels.js';
import { readTraffic } from '../../../core/net/delivery/traffic.js';
import { watchClientLoad } from '../../net/client-load.js';
import { createTransports } from '../../net/transports.js';
import { UsageError } from '../../program/errors.js';
import { FLAG, TEXT } from '../../program/read-args.js';
import { probeEcho } from './echo.js';
import { describeFileLimit, readFileLimit } from './jobs-file-limit.js';

/**
 * @import { JobsDocument } from '../../../core/experiments/jobs/index.js'
 * @import { ClientLoad } from '../../net/client-load.js'
 * @import { Begun, Only } from './index.js'
 */

/** With --stress. */
const MAX_USERS = integer({ parameter: '--most-users', label: '', min: 1, max: 100_000, default: 3200 });

/** @type {Only} */
export const jobs = {
  options: { stress: FLAG, 'most-users': TEXT },
  help: `  --stress              measure how many users each delivery method supports instead: more and more, until over 1% of the
                        jobs are late or fail
  --most-users N        where --stress ends; by default ${MAX_USERS.default}`,
  parseOwn,
  probe: probeEcho,
  createMeans,
  unmeasured: { roundTripMs: [] },
  reasonToFail,
  instead: (begun, { own, format }) =>
    own === undefined ? undefined : measureStress(begun, { mostUsers: own, format }),
};

/**
 * @param {Record<string, any>} values
 * @returns {number | undefined} where the stress test ends; absent where there is none
 * @throws {UsageError | RangeError} what, expected, got
 */
function parseOwn({ stress = false, 'most-users': text, csv, markdown, browser }) {
  if (!stress && text !== undefined) throw new UsageError('--most-users: expected it beside --stress, got it alone');
  if (!stress) return undefined;
  const wrong = [csv && '--csv', markdown && '--markdown', browser && '--browser'].find(Boolean);
  if (wrong) throw new UsageError(`--stress: expected text or --json, measured from Node.js, got ${wrong}`);
  return parseField(text ?? null, MAX_USERS);
}

/**
 * @param {Begun} begun
 */
export async function createMeans({ origin, plan, progress, signal }) {
  const fileLimit = readFileLimit();
  for (const trial of eachTrial(plan)) {
    const limited = describeFileLimit(trial, plan, fileLimit);
    if (limited) progress.say(limited);
  }
  /** @type {() => ClientLoad} */
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
      if (isBusy) progress.say(`This client was busy (${Math.round(100 * busiest)}%): its notifications may be late.`);
    },
  };
}

/**
 * Where this program may open no more files, that says nothing about the server.
 *
 * @type {typeof fetch}
 */
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

/**
 * @param {Begun} begun
 * @param {{ mostUsers: number, format: string }} options
 */
async function measureStress(begun, { mostUsers, format }) {
  const [means, { measureStress: measure }, { formatStress }] = await Promise.all([
    createClients(begun.origin),
    import('./jobs-stress.js'),
    import('./jobs-stress-text.js'),
  ]);
  const stress = await measure({ ...begun, means, mostUsers, fileLimit: readFileLimit() });
  return {
    text: format === 'json' ? `${JSON.stringify(stress)}\n` : formatStress(stress),
    listReasons: () => (stress.ending ? [stress.ending.reason] : []),
  };
}

/**
 * Jobs that were late or failed are a result; a delivery method without any notification is not.
 *
 * @param {JobsDocument} document
 * @returns {string | undefined}
 */
function reasonToFail({ ending, trials }) {
  if (ending) return ending.reason;
  const silent = trials.find(({ told }) => told.job.length === 0);
  return (
    silent &&
    `No client was notified by ${labelOfDelivery(silent.way, silent.intervalMs)}: ${silent.failures[0]?.message}`
  );
}
