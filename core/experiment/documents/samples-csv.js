/** Every iteration of a run as a line, with a header. */
import { formatCsvLine } from '../../base/foreign-text.js';

/** @import { RunTrial, Trial } from '../../net/echo/trial.js' */

const COLUMNS = [
  'block',
  'trial',
  'transport',
  'protocol',
  'iteration',
  'outcome',
  'sent_at_ms',
  'round_trip_ms',
  'message',
];

/**
 * @param {{ trials: readonly RunTrial[] }} result
 * @returns {string} a line for each sample, with `sent_at_ms` counted from the run's start, and one for each failure
 */
export function formatSamplesCsv({ trials }) {
  return [COLUMNS, ...trials.flatMap(linesOf)].map(formatCsvLine).join('');
}

/**
 * Trials that stand by themselves, as a run's are written.
 *
 * @param {readonly Trial[]} trials
 * @returns {string} CSV; each trial has its own block, and `sent_at_ms` counts from the first one's start
 */
export function formatTrialsCsv(trials) {
  return formatSamplesCsv({
    trials: trials.map((trial, block) => ({ ...trial, block, startedAtMs: trial.startedAtMs - trials[0].startedAtMs })),
  });
}

/** @param {RunTrial} trial @param {number} index @returns {(string | number | undefined)[][]} */
function linesOf({ block, transport, protocol, startedAtMs, samples, failures }, index) {
  const place = [block + 1, index + 1, transport, protocol];
  return [
    ...samples.iteration.map((iteration, i) => [
      ...place,
      iteration + 1,
      'ok',
      (startedAtMs + samples.sentAtMs[i]).toFixed(3),
      samples.roundTripMs[i].toFixed(3),
      undefined,
    ]),
    ...failures.map(({ iteration, outcome, message }) => [
      ...place,
      iteration === undefined ? undefined : iteration + 1,
      outcome,
      undefined,
      undefined,
      message,
    ]),
  ];
}
