/**
 * `--fail-if 'sockjs slower'`: what must not come out, for a script that watches a site.
 */
import { baselineOf } from '../../core/experiments/shootout/plan.js';
import { labelOf, LABELS } from '../../core/net/echo/labels.js';
import { UsageError } from './errors.js';

/**
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 * @import { Report } from '../../core/experiments/shootout/report.js'
 */

const WORDS = ['same', 'faster', 'slower', 'unclear'];

/** @typedef {{ transport: string, word: string }} Condition */

/**
 * @param {string} text
 * @returns {Condition}
 * @throws {UsageError}
 */
export function parseCondition(text) {
  const [transport, word, ...more] = text.trim().split(/\s+/);
  if (Object.hasOwn(LABELS, transport) && WORDS.includes(word) && more.length === 0) return { transport, word };
  throw new UsageError(
    `--fail-if: expected a transport and one of ${WORDS.join(', ')}, as in 'sockjs slower', got “${text}”`,
  );
}

/**
 * @param {readonly Condition[]} conditions
 * @param {Plan} plan
 * @throws {UsageError} where a condition is about what the plan does not compare
 */
export function checkConditions(conditions, plan) {
  const compared = plan.transports.filter((name) => name !== baselineOf(plan));
  for (const { transport, word } of conditions) {
    if (compared.includes(transport)) continue;
    throw new UsageError(
      `--fail-if: expected one of ${compared.join(', ')}, which this plan sets against ${baselineOf(plan)}, got “${transport} ${word}”`,
    );
  }
}

/**
 * @param {readonly Condition[]} conditions
 * @param {Report} report of a run with a verdict
 * @returns {string[]} a sentence for each that holds, or that cannot be told
 */
export function listFailures(conditions, { baseline, rows }) {
  return conditions.flatMap(({ transport, word }) => {
    const found = rows.find((row) => row.transport === transport)?.comparison?.word;
    if (found && found !== word) return [];
    const names = `${labelOf(transport)} against ${labelOf(baseline)}`;
    return [
      found
        ? `--fail-if '${transport} ${word}': ${names} is ${word}.`
        : `--fail-if '${transport} ${word}': ${names} cannot be judged, as too little was measured.`,
    ];
  });
}
