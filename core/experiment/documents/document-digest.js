/** Computes the digest of a document from its samples. */
import { isFinished } from './lone-trials.js';
import { serverOf, UNKNOWN_SERVER } from '../run/names.js';
import { findingsOf } from '../report/findings.js';
import { detailOf } from '../report/report.js';
import { storedAnswersOf } from './stored-answers.js';
import { countTrials } from '../run/trials.js';
import { warningsIn } from '../run/trust.js';

/**
 * @import { Ending, Experiment, Findings } from '../contract.js'
 * @import { Digest } from './digest.js'
 */

/**
 * @param {Experiment} experiment @param {any} document that is valid @param {Findings} [findings] if they are known
 * @returns {Digest}
 */
export function digestOf(experiment, document, findings = findingsOf(experiment, document)) {
  if (experiment.digest) return experiment.digest(document, findings);
  const { part, scope, floorMs, report, ownDigest } = findings;
  const { startedAt, plan, environment, statusBefore, trials, ending, paths } = part;
  const answered = statusBefore ?? trials.find(({ server }) => server)?.server;
  return {
    startedAt,
    ...(environment ? serverOf(environment, answered) : { server: UNKNOWN_SERVER }),
    transports: paths
      ? [...new Set(trials.map(({ transport }) => transport))]
      : [...(experiment.transportsOf?.(plan) ?? plan.transports)],
    // Times without samples cannot be checked.
    ...(environment && {
      isValid: paths ? trials.every(isFinished) : ending === undefined,
      warningCount: warningsIn(report.trust).length,
      scope,
      floorMs,
    }),
    headline: report.headline,
    detail: ending ? quoteEnding(ending) : detailOf(report),
    ...countTrials(experiment, trials),
    ...(ending || paths ? {} : storedAnswersOf([{ experiment, findings }])),
    ...(ownDigest && { [experiment.name]: ownDigest }),
  };
}

/** @param {Ending} ending @returns {string} the reason, as a quotation of the visitor's page */
export const quoteEnding = ({ reason }) => `Reported by the visitor’s page: “${reason}”`;
