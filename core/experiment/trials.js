/** What trials of all experiments have in common, by their common fields. */
import { formatCsvLine } from '../base/foreign-text.js';
import { labelOf, LABELS } from '../net/labels.js';

/**
 * @import { Failure, RunTrial, Server } from '../net/echo/trial.js'
 * @import { Described } from './contract.js'
 * @import { Digest } from './documents/digest.js'
 * @typedef {{ path: string, transport?: string, check?: string, protocol?: string, server?: Omit<Server, 'worker'>, startedAtMs?:
 *   number, endedAtMs?: number }} SeenTrial `transport` or delivery method, absent in a `check` of reachability that names none;
 *   `endedAtMs`: of the last thing that the trial tells of
 */

/** Messages, or jobs, that came to their end. @param {any} trial of any experiment @returns {number} */
export function answerCountOf({ samples, roundTripMs = samples?.iteration, told, durationMs }) {
  return (roundTripMs ?? told?.job)?.length ?? (durationMs === undefined ? 0 : 1);
}

/** @param {any} trial of any experiment @returns {readonly Failure[]} */
export function failuresOf({ failure, failures = failure ? [failure] : [] }) {
  return failures;
}

/** @param {readonly unknown[]} trials of any experiment @returns {Pick<Digest, 'sampleCount' | 'failureCount'>} */
export function countsOf(trials) {
  return {
    sampleCount: trials.reduce((/** @type {number} */ sum, trial) => sum + answerCountOf(trial), 0),
    failureCount: trials.flatMap(failuresOf).length,
  };
}

/** @param {readonly { protocol?: string }[]} trials @returns {string[]} what was really negotiated, each once */
export function protocolsOf(trials) {
  return [...new Set(trials.map(({ protocol }) => protocol).filter((protocol) => protocol !== undefined))];
}

/** @param {any} document of any experiment @returns {SeenTrial[]} in their order */
export function listTrials({ trials, runs, tests }) {
  if (trials) return trials.map((/** @type {any} */ trial, /** @type {number} */ i) => seen(trial, `trials.${i}`));
  const [name, records] = runs ? ['runs', runs] : ['tests', tests];
  // What the app of 2019 shared has none.
  return records.flatMap((/** @type {any} */ { trial }, /** @type {number} */ i) =>
    trial ? seen(trial, `${name}.${i}.trial`) : [],
  );
}

/** @param {any} trial @param {string} path @returns {SeenTrial} */
function seen(trial, path) {
  const { transport, way, check, protocol, server, startedAtMs } = trial;
  const endedAtMs = startedAtMs === undefined ? undefined : startedAtMs + lastMsOf(trial);
  return { path, transport: transport ?? way, check, protocol, server, startedAtMs, endedAtMs };
}

/** @param {any} trial @returns {number} since its start; 0 where it tells of nothing */
function lastMsOf({ elapsedMs, durationMs, samples = {}, failures = [] }) {
  const { sentAtMs = [], roundTripMs = [], endedAtMs = [] } = samples;
  const answeredMs = roundTripMs.map((/** @type {number} */ ms, /** @type {number} */ i) => sentAtMs[i] + ms);
  const failedMs = failures.map((/** @type {any} */ failure) => failure.sentAtMs ?? 0);
  /** @type {number[]} more than a call may have arguments */
  const known = [elapsedMs ?? durationMs ?? 0, ...endedAtMs, ...answeredMs, ...failedMs];
  return known.reduce((most, ms) => Math.max(most, ms), 0);
}

/** Like 'http/1.1: AJAX, fetch; websocket: SockJS'; names only where trials have transports. @param {any} document */
export function describeProtocols(document) {
  const trials = listTrials(document);
  // Delivery methods of jobs have names of their own, some of which are also a transport's.
  const isByTransport = trials.every(({ transport = '' }) => Object.hasOwn(LABELS, transport));
  // Whatever the order of the trials is.
  return protocolsOf(trials)
    .sort()
    .map((protocol) => {
      const users = trials.filter((trial) => isByTransport && trial.protocol === protocol);
      const names = Object.keys(LABELS).filter((name) => users.some(({ transport }) => transport === name));
      return [protocol, names.map(labelOf).join(', ')].filter(Boolean).join(': ');
    })
    .join('; ');
}

/** @param {readonly number[]} times ms @returns {number | undefined} absent where there is none, or a coarse clock saw none pass */
export function smallestOf(times) {
  // More than a call may have arguments.
  const ms = times.reduce((least, one) => Math.min(least, one), Infinity);
  return ms > 0 && ms < Infinity ? ms : undefined;
}

/** Of the CSV of trials by core/net/echo/trial.js. */
export const sampleColumns = [
  'block', 'trial', 'transport', 'protocol', 'iteration', 'outcome', 'sent_at_ms', 'round_trip_ms', 'message',
]; // prettier-ignore

/** Its times count from the run's start. @param {RunTrial} trial @param {number} index */
export function sampleRows({ block, transport, protocol, startedAtMs, samples, failures }, index) {
  const place = [block + 1, index + 1, transport, protocol];
  return [
    ...samples.iteration.map((iteration, i) => {
      const [sentAt, roundTrip] = [startedAtMs + samples.sentAtMs[i], samples.roundTripMs[i]];
      return [...place, iteration + 1, 'ok', sentAt.toFixed(3), roundTrip.toFixed(3), undefined];
    }),
    ...failures.map(({ iteration, outcome, message }) => {
      const number = iteration === undefined ? undefined : iteration + 1;
      return [...place, number, outcome, undefined, undefined, message];
    }),
  ];
}

/**
 * A line for each sample and each failure.
 * @param {Pick<Described, 'sampleColumns' | 'sampleRows'>} experiment @param {readonly any[]} trials @param {any} plan
 */
export function formatSamplesCsv(experiment, trials, plan) {
  const rows = trials.flatMap((trial, index) => experiment.sampleRows(trial, index, plan));
  return [experiment.sampleColumns, ...rows].map(formatCsvLine).join('');
}
