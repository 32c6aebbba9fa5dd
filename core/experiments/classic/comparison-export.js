/**
 * The tables of 2012, made of saved runs, to take along; their cells are those of the page.
 */
import { formatCsvLine } from '../../base/csv.js';
import { DASH } from '../../base/format.js';
import { escape, lineOf } from '../../base/markdown.js';
import { formatBeside } from '../../experiment/places/run-title.js';

/** @import { ClassicComparison, ClassicTable } from './comparison.js' */

export const TITLES = Object.freeze([
  'Iterations',
  ...['AJAX', 'SockJS', 'Ratio'],
  ...['2012: AJAX', '2012: SockJS', '2012: ratio'],
]);

/**
 * @param {ClassicTable['rows'][0]} row
 * @returns {string[]} a cell for each of {@link TITLES}
 */
export function formatRow({ iterations, measured, published }) {
  const figures = [measured, published].flatMap(({ ajax, sockjs, ratio }) => [ajax, sockjs, ratio]);
  return [String(iterations), ...figures.map((figure) => figure?.toFixed(3) ?? DASH)];
}

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
      lineOf(TITLES),
      lineOf(TITLES.map(() => '---:')),
      ...rows.map((row) => lineOf(formatRow(row))),
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

/**
 * @param {ClassicComparison} comparison
 * @returns {string} a line for each row of each table, with a header
 */
export function formatCsv({ tables }) {
  const names = ['messages_per_second', 'published_messages_per_second'];
  const columns = names.flatMap((name) => [`ajax_${name}`, `sockjs_${name}`]);
  const lines = tables.flatMap(({ title, server, numbers, rows }) =>
    rows.map(({ iterations, measured, published }) => [
      title,
      server,
      numbers.join(' '),
      iterations,
      ...[measured, published].flatMap(({ ajax, sockjs }) => [ajax?.toFixed(3), sockjs?.toFixed(3)]),
    ]),
  );
  return [['title', 'server', 'runs', 'iterations', ...columns], ...lines].map(formatCsvLine).join('');
}
