import { escape } from '../base/markdown.js';
import { toMarkdown } from './table.js';

/**
 * @import { ExperimentDocument } from './measure-document.js'
 * @import { Table } from './table.js'
 */

/**
 * An experiment's result to paste into an issue or a wiki.
 *
 * @param {object} options
 * @param {string} options.heading
 * @param {Table<any>} options.table
 * @param {readonly string[]} options.sentences
 * @param {string} [options.head] what was run, to stand before the table
 * @param {string} [options.query] of the plan's link
 * @param {string} [options.planWords] how the plan is repeated where that is not by the query at the document's own address
 * @param {Pick<ExperimentDocument<any, any>, 'environment' | 'startedAt' | 'ending'>} options.document
 * @returns {string}
 */
export function formatExperimentMarkdown({ heading, table, head, sentences, query, planWords, document }) {
  const { environment, startedAt, ending } = document;
  const plan = planWords ?? `${escape(environment.url)}?${query}`;
  return [
    `### ${heading}`,
    '',
    ...(head === undefined ? [] : [escape(head), '']),
    ...(ending ? [`**Not to be relied on:** ${escape(ending.reason)}`, ''] : []),
    ...toMarkdown(table),
    '',
    ...(ending ? [] : [escape(sentences.join(' ')), '']),
    `Plan: ${plan}, ${startedAt}, ${escape(environment.userAgent)}.`,
    '',
  ].join('\n');
}
