import { describePublished, describeRun, headlineOfJobs } from '../../../../core/experiments/jobs/report.js';
import { tabulateJobs } from '../../../../core/experiments/jobs/tables.js';
import { element } from '../element.js';
import { createJobsPlanner } from './jobs-planner.js';
import { fillTable } from '../table.js';

/** @import { JobsDocument } from '../../../../core/experiments/jobs/summary.js' */

/**
 * What is shown of poll or push besides words, chart and the first table: what was run and the plain answer, what it costs
 * with what to know of the figures of 2018, and the planner.
 *
 * @returns {{ show(document: JobsDocument): void }}
 */
export function createJobsDetails() {
  const planner = createJobsPlanner();
  return {
    show(document) {
      element('#result-run', HTMLElement).textContent = describeRun(document);
      // It would be relied on.
      element('#result-answer', HTMLElement).textContent = document.ending ? '' : headlineOfJobs(document);
      fillTable(element('#cost-rows', HTMLTableElement), tabulateJobs(document).costs);
      element('#published-2018', HTMLElement).replaceChildren(...describePublished(document).map(createItem));
      planner.show(document);
    },
  };
}

/** @param {string} words */
function createItem(words) {
  return Object.assign(document.createElement('li'), { textContent: words });
}
