import {
  formatWayPlan,
  isPlannerTextColumn,
  parseNeeds,
  PLANNER_NOTE,
  PLANNER_TITLES,
  planWays,
} from '../../core/experiments/jobs-planner.js';
import { element } from './element.js';
import { createRow } from './table.js';

/**
 * What the visitor's own users would come to by each way, anew with everything that is typed.
 *
 * @returns {{ show(document: import('../../core/experiments/jobs-report.js').JobsDocument): void }}
 */
export function createJobsPlanner() {
  const form = element('#planner', HTMLFormElement);
  const error = element('#planner-error', HTMLElement);
  const fields = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('input'))];
  const rows = element('#planner-rows tbody', HTMLElement);
  /** @type {import('../../core/experiments/jobs-report.js').JobsDocument | undefined} */
  let shown;

  const show = () => {
    if (!shown) return;
    error.textContent = '';
    try {
      const needs = parseNeeds(new URLSearchParams(fields.map(({ name, value }) => [name, value.trim()])));
      rows.replaceChildren(
        ...planWays(shown, needs).map((way) => createRow(formatWayPlan(way), 'row', isPlannerTextColumn)),
      );
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      error.textContent = problem.message;
      rows.replaceChildren();
    }
  };

  element('#planner-rows thead', HTMLElement).replaceChildren(createRow(PLANNER_TITLES, 'col', isPlannerTextColumn));
  element('#planner-note', HTMLElement).textContent = PLANNER_NOTE;
  form.addEventListener('input', show);
  // There is nothing to send.
  form.addEventListener('submit', (event) => event.preventDefault());
  return {
    show(document) {
      shown = document;
      show();
    },
  };
}
