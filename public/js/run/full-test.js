/** Measures a full test on the page, with one progress over all of its parts. */
import { readPath } from '../base/page.js';
import { runFullTest } from '../../../core/full-test/run.js';
import { sumOf } from '../../../core/base/statistics.js';
import { longest } from '../../../core/experiment/plan/blocks.js';

/** @import { FullTestPlan, PlannedPart } from '../../../core/full-test/plan.js' */
/** @import { FullTestDocument, Part } from '../../../core/full-test/schema.js' */
/** @import { RunProgress } from '../ui/progress.js' */

/**
 * @param {FullTestPlan} plan
 * @param {object} options
 * @param {AbortSignal} options.signal @param {RunProgress} options.progress
 * @param {number} options.roundTripMs over HTTP, for the time that is left
 * @param {(part: PlannedPart, signal: AbortSignal) => Promise<any>} options.measure returns the document of a part
 * @param {(index: number, skip: () => void) => void} [options.onStart]
 * @param {(index: number, part: Part) => void} [options.onEnd]
 * @returns {Promise<FullTestDocument | undefined>} absent if no part was measured
 */
async function measureFullTest(plan, { progress, roundTripMs, onStart, ...options }) {
  const stages = stagesOf(plan.parts, roundTripMs);
  progress.divide(stages);
  const document = await runFullTest(plan, {
    ...options,
    onStart(index, skip) {
      progress.enter(stages[index]);
      onStart?.(index, skip);
    },
  });
  progress.fill();
  return document;
}

/** @param {readonly PlannedPart[]} parts @param {number} roundTripMs of HTTP */
function stagesOf(parts, roundTripMs) {
  const seconds = parts.map(({ experiment, plan }) =>
    experiment.fullTest.secondsOf(longest(plan), roundTripMs, readPath()),
  );
  const all = sumOf(seconds, Number);
  return parts.map(({ experiment }, index) => {
    const before = sumOf(seconds.slice(0, index), Number);
    const later = sumOf(seconds.slice(index + 1), Number);
    const place = parts.length > 1 ? `${experiment.fullTest.question}, ${index + 1} of ${parts.length}. ` : '';
    return { from: before / all, to: (before + seconds[index]) / all, words: place, laterSeconds: later };
  });
}

/** @param {Part} part @returns {string | undefined} why it failed */
function reasonOf({ missing, document }) {
  if (missing?.kind === 'failed') return missing.reason;
  return document?.ending?.reason;
}

/** How the parts of a full test are measured, for the pages whose plan may have several. */
export const together = Object.freeze({
  measure: measureFullTest,
  /** @param {FullTestDocument} [document] @returns {string | undefined} why a part of it failed, if any */
  problemOf: (document) => document?.parts.map(reasonOf).find(Boolean),
});
