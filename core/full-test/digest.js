/** Computes the digest of a full test, for lists: its decision, and which parts it has. */
import { figureOf } from '../experiment/answer.js';
import { storedAnswersOf } from '../experiment/stored-answers.js';
import { serverOf } from '../experiment/names.js';
import { detailOf } from '../experiment/report.js';
import { scopeIn } from '../experiment/scope.js';
import { countTrials, trialsOf } from '../experiment/trials.js';
import { warningsIn } from '../experiment/trust.js';

/**
 * @import { Answer } from '../experiment/answer.js'
 * @import { Valibot } from '../experiment/document-fields.js'
 * @import { Described, Experiment, Findings } from '../experiment/contract.js'
 * @import { MeasuredPart, Score } from './score.js'
 * @import { FullTestDocument } from './schema.js'
 * @typedef {Pick<Described, 'name' | 'readTrial' | 'trialsIn' | 'openStored' | 'roundTripsOf'>} Counted
 * @typedef {{ experiment: Experiment, document: any, path: string }} Run a part that was measured; `path`: of its document
 */

const MAX_WORD = 100;

/** @param {Valibot} v */
export const digestSchema = (v) =>
  v.strictObject({
    parts: v.pipe(v.array(v.string()), v.description('The experiments whose runs it has')),
    lines: v.array(
      v.strictObject({ experiment: v.string(), mark: v.string(), word: v.string(), figure: v.optional(v.string()) }),
    ),
  });

/** @param {FullTestDocument} document @param {Score} score @returns what only its digest has */
export const ownDigestOf = ({ parts }, { answers }) => ({
  parts: parts.filter(({ document }) => document).map(({ experiment }) => experiment),
  lines: answers.filter(({ mark }) => mark !== 'none').map(toStoredLine),
});

/** @param {Answer} answer */
function toStoredLine(answer) {
  const { experiment, mark, word } = answer;
  const { figure } = figureOf(answer);
  return { experiment, mark, word: word.slice(0, MAX_WORD), ...(figure && { figure: figure.slice(0, MAX_WORD) }) };
}

/** @param {Run} run @returns {readonly string[]} those of its plan */
function transportsOf({ experiment, document: { plan } }) {
  return experiment.transportsOf?.(plan) ?? plan.transports;
}

/** @param {{ measured: readonly MeasuredPart[] }} summary */
const listAnswering = ({ measured }) =>
  measured.flatMap(({ member, part, found }) =>
    part?.document ? [{ experiment: member, document: part.document, found }] : [],
  );

/**
 * @param {Counted} fullTest @param {FullTestDocument} document
 * @param {{ runs: readonly Run[], findings: Findings }} measured
 */
export function digestOf(fullTest, document, { runs, findings: { summary, report, ownDigest } }) {
  const { startedAt, environment, situation } = document;
  const scoped = scopeIn(fullTest, document);
  const answered = runs.map(({ document: own }) => own.statusBefore).find(Boolean);
  return {
    startedAt,
    ...serverOf(environment, answered),
    transports: [...new Set(runs.flatMap(transportsOf))],
    isValid: runs.every(({ document: { ending } }) => ending === undefined),
    headline: report.headline,
    detail: detailOf(report),
    ...countTrials(fullTest, trialsOf(fullTest, document)),
    warningCount: warningsIn(report.trust).length,
    ...scoped,
    ...storedAnswersOf(listAnswering(summary), situation, scoped.floorMs),
    [fullTest.name]: ownDigest,
  };
}
