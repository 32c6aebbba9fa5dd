/** The tables of 2012, made of saved runs, to export; their cells are those of the page. */
import { escape } from '../../base/markdown.js';
import { formatBeside } from '../../experiment/names.js';
import { fixed, toCsv, toMarkdown } from '../../experiment/table.js';

/**
 * @import { Column } from '../../experiment/table.js'
 * @import { ClassicComparison, ClassicTable } from './comparison.js'
 */

/** @typedef {ClassicTable['rows'][0]} Row */

/** @type {readonly Column<Row>[]} */
export const COLUMNS = [
  { title: 'Iterations', value: ({ iterations }) => iterations },
  { title: 'AJAX', value: ({ measured }) => measured.ajax, format: fixed(3) },
  { title: 'SockJS', value: ({ measured }) => measured.sockjs, format: fixed(3) },
  { title: 'Ratio', value: ({ measured }) => measured.ratio, format: fixed(3) },
  { title: '2012: AJAX', value: ({ published }) => published.ajax, format: fixed(3) },
  { title: '2012: SockJS', value: ({ published }) => published.sockjs, format: fixed(3) },
  { title: '2012: ratio', value: ({ published }) => published.ratio, format: fixed(3) },
];

/** @type {readonly Column<ClassicTable & Row>[]} */
const CSV_COLUMNS = [
  { title: 'title', value: ({ title }) => title },
  { title: 'server', value: ({ server }) => server },
  { title: 'runs', value: ({ numbers }) => numbers.join(' ') },
  { title: 'iterations', value: ({ iterations }) => iterations },
  { title: 'ajax_messages_per_second', value: ({ measured }) => measured.ajax, format: fixed(3) },
  { title: 'sockjs_messages_per_second', value: ({ measured }) => measured.sockjs, format: fixed(3) },
  { title: 'ajax_published_messages_per_second', value: ({ published }) => published.ajax, format: fixed(3) },
  { title: 'sockjs_published_messages_per_second', value: ({ published }) => published.sockjs, format: fixed(3) },
];

/**
 * @param {ClassicComparison} comparison
 * @param {string} link to the page that shows it
 * @returns {string}
 */
export function formatMarkdown({ tables, differences }, link) {
  return [
    `### ${escape(formatBeside(tables.map(({ title }) => title)))}`,
    '',
    'Messages/second from the click to the last answer, SockJS’s connection included, as in 2012.',
    '',
    ...tables.flatMap(({ title, publishedOf, rows }) => [
      `#### ${escape(title)}`,
      '',
      ...toMarkdown({ columns: COLUMNS, rows }),
      '',
      `2012: ${publishedOf}, as published.`,
      '',
    ]),
    ...differences.map((sentence) => `- ${escape(sentence)}`),
    '',
    link,
    '',
  ].join('\n');
}

/** @param {ClassicComparison} comparison @returns {string} a line for each row of each table, with a header */
export function formatCsv({ tables }) {
  const rows = tables.flatMap((table) => table.rows.map((row) => ({ ...table, ...row })));
  return toCsv({ columns: CSV_COLUMNS, rows });
}
