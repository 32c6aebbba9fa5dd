import {
  describePlanner,
  parseNeeds,
  PLANNER_COLUMNS,
  PLANNER_FIELDS,
  planWays,
} from '../../../../core/experiments/jobs/planner.js';
import { element, inputs, onSubmit } from '../element.js';
import { markFaults } from '../field-faults.js';
import { fillTable } from '../table.js';
import { tryOrSay } from '../try-or-say.js';

/**
 * @import { WayPlan } from '../../../../core/experiments/jobs/planner.js'
 * @import { JobsDocument } from '../../../../core/experiments/jobs/summary.js'
 */

/**
 * What the visitor's own users would cost by each delivery method: calculated again with each input.
 * @returns {{ show(document: JobsDocument): void }}
 */
export function createJobsPlanner() {
  const section = element('#planner-section');
  const fields = inputs('#planner input');
  const table = element('#planner-rows', HTMLTableElement);
  /** @param {readonly WayPlan[]} rows */
  const showRows = (rows) => fillTable(table, { columns: PLANNER_COLUMNS, rows });
  /** @type {JobsDocument | undefined} */
  let shown;

  const show = () => {
    if (!shown) return;
    const usable = fields.filter(({ disabled }) => !disabled);
    const query = new URLSearchParams(usable.map(({ name, value }) => [name, value.trim()]));
    const needs = tryOrSay(
      () => parseNeeds(query),
      (message) => (element('#planner-error').textContent = markFaults(fields, message)),
    );
    showRows(needs ? planWays(shown, needs) : []);
  };

  element('#planner').addEventListener('input', show);
  onSubmit('#planner', () => {});
  return {
    show(document) {
      shown = document;
      // An invalid run gives nothing to plan with, whatever is asked for.
      const plans = planWays(document, parseNeeds(new URLSearchParams()));
      section.hidden = plans.length === 0;
      if (section.hidden) return;
      const hasPolling = plans.some(({ way }) => way === 'poll');
      for (const field of fields) field.disabled = field.name === PLANNER_FIELDS.intervalMs.parameter && !hasPolling;
      element('#planner-note').textContent = describePlanner(document);
      show();
    },
  };
}
