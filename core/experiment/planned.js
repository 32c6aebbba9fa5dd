/** Computes what follows from the description of an experiment. */
import { InvalidInputError } from '../base/foreign-text.js';
import { storedAnswersOf } from './stored-answers.js';
import { ownPartOf } from './digest.js';
import { schemasOf } from './schemas.js';
import { findFault } from './faults.js';
import { schemaOfFields } from './fields.js';
import { isWhole } from './lone-trials.js';
import { serverOf, UNKNOWN_SERVER } from './names.js';
import { openPart } from './open-run.js';
import { planLinkOf } from './plan-link.js';
import { detailOf, findingsOf, formatMarkdown } from './report.js';
import { scopeIn } from './scope.js';
import { countTrials } from './trials.js';
import { warningsIn } from './trust.js';

/**
 * @import { Described, Ending, Experiment, ExperimentDocument, PlannedParts, Problem } from './contract.js'
 * @import { Part } from './open-run.js'
 * @import { Link } from './plan-link.js'
 * @typedef {Link & Pick<Described, 'planPath' | 'formatMarkdown' | 'schemaOf' | 'problemOf' | 'digest'>} Following the computed parts
 * @typedef {Omit<PlannedParts, 'legend' | 'path'> & Omit<Experiment, keyof Following> & Partial<Following>} Parts
 */

/** @template {Parts} E @param {E} parts which replace computed ones @returns {E & Following} */
export function planned(parts) {
  /** @type {Following} */
  const following = {
    ...planLinkOf(parts),
    planPath: (document) => experiment.linkPath(openPart(parts, document).plan),
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
      const part = openPart(parts, document);
      try {
        parts.checkPlan?.(part.plan);
      } catch (error) {
        if (!(error instanceof InvalidInputError)) throw error;
        return { path: 'plan', message: error.message };
      }
      return part.paths ? problemOfEach(parts, part) : problemOfTrials(parts, part);
    },
    digest(document, findings) {
      const part = openPart(parts, document);
      const { startedAt, plan, paths, environment, statusBefore, trials, ending } = part;
      const { summary, report } = findings ?? findingsOf(parts, part);
      const answered = statusBefore ?? trials.find(({ server }) => server)?.server;
      return {
        startedAt,
        ...(environment ? serverOf(environment, answered) : { server: UNKNOWN_SERVER }),
        transports: paths
          ? [...new Set(trials.map(({ transport }) => transport))]
          : [...(parts.transportsOf?.(plan) ?? plan.transports)],
        // Times without samples cannot be checked.
        ...(environment && {
          isValid: paths ? trials.every(isWhole) : ending === undefined,
          warningCount: warningsIn(report.trust).length,
          ...scopeIn(parts, part),
        }),
        headline: report.headline,
        detail: ending ? quoteEnding(ending) : detailOf(report),
        ...countTrials(parts, trials),
        ...(ending || paths ? {} : storedAnswersOf([{ experiment, document: part, found: summary }])),
        ...ownPartOf(parts, summary, part),
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

/**
 * Checks trials that were made one by one: a plan that was not stored says nothing of them.
 * @param {Pick<Parts, 'faultOf'>} parts @param {Part} part @returns {Problem | undefined}
 */
function problemOfEach({ faultOf }, { plan, trials, paths = [] }) {
  for (const [i, trial] of trials.entries()) {
    const message = faultOf?.(trial, { plan, isCut: trial.ending !== undefined });
    if (message) return { path: paths[i], message };
  }
  return undefined;
}

/** @param {Ending} ending @returns {string} the reason, as a quotation of the visitor's page */
export const quoteEnding = ({ reason }) => `Reported by the visitor’s page: “${reason}”`;
