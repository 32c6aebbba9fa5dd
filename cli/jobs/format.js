/**
 * What poll or push says, as plain text: a column for each trial, as twenty columns of figures would fit no terminal.
 */
import {
  describeClocks,
  describeJobs,
  describePublished,
  describeRun,
  headlineOfJobs,
  linkOfJobs,
} from '../../core/experiments/jobs/report.js';
import { visible } from '../../core/base/visible.js';
import { toTurnedText } from '../../core/experiment/table.js';
import { tabulateJobs } from '../../core/experiments/jobs/tables.js';

/** @import { JobsDocument } from '../../core/experiments/jobs/summary.js' */

/**
 * @param {JobsDocument} document
 * @param {{ planWords?: string }} [options] how the plan is repeated where no link leads to it
 * @returns {string}
 */
export function formatJobs(document, { planWords = linkOfJobs(document) } = {}) {
  const { environment } = document;
  const spaced = (/** @type {readonly string[]} */ sentences) => sentences.flatMap((sentence) => [sentence, '']);
  return [
    ...spaced([describeRun(document), headlineOfJobs(document), ...describeJobs(document)]),
    ...toTurnedText(tabulateJobs(document).all),
    '',
    ...spaced([...describeClocks(document), ...describePublished(document)]),
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    `Plan: ${planWords}`,
    '',
  ]
    .map(visible)
    .join('\n');
}
