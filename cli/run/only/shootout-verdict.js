/**
 * `--fail-if 'sockjs slower'`: a verdict of the home page's run that must not come out.
 */
import { labelOf, LABELS } from '../../../core/net/labels.js';
import { UsageError } from '../../program/errors.js';

/**
 * @import { Report } from '../../../core/experiments/shootout/report.js'
 * @import { Condition } from '../conditions.js'
 */

const VERDICTS = ['same', 'faster', 'slower', 'unclear'];

/**
 * @param {string} text
 * @returns {Condition | undefined} absent where it is about figures
 * @throws {UsageError} what, expected, got
 */
export function parseVerdictCondition(text) {
  if (/[<>=]/.test(text) || text.trim() === 'invalid') return undefined;
  const [transport, verdict, ...more] = text.trim().split(/\s+/);
  if (!Object.hasOwn(LABELS, transport) || !VERDICTS.includes(verdict) || more.length > 0) {
    throw new UsageError(
      `--fail-if: expected a transport and one of ${VERDICTS.join(', ')}, as in 'sockjs slower', or figures, as in 'sockjs p50_ms>50', got “${text}”`,
    );
  }
  return {
    check: ({ summary }) => checkCompared(summary, text, transport),
    reasonOf: ({ summary }) => reasonOf(summary, transport, verdict),
  };
}

/**
 * @param {Pick<Report, 'baseline' | 'rows'>} report
 * @param {string} text
 * @param {string} transport
 * @throws {UsageError} where the plan does not compare it
 */
function checkCompared({ baseline, rows }, text, transport) {
  const compared = rows.map((row) => row.transport).filter((name) => name !== baseline);
  if (compared.includes(transport)) return;
  throw new UsageError(
    `--fail-if: expected one of ${compared.join(', ')}, which this plan compares with ${baseline}, got “${text}”`,
  );
}

/**
 * @param {Pick<Report, 'baseline' | 'rows'>} report of a run with a verdict
 * @param {string} transport
 * @param {string} verdict
 * @returns {string | undefined} a sentence where the condition is met, or cannot be judged
 */
function reasonOf({ baseline, rows }, transport, verdict) {
  const found = rows.find((row) => row.transport === transport)?.comparison?.word;
  if (found && found !== verdict) return undefined;
  const names = `${labelOf(transport)} against ${labelOf(baseline)}`;
  return found ? `${names} is ${verdict}.` : `${names} cannot be judged, as too little was measured.`;
}
