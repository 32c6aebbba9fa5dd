/** Parses `--fail-if 'sockjs slower'`, which makes the command fail if a run gives this verdict. */
import { listOf, VERDICT_LABELS } from '../../core/experiment/compare.js';
import {
  DELIVERY_LABELS,
  labelOf,
  LABELS,
  NEW_CONNECTION_LABELS,
  TRANSFER_LABELS,
} from '../../core/experiment/labels.js';
import { UsageError } from '../program/program.js';

/**
 * @import { Answer } from '../../core/experiment/answer.js'
 * @import { Condition } from './conditions.js'
 */

const VERDICTS = Object.keys(VERDICT_LABELS);
/** All that any experiment compares. */
const SUBJECTS = [LABELS, TRANSFER_LABELS, NEW_CONNECTION_LABELS, DELIVERY_LABELS].flatMap(Object.keys);

/**
 * @param {string} text @returns {Condition | undefined} absent if it is about figures
 * @throws {UsageError} what, expected, got
 */
export function parseVerdictCondition(text) {
  if (/[<>=]/.test(text) || text.trim() === 'invalid') return undefined;
  const [subject, verdict, ...more] = text.trim().split(/\s+/);
  if (!SUBJECTS.includes(subject) || !VERDICTS.includes(verdict) || more.length > 0) {
    throw new UsageError(
      `--fail-if: expected a method and one of ${VERDICTS.join(', ')}, as in 'sockjs slower', or figures, as in 'sockjs p50_ms>50', got “${text}”`,
    );
  }
  return {
    check: ({ answers }) => checkCompared(answers, text, subject),
    reasonOf: ({ answers }) => reasonOf(answers, subject, verdict),
  };
}

/**
 * @param {readonly Answer[]} answers none before anything is measured, of some experiments
 * @param {string} text @param {string} subject @throws {UsageError} if the run does not compare it
 */
function checkCompared(answers, text, subject) {
  const subjects = [...new Set(answers.map((one) => one.subject))];
  if (subjects.length === 0 || subjects.includes(subject)) return;
  const baselines = [...new Set(answers.map(({ baseline }) => baseline))];
  throw new UsageError(
    `--fail-if: expected one of ${subjects.join(', ')}, which this plan compares with ${listOf(baselines)}, got “${text}”`,
  );
}

/**
 * @param {readonly Answer[]} answers @param {string} subject @param {string} verdict
 * @returns {string | undefined} sentences about the comparisons that have this verdict, or too little for any
 */
function reasonOf(answers, subject, verdict) {
  const own = answers.filter((one) => one.subject === subject);
  if (own.length === 0) return 'it cannot be judged, because nothing was compared.';
  const met = own.filter((one) => one.verdict === verdict || one.verdict === undefined);
  return met.map(describe).join(' ') || undefined;
}

/** @param {Answer} answer @returns {string} a sentence */
function describe({ subject, baseline, at, verdict, word }) {
  const where = at === undefined ? '' : `, ${at}`;
  const found = verdict ? word.toLowerCase() : 'it cannot be judged, because too little was measured';
  return `${labelOf(subject)} compared with ${labelOf(baseline)}${where}: ${found}.`;
}
