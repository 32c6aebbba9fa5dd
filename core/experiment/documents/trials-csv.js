import { formatCsv } from './result-csv.js';

/**
 * Trials that stand by themselves, as a run's are written.
 *
 * @param {readonly import('../../net/echo/trial.js').Trial[]} trials
 * @returns {string} CSV; each trial has its own block, and `sent_at_ms` counts from the first one's start
 */
export function formatTrialsCsv(trials) {
  return formatCsv({
    trials: trials.map((trial, block) => ({ ...trial, block, startedAtMs: trial.startedAtMs - trials[0].startedAtMs })),
  });
}
