import { describePublished } from '../../core/experiments/jobs-report.js';
import { element } from './element.js';
import { createJobsPlanner } from './jobs-planner.js';

/**
 * What is shown of poll or push besides words, chart and table: what to know of the figures of 2018, and the planner.
 *
 * @returns {{ show(document: import('../../core/experiments/jobs-report.js').JobsDocument): void }}
 */
export function createJobsDetails() {
  const planner = createJobsPlanner();
  return {
    show(document) {
      element('#published-2018', HTMLElement).replaceChildren(...describePublished(document).map(createItem));
      planner.show(document);
    },
  };
}

/** @param {string} words */
function createItem(words) {
  return Object.assign(document.createElement('li'), { textContent: words });
}
