/** Exports a run as JSON for programs: its document, and a summary of what follows from it. */
import { unitOf } from '../answer/answer.js';
import { findingsOf } from '../report/findings.js';
import { warningsIn } from '../run/trust.js';

/**
 * @import { Answer, Unit } from '../answer/answer.js'
 * @import { Findings } from '../contract.js'
 * @import { Summarized } from '../report/findings.js'
 */

/**
 * @param {Summarized} experiment @param {any} document @param {Findings} [found]
 * @returns the document with a `summary`, which {@link withoutSummary} removes: it is computed again, never believed
 */
export function exportOf(experiment, document, found = findingsOf(experiment, document)) {
  const { answers, report, scope, floorMs, listElsewhere } = found;
  const { ending } = document;
  return {
    ...document,
    summary: {
      headline: report.headline,
      scope,
      floorMs,
      warnings: warningsIn(report.trust).map(({ name, value }) => `${name}: ${value}`),
      comparisons: ending ? [] : answers.map(toComparison),
      ...(listElsewhere &&
        !ending && {
          distances: listElsewhere().map((at) => ({ rttMs: at.rttMs, comparisons: at.answers.map(toComparison) })),
        }),
    },
  };
}

/** @param {Answer} answer @returns what programs read of it */
function toComparison({ isPredicted, unit, savingMs, ...answer }) {
  const { subject, baseline, at, verdict, estimate, low, high, confidence, count } = answer;
  const { head, name = head } = unitOf(/** @type {Unit} */ (unit));
  const predicted = isPredicted && { isPredicted };
  return { subject, baseline, at, verdict, ...predicted, estimate, low, high, confidence, unit: name, count, savingMs };
}

/** @param {any} given parsed JSON of any kind @returns {any} the same without an export's summary */
export function withoutSummary(given) {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, 'summary')) return given;
  const entries = Object.entries(given).filter(([name]) => name !== 'summary');
  return Object.fromEntries(entries);
}
