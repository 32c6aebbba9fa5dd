/** Computes the digest of a document from its samples. */
import { serverOf } from './names.js';
import { detailOf, findingsOf } from './report.js';
import { scopeIn } from './scope.js';
import { storedAnswersOf } from './stored-answers.js';
import { countTrials } from './trials.js';
import { warningsIn } from './trust.js';

/**
 * @import { Ending, Experiment, Findings } from './contract.js'
 * @import { Digest } from './digest.js'
 */

/**
 * @param {Experiment} experiment @param {any} document that is valid @param {Findings} [findings] if they are known
 * @returns {Digest}
 */
export function digestOf(experiment, document, findings = findingsOf(experiment, document)) {
  if (experiment.digest) return experiment.digest(document, findings);
  const { startedAt, plan, environment, statusBefore, trials, ending } = document;
  const { report, ownDigest } = findings;
  const answered = statusBefore ?? trials.find((/** @type {any} */ { server }) => server)?.server;
  return {
    startedAt,
    ...serverOf(environment, answered),
    transports: [...(experiment.transportsOf?.(plan) ?? plan.transports)],
    isValid: ending === undefined,
    headline: report.headline,
    detail: ending ? quoteEnding(ending) : detailOf(report),
    ...countTrials(experiment, trials),
    warningCount: warningsIn(report.trust).length,
    ...scopeIn(experiment, document),
    ...(ending ? {} : storedAnswersOf([{ experiment, document, found: findings }])),
    ...(ownDigest && { [experiment.name]: ownDigest }),
  };
}

/** @param {Ending} ending @returns {string} the reason, as a quotation of the visitor's page */
export const quoteEnding = ({ reason }) => `Reported by the visitor’s page: “${reason}”`;
