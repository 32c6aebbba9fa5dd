/** Computes what follows from the description of an experiment whose documents have its plan. */
import { InvalidInputError } from '../base/foreign-text.js';
import { storedAnswersOf } from './stored-answers.js';
import { ownPartOf } from './digest.js';
import { schemasOf } from './schemas.js';
import { findFault } from './faults.js';
import { schemaOfFields } from './fields.js';
import { serverOf } from './names.js';
import { planLinkOf } from './plan-link.js';
import { detailOf, findingsOf, formatMarkdown } from './report.js';
import { scopeIn } from './scope.js';
import { countTrials } from './trials.js';
import { warningsIn } from './trust.js';

/**
 * @import { Described, Ending, Experiment, ExperimentDocument, PlannedParts, Problem } from './contract.js'
 * @import { Link } from './plan-link.js'
 * @typedef {Link & Pick<Described, 'planPath' | 'formatMarkdown' | 'schemaOf' | 'problemOf' | 'digest'>} Following the computed parts
 * @typedef {Omit<PlannedParts, 'legend' | 'path'> & Omit<Experiment, keyof Following> & Partial<Following>} Parts
 */

/** @template {Parts} E @param {E} parts which replace computed ones @returns {E & Following} */
export function planned(parts) {
  /** @type {Following} */
  const following = {
    ...planLinkOf(parts),
    planPath: ({ plan }) => experiment.linkPath(plan),
    formatMarkdown: (document, findings) => formatMarkdown(experiment, document, findings?.report),
    schemaOf(v, ofDocuments) {
      const { time, environment, status, ending } = ofDocuments;
      return v.strictObject({
        schema: v.literal(schemasOf(parts)[0]),
        startedAt: time,
        plan: v.strictObject(schemaOfFields(v, parts.fields)),
        environment,
        statusBefore: v.optional(status),
        statusAfter: v.optional(status),
        trials: v.array(parts.trialSchema(v, ofDocuments)),
        ...parts.moreSchema?.(v, ofDocuments),
        ending: v.optional(ending),
      });
    },
    problemOf(document) {
      const { plan } = document;
      try {
        parts.checkPlan?.(plan);
      } catch (error) {
        if (!(error instanceof InvalidInputError)) throw error;
        return { path: 'plan', message: error.message };
      }
      return problemOfTrials(parts, document);
    },
    digest(document, findings) {
      const { startedAt, plan, environment, statusBefore, trials, ending } = document;
      const { summary, report } = findings ?? findingsOf(parts, document);
      const answered = statusBefore ?? trials.find((/** @type {any} */ { server }) => server)?.server;
      return {
        startedAt,
        ...serverOf(environment, answered),
        transports: [...(parts.transportsOf?.(plan) ?? plan.transports)],
        isValid: ending === undefined,
        headline: report.headline,
        detail: ending ? quoteEnding(ending) : detailOf(report),
        ...countTrials(parts, trials),
        warningCount: warningsIn(report.trust).length,
        ...scopeIn(parts, document),
        ...(ending ? {} : storedAnswersOf([{ experiment, document, found: summary }])),
        ...ownPartOf(parts, summary, document),
      };
    },
  };
  const experiment = Object.freeze({ ...following, ...parts });
  return experiment;
}

/**
 * Checks that a run has all trials of the plan, in its order, unless it ended early: nobody may leave out blocks.
 * @param {Parts} parts @param {any} run @returns {Problem | undefined}
 */
function problemOfTrials(parts, run) {
  const { plan, trials, ending } = /** @type {ExperimentDocument<any, any>} */ (run);
  const all = parts.trialsOf(plan);
  const isWhole = ending ? trials.length <= all.length : trials.length === all.length;
  if (!isWhole || !trials.every((trial, i) => parts.trialKeys.every((name) => trial[name] === all[i][name]))) {
    return { path: 'trials', message: 'expected the trials of the plan, in its order' };
  }
  for (const [i, trial] of trials.entries()) {
    const message = parts.faultOf?.(trial, { plan, isCut: ending !== undefined && i === trials.length - 1 });
    if (message) return { path: `trials.${i}`, message };
  }
  const fault = ending ? undefined : findFault(parts, run);
  return fault && { path: 'ending', message: `expected an ending, because the run is invalid: ${fault.reason}` };
}

/** @param {Ending} ending @returns {string} the reason, as a quotation of the visitor's page */
export const quoteEnding = ({ reason }) => `Reported by the visitor’s page: “${reason}”`;
