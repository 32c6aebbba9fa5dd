import {
  describePlanner,
  parseNeeds,
  PLANNER_COLUMNS,
  PLANNER_FIELDS,
  planWays,
} from '../../../../core/experiments/jobs/planner.js';
import { element } from '../element.js';
import { markFaults } from '../field-faults.js';
import { fillTable } from '../table.js';

/**
 * @import { WayPlan } from '../../../../core/experiments/jobs/planner.js'
 * @import { JobsDocument } from '../../../../core/experiments/jobs/summary.js'
 */

/**
 * What the visitor's own users would come to by each way, anew with everything that is typed.
 *
 * @returns {{ show(document: JobsDocument): void }}
 */
export function createJobsPlanner() {
  const section = element('#planner-section', HTMLElement);
  const form = element('#planner', HTMLFormElement);
  const error = element('#planner-error', HTMLElement);
  const fields = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('input'))];
  const table = element('#planner-rows', HTMLTableElement);
  /** @param {readonly WayPlan[]} rows */
  const showRows = (rows) => fillTable(table, { columns: PLANNER_COLUMNS, rows });
  /** @type {JobsDocument | undefined} */
  let shown;

  const show = () => {
    if (!shown) return;
    const usable = fields.filter(({ disabled }) => !disabled);
    try {
      const needs = parseNeeds(new URLSearchParams(usable.map(({ name, value }) => [name, value.trim()])));
      showRows(planWays(shown, needs));
      error.textContent = markFaults(fields, '');
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      error.textContent = markFaults(fields, problem.message);
      showRows([]);
    }
  };

  form.addEventListener('input', show);
  // There is nothing to send.
  form.addEventListener('submit', (event) => event.preventDefault());
  return {
    show(document) {
      shown = document;
      // Of what is not to be relied on there is nothing to plan with, whatever is asked for.
      const plans = planWays(document, parseNeeds(new URLSearchParams()));
      section.hidden = plans.length === 0;
      if (section.hidden) return;
      const hasPolling = plans.some(({ way }) => way === 'poll');
      for (const field of fields) field.disabled = field.name === PLANNER_FIELDS.intervalMs.parameter && !hasPolling;
      element('#planner-note', HTMLElement).textContent = describePlanner(document);
      show();
    },
  };
}
