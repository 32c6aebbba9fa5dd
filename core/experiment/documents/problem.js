/** What is wrong with a document that its schema does not detect. */
import { InvalidInputError } from '../../base/foreign-text.js';
import { findFault } from '../run/faults.js';
import { looksAfter } from '../plan/blocks.js';
import { openPart } from '../run/open-run.js';

/**
 * @import { Experiment, Problem } from '../contract.js'
 * @import { Part } from '../run/open-run.js'
 */

/** @param {Experiment} experiment @param {any} document that fits its schema @returns {Problem | undefined} */
export function problemOf(experiment, document) {
  if (experiment.problemOf) return experiment.problemOf(document);
  const part = openPart(experiment, document);
  try {
    experiment.checkPlan?.(part.plan);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { path: 'plan', message: error.message };
  }
  return part.paths ? problemOfRecords(experiment, part) : problemOfTrials(experiment, part);
}

/**
 * Checks trials that were made one by one: the plan is made of them.
 * @param {Experiment} experiment @param {Part} part @returns {Problem | undefined}
 */
function problemOfRecords({ faultOf }, { plan, trials, paths = [] }) {
  for (const [i, trial] of trials.entries()) {
    const message = faultOf?.(trial, { plan, isCut: trial.ending !== undefined });
    if (message) return { path: paths[i], message };
  }
  return undefined;
}

/** @param {readonly any[]} planned @returns {string[]} the fields that name them, such as their block; a list is no name */
const namesIn = (planned) =>
  [...new Set(planned.flatMap((one) => Object.keys(one)))].filter(
    (name) => !planned.some((one) => Array.isArray(one[name])),
  );

/**
 * Checks whether a run may end after so many trials: with its last one, or with a block after which its plan looks. Whether the
 * answer was clear by then is not checked: the release that measured has the rule. The intervals of such a run are wide enough to
 * end at any look of its plan.
 * @param {number} count of trials @param {{ plan: any, all: readonly { block?: number }[] }} planned
 */
const isEnd = (count, { plan, all }) =>
  count === all.length || (looksAfter(plan, Number(all[count]?.block)) && all[count - 1]?.block !== all[count].block);

/**
 * Checks that a run has all trials of the plan, in its order, unless it ended early: nobody may leave out blocks.
 * @param {Experiment} experiment @param {Part} part @returns {Problem | undefined}
 */
function problemOfTrials(experiment, part) {
  const { plan, trials, ending } = part;
  const all = experiment.trialsOf(plan);
  const names = namesIn(all);
  const isWhole = ending ? trials.length <= all.length : isEnd(trials.length, { plan, all });
  if (!isWhole || !trials.every((trial, i) => names.every((name) => trial[name] === all[i][name]))) {
    return { path: 'trials', message: 'expected the trials of the plan, in its order' };
  }
  for (const [i, trial] of trials.entries()) {
    const message = experiment.faultOf?.(trial, { plan, isCut: ending !== undefined && i === trials.length - 1 });
    if (message) return { path: `trials.${i}`, message };
  }
  const fault = ending ? undefined : findFault(experiment, part);
  return fault && { path: 'ending', message: `expected an ending, because the run is invalid: ${fault.reason}` };
}
