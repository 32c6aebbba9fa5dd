/** Reads the common parts of all experiments' trials, through the descriptions of the experiments. */
import { formatCsvLine } from '../../base/foreign-text.js';
import { labelOf, LABELS } from '../answer/labels.js';
import { openRun } from './open-run.js';

/**
 * @import { Described, LiveDots } from '../contract.js'
 * @import { Opening, RunPart } from './open-run.js'
 * @typedef {{ of: Described, own: any, protocol?: string, server?: any }} PartTrial a trial of a part of a whole
 * @typedef {{ readTrial: Described['readTrial'] } & Opening} Reading the parts of an experiment that read its trials
 * @typedef {{ path: string, trial: any, startedAt?: readonly [path: string, date: string] }} LocatedTrial `path`: of the
 *   trial in its document, its steps with dots between; `startedAt`: the date of a trial that has its own
 */

/**
 * Lists the trials of a run, each with its path in the document.
 * @param {Opening} experiment @param {any} document
 * @returns {readonly LocatedTrial[]} in their order
 */
export function locateTrials(experiment, document) {
  const { parts } = openRun(experiment, document);
  return experiment.members
    ? parts.flatMap((part) => locateIn(part).map((located) => ({ ...located, trial: asPartTrial(part, located) })))
    : locateIn(parts[0]);
}

/** @param {RunPart} part @returns {LocatedTrial[]} */
function locateIn({ trials, paths, path }) {
  const before = path && `${path}.`;
  return trials.map((trial, i) =>
    paths
      ? { path: `${before}${paths[i]}.trial`, trial, startedAt: [`${before}${paths[i]}.startedAt`, trial.startedAt] }
      : { path: `${before}trials.${i}`, trial },
  );
}

/** A trial of a whole keeps the experiment that it belongs to. @param {RunPart} part @param {LocatedTrial} located @returns {PartTrial} */
function asPartTrial({ experiment: of }, { trial: own }) {
  const { protocol, server } = own;
  return { of, own, protocol, server };
}

/** Lists the trials of a run. @param {Opening} experiment @param {any} document @returns {any[]} in their order */
export const trialsOf = (experiment, document) => locateTrials(experiment, document).map(({ trial }) => trial);

/**
 * Counts the samples and the failures of trials.
 * @param {{ readTrial: Described['readTrial'] }} experiment @param {readonly unknown[]} trials of it
 * @returns {{ sampleCount: number, failureCount: number }}
 */
export function countTrials({ readTrial }, trials) {
  const counts = trials.map((trial) => readTrial(trial));
  return {
    sampleCount: counts.reduce((sum, { answerCount }) => sum + answerCount, 0),
    failureCount: counts.reduce((sum, { failures }) => sum + failures.length, 0),
  };
}

/** @param {readonly { protocol?: string }[]} trials @returns {string[]} the negotiated protocols, each once */
export function protocolsOf(trials) {
  return [...new Set(trials.map(({ protocol }) => protocol).filter((protocol) => protocol !== undefined))];
}

/**
 * @param {{ readTrial: Described['readTrial'] }} experiment @param {any} trial of it
 * @returns {string} its transport, or another method
 */
export const methodOf = (experiment, trial) => experiment.readTrial(trial).method ?? trial.transport;

/**
 * Lists the protocols, as in 'http/1.1: AJAX, fetch; websocket: SockJS'; without labels if the trials have no
 * transports.
 * @param {Reading} experiment @param {any} document @returns {string}
 */
export function describeProtocols(experiment, document) {
  const trials = trialsOf(experiment, document);
  const methods = trials.map((trial) => methodOf(experiment, trial));
  // Other methods have their own names, some of which are also a transport's.
  const isByTransport = methods.every((method) => Object.hasOwn(LABELS, method));
  // The result does not depend on the order of the trials.
  return protocolsOf(trials)
    .sort()
    .map((protocol) => {
      const users = methods.filter((_, i) => isByTransport && trials[i].protocol === protocol);
      const names = Object.keys(LABELS).filter((name) => users.includes(name));
      return [protocol, names.map(labelOf).join(', ')].filter(Boolean).join(': ');
    })
    .join('; ');
}

/**
 * @param {readonly number[]} times ms
 * @returns {number | undefined} absent if there is none, or a coarse clock saw no time pass
 */
export function minOf(times) {
  const ms = leastOf(times);
  return ms === 0 ? undefined : ms;
}

/** @param {readonly number[]} times ms @returns {number | undefined} also 0; absent if there is none */
export function leastOf(times) {
  // `Math.min(...times)` fails for long lists, as a function call has a maximum number of arguments.
  const ms = times.reduce((min, one) => Math.min(min, one), Infinity);
  return ms < Infinity ? ms : undefined;
}

/**
 * @param {readonly number[]} times ms since a start, more than a call may have arguments
 * @returns {number} 0 if there is none
 */
export const lastOf = (times) => times.reduce((last, ms) => Math.max(last, ms), 0);

/**
 * Makes the `formatCsv` of an experiment: a line for each sample and each failure.
 * @param {readonly string[]} columns their names
 * @param {(trial: any, index: number, plan: any) => readonly (string | number | undefined)[][]} rowsOf the lines of a trial
 * @returns {(document: { plan?: any, trials: readonly any[] }) => string}
 */
export const samplesCsv =
  (columns, rowsOf) =>
  ({ trials, plan }) => {
    const rows = trials.flatMap((trial, index) => rowsOf(trial, index, plan));
    // Programs that read CSV expect as many cells in each line.
    const whole = rows.map((row) => [...row, ...Array(columns.length - row.length).fill(undefined)]);
    return [columns, ...whole].map(formatCsvLine).join('');
  };

/**
 * Makes the `live` of an experiment: a dot for each message so far.
 * @template {{ transport: string }} T
 * @param {{ caption: string, labelOf: (transport: string) => string, msOf: (trial: T) => readonly number[] }} picture
 * @returns {(run: { trials: readonly T[] }) => LiveDots}
 */
export const liveDots =
  ({ caption, labelOf: nameOf, msOf }) =>
  ({ trials }) => ({
    caption,
    labelOf: nameOf,
    dots: trials.flatMap((trial) => msOf(trial).map((ms) => ({ transport: trial.transport, ms }))),
  });
