/** The common parts of experiments whose trials are made by core/net/echo/trial.js. */
import { lastOf, leastOf, samplesCsv } from './trials.js';

/**
 * @import { Failure, RunTrial, Samples } from '../../net/echo/trial.js'
 * @import { Counts, TrialFacts } from '../contract.js'
 * @typedef {{ samples: Samples, failures: Failure[] }} Outcomes of the messages of a trial
 */

/** Counts the answers of a trial, and lists its failures. @param {Outcomes} trial @returns {Counts} */
export const countsOf = ({ samples, failures }) => ({ answerCount: samples.iteration.length, failures });

/** @param {{ samples: Samples }} trial @returns {number} of its last answer, since its start; 0 without one */
export const lastMsOf = ({ samples: { sentAtMs, roundTripMs } }) =>
  lastOf(roundTripMs.map((ms, i) => sentAtMs[i] + ms));

/** Reads what all experiments need to know of a trial. @param {Outcomes} trial @returns {TrialFacts} */
export const readTrial = (trial) => ({
  ...countsOf(trial),
  lastMs: lastMsOf(trial),
  leastMs: leastOf(trial.samples.roundTripMs),
});

const sampleColumns = [
  'block', 'trial', 'transport', 'protocol', 'iteration', 'outcome', 'sent_at_ms', 'round_trip_ms', 'message',
]; // prettier-ignore

/** Returns the CSV lines of a trial; times count from the run's start. @param {RunTrial} trial @param {number} index */
function sampleRows({ block, transport, protocol, startedAtMs, samples, failures }, index) {
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

export const formatCsv = samplesCsv(sampleColumns, sampleRows);
