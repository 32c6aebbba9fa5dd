/** Measures a full test on the page, with one progress over all of its parts. */
import { describeEnding } from '../../../core/experiment/faults.js';
import { runFullTest } from '../../../core/full-test/run.js';
import { sumOf } from '../../../core/base/statistics.js';
import { measureOnPage } from './measure.js';

/** @import { PageClient } from '../clients/contract.js' */
/** @import { FullTestPlan, PlannedPart } from '../../../core/full-test/plan.js' */
/** @import { FullTestDocument, Part } from '../../../core/full-test/schema.js' */
/** @import { RunProgress } from '../ui/progress.js' */
/** @import { Press, RunOutcome } from './page-life.js' */

/**
 * @typedef {object} FullTestOptions
 * @property {Pick<Press, 'signal' | 'noticed'>} press
 * @property {RunProgress} progress
 * @property {number} roundTripMs over HTTP, for the time that is left
 * @property {(experiment: string) => PageClient} clientOf
 * @property {Readonly<Record<string, (plan: any, press: Pick<Press, 'signal' | 'noticed'>) => Promise<any>>>} [measureBy] by
 *   experiment, if its part is not measured as on its own page; returns the document
 * @property {(index: number, skip: () => void) => void} [onStart]
 * @property {(index: number, part: Part) => void} [onEnd]
 */

/**
 * @param {FullTestPlan} plan @param {FullTestOptions} options
 * @returns {Promise<FullTestDocument | undefined>} absent if no part was measured
 */
export async function measureFullTest(plan, options) {
  const { press, progress, clientOf, measureBy = {}, onStart, onEnd } = options;
  const stages = stagesOf(plan.parts, options.roundTripMs);
  const document = await runFullTest(plan, {
    signal: press.signal,
    onStart(index, skip) {
      progress.enter(stages[index]);
      onStart?.(index, skip);
    },
    onEnd,
    async measure({ experiment, plan: own }, signal) {
      const { name } = experiment;
      if (Object.hasOwn(measureBy, name)) return measureBy[name](own, { ...press, signal });
      const planned = /** @type {any} */ (experiment);
      return (await measureOnPage(planned, clientOf(name), { ...press, plan: own, signal, progress })).document;
    },
  });
  progress.fill();
  return document;
}

/** @param {readonly PlannedPart[]} parts @param {number} roundTripMs of HTTP */
function stagesOf(parts, roundTripMs) {
  const seconds = parts.map(({ experiment, plan }) => experiment.fullTest.secondsOf(plan, roundTripMs));
  const all = sumOf(seconds, Number);
  return parts.map(({ experiment }, index) => {
    const before = sumOf(seconds.slice(0, index), Number);
    const later = sumOf(seconds.slice(index + 1), Number);
    const place = parts.length > 1 ? `${experiment.fullTest.question}, ${index + 1} of ${parts.length}. ` : '';
    return { from: before / all, to: (before + seconds[index]) / all, words: place, laterSeconds: later };
  });
}

/**
 * @param {FullTestDocument | undefined} document @param {AbortSignal} signal of the whole
 * @param {(document: FullTestDocument) => Promise<void>} show
 * @returns {RunOutcome} with why it ended early, or why a part failed
 */
export function outcomeOf(document, signal, show) {
  const failed = document?.parts.map(reasonOf).find(Boolean);
  const problem = signal.aborted ? describeEnding({ ending: signal.reason }, signal) : failed;
  if (!document) return { words: 'Failed', problem };
  return { words: problem ? 'Ended early' : 'Finished', problem, show: () => show(document) };
}

/** @param {Part} part @returns {string | undefined} why it failed */
function reasonOf({ missing, document }) {
  if (missing?.kind === 'failed') return missing.reason;
  return document?.ending?.reason;
}
