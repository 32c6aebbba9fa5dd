/**
 * Describes the full test: runs of several experiments, one after the other, a line for each, and one decision. It is
 * saved, listed and exported as an experiment is, and made of the documents of its parts.
 */
import { sendingIn } from './decide.js';
import { slownessIn } from '../experiment/plan/situation.js';
import { toCsv } from '../experiment/report/table.js';
import { listDistances } from './distances.js';
import { describeFailures, scoreOf, summarizeParts } from './score.js';
import { linkOf, membersOf } from './plan.js';
import { report, tabulateAnswers, trustFactsOfParts } from './report.js';
import { problemOf, SCHEMA, schemaOf } from './schema.js';

/**
 * @import { Experiment, Whole } from '../experiment/contract.js'
 * @import { PartTrial } from '../experiment/run/trials.js'
 * @import { MeasuredPart, Score } from './score.js'
 * @import { Member } from './plan.js'
 * @import { FullTestDocument } from './schema.js'
 * @typedef {{ measured: readonly MeasuredPart[], score: Score }} Summary
 */

const NAME = 'full-test';

/**
 * @param {readonly Experiment[]} experiments whose runs it may have
 * @param {{ distancesMs?: readonly number[] }} [options] round-trip times of other users, for whom it answers, too
 * @returns {Experiment & Whole}
 */
export function createFullTest(experiments, { distancesMs } = {}) {
  const described = { ...describeDocument(experiments), ...describeFindings(experiments, distancesMs) };
  // Its type is an experiment's, though it has no plan of its own, as its parts have theirs.
  return /** @type {any} */ (Object.freeze(described));
}

/** @param {readonly Experiment[]} experiments */
const describeDocument = (experiments) => ({
  name: NAME,
  label: 'Full test',
  path: '/all',
  question: 'Should you move from AJAX to WebSocket? Several tests, one decision.',
  schema: SCHEMA,
  schemaOf: schemaOf(experiments),
  problemOf: (/** @type {FullTestDocument} */ document) => problemOf(document, experiments),
  members: experiments,
  planPath(/** @type {FullTestDocument} */ { situation, parts }) {
    const members = membersOf(experiments);
    const planned = parts.map(({ experiment: name, document }) => ({
      experiment: /** @type {Member} */ (members.find((one) => one.name === name)),
      plan: document?.plan,
    }));
    return linkOf({ situation, parts: planned });
  },
});

/** @param {readonly Experiment[]} experiments @param {readonly number[]} [distancesMs] */
function describeFindings(experiments, distancesMs) {
  /** @param {FullTestDocument} document @returns {Summary} */
  const summarize = ({ situation, parts }) => {
    const measured = summarizeParts({ parts, situation }, experiments);
    return { measured, score: scoreOf(measured, situation) };
  };
  return {
    compares: true,
    failsIf: 'a test failed or was stopped',
    readTrial(/** @type {PartTrial} */ { of, own }) {
      const { answerCount, failures } = of.readTrial(own);
      return { answerCount, failures };
    },
    find(/** @type {FullTestDocument} */ document) {
      const summary = summarize(document);
      const { measured, score } = summary;
      return {
        summary,
        report: report(measured, score, distancesMs),
        roundTripMs: measured.flatMap(({ findings }) => findings?.roundTripMs ?? []),
        trust: { facts: trustFactsOfParts(measured) },
        answers: measured.flatMap((one) => answersOfPart(one, score)),
        listElsewhere: () =>
          listDistances(measured, score, distancesMs).map(({ rttMs, isMeasured, news, sending }) => ({
            rttMs,
            answers: [
              ...(news ? [{ ...news, isPredicted: true }] : []),
              ...(sending ? [{ ...sending, isPredicted: !isMeasured }] : []),
            ],
          })),
        failure: describeFailures(measured).join(' ') || undefined,
      };
    },
    formatCsv: (/** @type {FullTestDocument} */ document) => toCsv(tabulateAnswers(summarize(document).score)),
  };
}

/**
 * What a part compares, as it was measured; for slower devices, sending is predicted.
 * @param {MeasuredPart} measured @param {Score} score
 */
function answersOfPart({ member, findings, missing }, { answers, situation }) {
  const { question } = member.fullTest;
  const sending = slownessIn(situation) > 1 ? sendingIn(answers) : undefined;
  const own = sending?.experiment === member.name ? [sending] : (findings?.answers ?? []);
  return (missing ? [] : own).map((one) => ({
    ...one,
    question,
    at: [question, one.at].filter(Boolean).join(': '),
  }));
}
