/** Exports a run as JSON for programs: its document, and a summary of what follows from it. */
import { unitOf } from './answer.js';
import { findingsOf } from './report.js';
import { warningsIn } from './trust.js';

/**
 * @import { Answer, Unit } from './answer.js'
 * @import { Findings } from './contract.js'
 * @import { Summarized } from './report.js'
 */

/**
 * @param {Summarized} experiment @param {any} document @param {Findings} [findings]
 * @returns the document with a `summary`, which {@link withoutSummary} removes: it is computed again, never believed
 */
export function exportOf(experiment, document, { answers, report, scope, floorMs } = findingsOf(experiment, document)) {
  const { ending } = document;
  return {
    ...document,
    summary: {
      headline: report.headline,
      scope,
      floorMs,
      warnings: warningsIn(report.trust).map(({ name, value }) => `${name}: ${value}`),
      comparisons: ending ? [] : answers.map(toComparison),
    },
  };
}

/** @param {Answer} answer @returns what programs read of it */
function toComparison({ subject, baseline, at, verdict, isPredicted, estimate, low, high, confidence, unit, count }) {
  const { head, name = head } = unitOf(/** @type {Unit} */ (unit));
  const predicted = isPredicted && { isPredicted };
  return { subject, baseline, at, verdict, ...predicted, estimate, low, high, confidence, unit: name, count };
}

/** @param {any} given parsed JSON of any kind @returns {any} the same without an export's summary */
export function withoutSummary(given) {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, 'summary')) return given;
  const entries = Object.entries(given).filter(([name]) => name !== 'summary');
  return Object.fromEntries(entries);
}
