/** The parts of the home page's run: what the visitor's situation is about. */
import { parsePlan } from '../../../core/experiment/plan/plan-link.js';
import { jobs } from '../../../core/experiments/jobs/index.js';
import { withoutComparison as shootout } from '../../../core/experiments/shootout/index.js';
import { createFullTest } from '../../../core/full-test/index.js';
import { isNeeded, membersOf } from '../../../core/full-test/plan.js';

/** @import { Plan } from '../../../core/experiments/shootout/plan.js' */
/** @import { Situation } from '../../../core/experiment/plan/situation.js' */
/** @import { Result } from '../../../core/experiments/shootout/index.js' */
/** @import { FullTestDocument } from '../../../core/full-test/schema.js' */
/** @import { RunPlan } from './measure.js' */

/** @typedef {Result | FullTestDocument} Measured */

export const EXPERIMENTS = Object.freeze([shootout, jobs]);

export const fullTest = createFullTest(EXPERIMENTS);

/** Is it a full test, and not an echo run alone? @param {Measured} measured @returns {measured is FullTestDocument} */
export function isFullTest(measured) {
  const { schema } = measured;
  return schema === fullTest.schema;
}

/**
 * @param {{ situation: Situation, echo: Plan, linkedJobs?: any, roundTripMs: number }} choice `echo`: the plan by the form's
 *   options; `linkedJobs`: the plan of a link
 * @returns {RunPlan}
 */
export function planHome({ situation, echo, linkedJobs, roundTripMs }) {
  const chosen = membersOf(EXPERIMENTS).filter((member) => isNeeded(member, situation));
  const path = { roundTripMs, seed: echo.seed };
  return {
    situation,
    parts: chosen.map((experiment) => ({
      experiment,
      plan: experiment.name === shootout.name ? echo : (linkedJobs ?? experiment.fullTest.quickPlan(situation, path)),
    })),
  };
}

/** Reads the plan of polling or push in a link. @param {URLSearchParams} query @param {number} seed @throws {InvalidInputError} */
export function parseLinkedJobs(query, seed) {
  const linked = query.get(jobs.name);
  return linked === null ? undefined : parsePlan(jobs, new URLSearchParams(linked), { seed });
}
