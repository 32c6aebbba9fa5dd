/**
 * What polling or push comes to: the answer, what each method did, two tables, a chart.
 */
import { chartOf } from './chart.js';
import { describeClocks, describePublished, describeRun } from './notes.js';
import { tabulateJobs } from './tables.js';
import { describeJobs, headlineOfJobs } from './words.js';

/**
 * @import { Report } from '../../experiment/contract.js'
 * @import { JobsDocument, JobsRow } from './summary.js'
 */

/**
 * @param {readonly JobsRow[]} rows
 * @param {JobsDocument} document
 * @returns {Report}
 */
export function report(rows, document) {
  const { ending } = document;
  return {
    heading: 'Notification latency and cost',
    answer: ending ? undefined : headlineOfJobs(document, rows),
    // Of a run that ended early these say no more than how each method did.
    sentences: describeJobs(document, rows),
    notes: [describeRun(document), ...(ending ? [] : [...describeClocks(document, rows), ...describePublished(rows)])],
    tables: tabulateJobs(rows),
    charts: [chartOf(document)],
  };
}
