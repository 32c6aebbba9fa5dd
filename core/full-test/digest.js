/** Computes the digest of a full test, for lists: its decision, and which parts it has. */
import { figureOf } from '../experiment/answer/answer.js';
import { storedAnswersOf } from '../experiment/documents/stored-answers.js';
import { serverOf } from '../experiment/run/names.js';
import { openRun } from '../experiment/run/open-run.js';
import { detailOf } from '../experiment/report/report.js';
import { countTrials, trialsOf } from '../experiment/run/trials.js';
import { warningsIn } from '../experiment/run/trust.js';

/**
 * @import { Answer } from '../experiment/answer/answer.js'
 * @import { Valibot } from '../base/valibot.js'
 * @import { Described, Experiment, Findings, Whole } from '../experiment/contract.js'
 * @import { Opening, RunPart } from '../experiment/run/open-run.js'
 * @import { MeasuredPart, Score } from './score.js'
 * @import { FullTestDocument } from './schema.js'
 * @typedef {Opening & { name: string, readTrial: Described['readTrial'] }} Counted
 */

const MAX_WORD = 100;

/** Defines the part of a digest that only full tests have. @param {Valibot} v */
const digestSchema = (v) =>
  v.strictObject({
    parts: v.pipe(v.array(v.string()), v.description('The experiments whose runs it has')),
    lines: v.array(
      v.strictObject({ experiment: v.string(), mark: v.string(), word: v.string(), figure: v.optional(v.string()) }),
    ),
  });

/** @param {FullTestDocument} document @param {Score} score @returns what only its digest has */
const ownDigestOf = ({ parts }, { answers }) => ({
  parts: parts.filter(({ document }) => document).map(({ experiment }) => experiment),
  lines: answers.filter(({ mark }) => mark !== 'none').map(toStoredLine),
});

/** @param {Answer} answer */
function toStoredLine(answer) {
  const { experiment, mark, word } = answer;
  const { figure } = figureOf(answer);
  return { experiment, mark, word: word.slice(0, MAX_WORD), ...(figure && { figure: figure.slice(0, MAX_WORD) }) };
}

/** @param {RunPart} part @returns {readonly string[]} those of its plan */
const transportsOf = ({ experiment, plan }) => experiment.transportsOf?.(plan) ?? plan.transports;

/** @param {{ measured: readonly MeasuredPart[] }} summary */
const listAnswering = ({ measured }) =>
  measured.flatMap(({ member: experiment, findings }) => (findings ? [{ experiment, findings }] : []));

/**
 * Computes that part.
 * @param {Counted} fullTest @param {FullTestDocument} document @param {Findings} findings
 */
function digestOf(fullTest, document, { summary, report, scope, floorMs }) {
  const { parts } = openRun(fullTest, document);
  const { startedAt, environment, situation } = document;
  const answered = parts.map(({ statusBefore }) => statusBefore).find(Boolean);
  return {
    startedAt,
    ...serverOf(environment, answered),
    transports: [...new Set(parts.flatMap(transportsOf))],
    isValid: parts.every(({ ending }) => ending === undefined),
    headline: report.headline,
    detail: detailOf(report),
    ...countTrials(fullTest, trialsOf(fullTest, document)),
    warningCount: warningsIn(report.trust).length,
    scope,
    floorMs,
    ...storedAnswersOf(listAnswering(summary), situation),
    [fullTest.name]: ownDigestOf(document, summary.score),
  };
}

/**
 * Adds the digest, which lists and conditions need; pages that measure have none.
 * @param {Experiment & Whole} fullTest @returns {Experiment & Whole}
 */
export const withDigest = (fullTest) =>
  Object.freeze({
    ...fullTest,
    digestSchema,
    digest: (/** @type {FullTestDocument} */ document, /** @type {Findings} */ findings) =>
      digestOf(fullTest, document, findings),
  });
