import { escape, lineOf } from '../markdown.js';

/**
 * An experiment's result to paste into an issue or a wiki.
 *
 * @param {object} options
 * @param {string} options.heading
 * @param {readonly string[]} options.titles of the columns
 * @param {(column: number) => boolean} options.isTextColumn
 * @param {readonly string[][]} options.rows
 * @param {readonly string[]} options.sentences
 * @param {string} options.query of the plan's link
 * @param {Pick<import('../measure-document.js').ExperimentDocument<any, any>, 'environment' | 'startedAt' | 'ending'>} options.document
 * @returns {string}
 */
export function formatExperimentMarkdown({ heading, titles, isTextColumn, rows, sentences, query, document }) {
  const { environment, startedAt, ending } = document;
  return [
    `### ${heading}`,
    '',
    ...(ending ? [`**Not to be relied on:** ${escape(ending.reason)}`, ''] : []),
    lineOf(titles),
    lineOf(titles.map((_, column) => (isTextColumn(column) ? '---' : '---:'))),
    ...rows.map((cells) => lineOf(cells.map(escape))),
    '',
    ...(ending ? [] : [escape(sentences.join(' ')), '']),
    `Plan: ${escape(environment.url)}?${query}, ${startedAt}, ${escape(environment.userAgent)}.`,
    '',
  ].join('\n');
}
