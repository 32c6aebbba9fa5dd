/** Measures the parts of a full test in Node.js, one after the other. */
import { formatSeconds } from '../../core/base/format.js';
import { InvalidInputError, visible } from '../../core/base/foreign-text.js';
import { describeError } from '../../core/experiment/faults.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { describeFailures, summarizeParts } from '../../core/full-test/score.js';
import { secondsOf } from '../../core/full-test/plan.js';
import { runFullTest } from '../../core/full-test/run.js';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { loadClient } from '../clients/index.js';
import { createProgress, RunError } from '../program/program.js';
import { measureInNode } from '../run/measure.js';

/**
 * @import { Situation } from '../../core/experiment/situation.js'
 * @import { FullTestPlan, PlannedPart } from '../../core/full-test/plan.js'
 * @import { FullTestDocument, Part } from '../../core/full-test/schema.js'
 * @typedef {{ baseUrl: string, signal: AbortSignal, isQuiet: boolean }} PartRun
 */

/** The maximum length of a reason: a document has one line for it. */
const MAX_REASON = 500;

/**
 * @param {FullTestPlan} plan @param {PartRun & { roundTripMs: number }} run `roundTripMs`: over HTTP
 * @returns {Promise<FullTestDocument | undefined>} absent if it was stopped before anything was measured
 * @throws {RunError} if no part could be measured
 */
export async function measureParts(plan, { roundTripMs, ...run }) {
  const progress = createProgress(run.isQuiet);
  const titles = titlesOf(plan.parts, roundTripMs);
  /** @type {Part[]} */
  const parts = [];
  const document = await runFullTest(plan, {
    signal: run.signal,
    describe: describeFault,
    onStart: (index) => progress.say(titles[index]),
    onEnd: (_, part) => parts.push(part),
    measure: (part, signal) => measurePart(part, { ...run, situation: plan.situation, signal }),
  });
  if (document || run.signal.aborted) return document;
  throw new RunError(describeFailures(summarizeParts({ parts }, EXPERIMENTS)).join(' '));
}

/**
 * @param {readonly PlannedPart[]} parts @param {number} roundTripMs over HTTP
 * @returns {string[]} such as 'test 1 of 2: Being notified, about 9 s; 14 s left'
 */
export const titlesOf = (parts, roundTripMs) =>
  parts.map((part, i) => {
    const about = formatSeconds(secondsOf([part], roundTripMs));
    const left = i < parts.length - 1 ? `; ${formatSeconds(secondsOf(parts.slice(i), roundTripMs))} left` : '';
    return `test ${i + 1} of ${parts.length}: ${part.experiment.fullTest.question}, about ${about}${left}`;
  });

/** @param {PlannedPart} part @param {PartRun & { situation: Situation }} run @returns {Promise<any>} its document @throws {RunError} if it is empty */
async function measurePart({ experiment, plan }, { isQuiet, ...run }) {
  // Each part has a progress of its own, which begins with 0%.
  const progress = createProgress(isQuiet);
  try {
    const client = await loadClient(experiment.name);
    const document = await measureInNode(experiment, client, { ...run, plan, progress });
    if (!run.signal.aborted || document.trials?.length !== 0) return document;
    throw new RunError('Stopped before anything was measured.');
  } finally {
    progress.end();
  }
}

/** @param {any} error @returns {string} why a part failed; a fault of the program is printed whole, too */
function describeFault(error) {
  if (error instanceof ExchangeError) return describeError(error);
  if (!(error instanceof InvalidInputError)) process.stderr.write(`${error.stack}\n`);
  return visible(error.message).slice(0, MAX_REASON);
}
