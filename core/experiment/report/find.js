/** Makes the `find` of an experiment: all that a run found follows from its summary. */

/**
 * @import { OwnFindings, Trust } from '../contract.js'
 * @import { Part } from '../run/open-run.js'
 * @import { OwnReport } from './findings.js'
 * @import { Compared, OwnAnswer } from '../answer/answer.js'
 */

/**
 * @template S
 * @typedef {Omit<OwnFindings, 'summary'> & { summary: S }} FindingsOf a run with such a summary
 */

/**
 * @template P, S
 * @param {object} made of functions of the opened run, or of its summary and the run
 * @param {(part: P) => S} made.summarize
 * @param {(summary: S, part: P) => OwnReport} made.report
 * @param {(part: P) => readonly number[]} [made.roundTripsOf]
 * @param {(part: P, summary: S) => Trust} [made.trustOf]
 * @param {(summary: S, part: P) => readonly (OwnAnswer & Compared)[]} [made.answersOf]
 * @param {(part: P) => readonly number[]} [made.requestsOf]
 * @param {(summary: S, part: P) => string | undefined} [made.failureOf]
 * @param {(summary: S, part: P) => object | undefined} [made.digestOf]
 * @returns {(part: P) => FindingsOf<S>}
 */
export const createFind =
  ({ summarize, report, roundTripsOf, trustOf, answersOf, requestsOf, failureOf, digestOf }) =>
  (part) => {
    const summary = summarize(part);
    return {
      summary,
      report: report(summary, part),
      roundTripMs: roundTripsOf?.(part),
      trust: trustOf?.(part, summary),
      answers: answersOf?.(summary, part),
      requestMs: requestsOf?.(part),
      failure: failureOf?.(summary, part),
      ownDigest: digestOf?.(summary, part),
    };
  };

/**
 * Adds the card of a whole run to what an experiment finds, for the pages that show one.
 * @template S @template {Part} P @template {object} E
 * @param {E & { find: (part: P) => FindingsOf<S> }} experiment @param {(summary: S) => OwnReport['lead']} leadOf
 * @returns {Readonly<E>}
 */
export const withLead = (experiment, leadOf) =>
  Object.freeze({
    ...experiment,
    find(/** @type {P} */ part) {
      const found = experiment.find(part);
      return part.ending ? found : { ...found, report: { ...found.report, lead: leadOf(found.summary) } };
    },
  });
