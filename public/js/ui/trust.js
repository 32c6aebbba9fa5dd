/** Shows beside a verdict whether its run can be trusted: the number of warnings and the most serious, and on a press all checks. */
import { countWarnings, describeWarnings, warningsIn } from '../../../core/experiment/run/trust.js';
import { create, element, keepTogether } from '../base/page.js';

/** @import { Report } from '../../../core/experiment/report/findings.js' */

/** @param {{ trust: Report['trust'], notice?: string }} report without any checks nothing is shown */
export function showTrust({ trust: facts, notice }) {
  const warnings = warningsIn(facts);
  const trust = element('#trust');
  trust.hidden = facts.length === 0;
  trust.classList.toggle('doubtful', warnings.length > 0);
  element('#trust-count').textContent = describeTrust(facts, notice);
  // The warnings come first.
  const others = facts.filter(({ isWarning }) => !isWarning);
  element('#trust-facts').replaceChildren(...[...warnings, ...others].flatMap(createEntry));
}

/** @param {Report['trust']} facts @param {string} [notice] @returns {string} what stands on the button that shows all of them */
function describeTrust(facts, notice) {
  if (warningsIn(facts).length > 0) return describeWarnings(facts);
  return notice ? 'What was checked' : `${countWarnings({ trust: facts })}; what was checked`;
}

/** @param {{ name: string, value: string, isWarning?: boolean }} entry @returns {HTMLElement[]} of a description list */
export const createEntry = ({ name, value, isWarning }) => [
  create('dt', {}, name),
  isWarning
    ? create('dd', { class: 'warning' }, '⚠ ', ...keepTogether(value))
    : create('dd', {}, ...keepTogether(value)),
];
