/** Parses `--fail-if 'sockjs slower'`, which makes the command fail if an experiment gives this verdict. */
import { VERDICT_LABELS } from '../../core/experiment/compare.js';
import { labelOf, LABELS } from '../../core/experiment/labels.js';
import { UsageError } from '../program/program.js';

/**
 * @import { Experiment, Verdicts } from '../../core/experiment/contract.js'
 * @import { Condition } from './conditions.js'
 * @typedef {NonNullable<Experiment['verdictsOf']>} VerdictsOf
 */

const VERDICTS = Object.keys(VERDICT_LABELS);

/**
 * @param {string} text @param {VerdictsOf} verdictsOf of the experiment
 * @returns {Condition | undefined} absent if it is about figures @throws {UsageError} what, expected, got
 */
export function parseVerdictCondition(text, verdictsOf) {
  if (/[<>=]/.test(text) || text.trim() === 'invalid') return undefined;
  const [transport, verdict, ...more] = text.trim().split(/\s+/);
  if (!Object.hasOwn(LABELS, transport) || !VERDICTS.includes(verdict) || more.length > 0) {
    throw new UsageError(
      `--fail-if: expected a transport and one of ${VERDICTS.join(', ')}, as in 'sockjs slower', or figures, as in 'sockjs p50_ms>50', got “${text}”`,
    );
  }
  return {
    check: ({ summary }) => checkCompared(verdictsOf(summary), text, transport),
    reasonOf: ({ summary }) => reasonOf(verdictsOf(summary), transport, verdict),
  };
}

/**
 * @param {Verdicts} verdicts @param {string} text @param {string} transport
 * @throws {UsageError} if the plan does not compare it
 */
function checkCompared({ baseline, verdicts }, text, transport) {
  if (Object.hasOwn(verdicts, transport)) return;
  throw new UsageError(
    `--fail-if: expected one of ${Object.keys(verdicts).join(', ')}, which this plan compares with ${baseline}, got “${text}”`,
  );
}

/** @param {Verdicts} verdicts @param {string} transport @param {string} verdict */
function reasonOf({ baseline, verdicts }, transport, verdict) {
  const found = verdicts[transport];
  if (found && found !== verdict) return undefined;
  const names = `${labelOf(transport)} compared with ${labelOf(baseline)}`;
  return found ? `${names}: ${verdict}.` : `${names}: it cannot be judged, because too little was measured.`;
}
