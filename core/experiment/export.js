/** Exports a run as JSON for programs: its document, and a summary of what follows from it. */
import { findingsOf } from './report.js';
import { scopeIn } from './scope.js';
import { warningsIn } from './trust.js';

/**
 * @import { Findings } from './contract.js'
 * @import { Summarized } from './report.js'
 */

/**
 * @param {Summarized} experiment @param {any} document @param {Findings} [findings]
 * @returns the document with a `summary`, which {@link withoutSummary} removes: it is computed again, never believed
 */
export function exportOf(experiment, document, { summary, report } = findingsOf(experiment, document)) {
  const { ending } = document;
  return {
    ...document,
    summary: {
      headline: report.headline,
      ...scopeIn(experiment, document),
      warnings: warningsIn(report.trust).map(({ name, value }) => `${name}: ${value}`),
      comparisons: ending ? [] : (experiment.comparisonsOf?.(summary, document) ?? []),
    },
  };
}

/** @param {any} given parsed JSON of any kind @returns {any} the same without an export's summary */
export function withoutSummary(given) {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, 'summary')) return given;
  const entries = Object.entries(given).filter(([name]) => name !== 'summary');
  return Object.fromEntries(entries);
}
