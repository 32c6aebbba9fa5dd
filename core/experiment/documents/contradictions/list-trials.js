/**
 * The trials of a document of any experiment, by their common fields.
 *
 * @typedef {object} SeenTrial
 * @property {string} path within the document
 * @property {string} transport or the delivery method of jobs
 * @property {string} [protocol] that was negotiated; several with commas, where users got different ones
 * @property {{ server: string, location: string, version: string, startedAt: string }} [server] that answered
 * @property {number} [startedAtMs] absent where the experiment does not keep it
 * @property {number} [endedAtMs] when the last thing happened that the trial tells of, by the same clock
 */

/** @param {any} document @returns {SeenTrial[]} in their order */
export function listTrials({ trials, runs, tests }) {
  if (trials) return trials.map((/** @type {any} */ trial, /** @type {number} */ i) => describe(trial, `trials.${i}`));
  const [name, records] = runs ? ['runs', runs] : ['tests', tests];
  return records.map((/** @type {any} */ { trial }, /** @type {number} */ i) => describe(trial, `${name}.${i}.trial`));
}

/** @param {any} trial @param {string} path @returns {SeenTrial} */
function describe(trial, path) {
  const { transport, way, protocol, server, startedAtMs } = trial;
  const endedAtMs = startedAtMs === undefined ? undefined : startedAtMs + lastMsOf(trial);
  return { path, transport: transport ?? way, protocol, server, startedAtMs, endedAtMs };
}

/** @param {any} trial @returns {number} since its start; 0 where it tells of nothing */
function lastMsOf({ elapsedMs, durationMs, samples = {}, failures = [] }) {
  const { sentAtMs = [], roundTripMs = [], endedAtMs = [] } = samples;
  const answeredMs = roundTripMs.map((/** @type {number} */ ms, /** @type {number} */ i) => sentAtMs[i] + ms);
  const failedMs = failures.map((/** @type {any} */ failure) => failure.sentAtMs ?? 0);
  const known = [elapsedMs ?? durationMs ?? 0, ...[endedAtMs, answeredMs, failedMs].map(maximum)];
  return Math.max(...known);
}

/** Of more than a call may have arguments. @param {readonly number[]} values */
function maximum(values) {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
