/** `--fail-if 'sockjs slower'`: a verdict that must not come out, of an experiment that gives them. */
import { VERDICT_LABELS } from '../../core/experiment/compare.js';
import { labelOf, LABELS } from '../../core/net/labels.js';
import { UsageError } from '../program/program.js';

/**
 * @import { Experiment, Verdicts } from '../../core/experiment/contract.js'
 * @import { Condition } from './conditions.js'
 * @typedef {NonNullable<Experiment['verdictsOf']>} VerdictsOf
 */

const WORDS = Object.keys(VERDICT_LABELS);

/**
 * @param {string} text @param {VerdictsOf} verdictsOf of the experiment
 * @returns {Condition | undefined} absent if it is about figures @throws {UsageError} what, expected, got
 */
export function parseVerdictCondition(text, verdictsOf) {
  if (/[<>=]/.test(text) || text.trim() === 'invalid') return undefined;
  const [transport, word, ...more] = text.trim().split(/\s+/);
  if (!Object.hasOwn(LABELS, transport) || !WORDS.includes(word) || more.length > 0) {
    throw new UsageError(
      `--fail-if: expected a transport and one of ${WORDS.join(', ')}, as in 'sockjs slower', or figures, as in 'sockjs p50_ms>50', got “${text}”`,
    );
  }
  return {
    check: ({ summary }) => checkCompared(verdictsOf(summary), text, transport),
    reasonOf: ({ summary }) => reasonOf(verdictsOf(summary), transport, word),
  };
}

/**
 * @param {Verdicts} verdicts @param {string} text @param {string} transport
 * @throws {UsageError} if the plan does not compare it
 */
function checkCompared({ baseline, words }, text, transport) {
  if (Object.hasOwn(words, transport)) return;
  throw new UsageError(
    `--fail-if: expected one of ${Object.keys(words).join(', ')}, which this plan compares with ${baseline}, got “${text}”`,
  );
}

/** @param {Verdicts} verdicts @param {string} transport @param {string} word */
function reasonOf({ baseline, words }, transport, word) {
  const found = words[transport];
  if (found && found !== word) return undefined;
  const names = `${labelOf(transport)} compared with ${labelOf(baseline)}`;
  return found ? `${names}: ${word}.` : `${names}: it cannot be judged, because too little was measured.`;
}
