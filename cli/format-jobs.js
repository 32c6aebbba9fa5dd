/**
 * What poll or push says, as plain text: a column for each trial, as twenty columns of figures would fit no terminal.
 */
import { formatJobsPlan } from '../core/experiments/jobs-plan.js';
import {
  describeClocks,
  describeJobs,
  describePublished,
  formatJobsRow,
  summarizeJobs,
  TITLES,
} from '../core/experiments/jobs-report.js';
import { align } from './format-text.js';

/**
 * @param {import('../core/experiments/jobs-report.js').JobsDocument} document
 * @returns {string}
 */
export function formatJobs(document) {
  const cells = summarizeJobs(document).map(formatJobsRow);
  const { environment, plan, ending } = document;
  return [
    ...(ending ? [ending.reason, ''] : []),
    ...describeJobs(document).flatMap((sentence) => [sentence, '']),
    ...align(TITLES.map((title, column) => [title, ...cells.map((row) => row[column])])),
    '',
    ...[...describeClocks(document), ...describePublished(document)].flatMap((sentence) => [sentence, '']),
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    `Plan: ${environment.url}polltest?${formatJobsPlan(plan)}`,
    '',
  ].join('\n');
}
