/**
 * Saved runs as plain text. What visitors wrote must not steer a terminal.
 */
import { visible } from '../../core/base/visible.js';

/** @import { Place, SavedRun } from '../../server/store/index.js' */

/** @type {readonly (readonly [title: string, cell: (run: SavedRun) => string])[]} */
const COLUMNS = [
  ['id', ({ id }) => id],
  ['saved', ({ savedAt }) => savedAt],
  ['experiment', ({ experiment }) => experiment],
  ['valid', ({ isValid }) => (isValid ? 'yes' : 'no')],
  ['server', ({ server }) => server],
  ['transports', ({ transports }) => transports.join(',')],
  ['label', ({ label = '' }) => label],
  ['place', ({ place }) => (place ? formatPlace(place) : '')],
];

/**
 * @param {SavedRun[]} runs
 * @returns {string} a line for each, under a line of titles
 */
export function formatSavedRuns(runs) {
  const lines = [COLUMNS.map(([title]) => title), ...runs.map((run) => COLUMNS.map(([, cell]) => visible(cell(run))))];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => cell.padEnd(widths[column]))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** What nobody can check. */
const REPORTED = 'samples, times, browser, server and place are as reported by the visitor';

/**
 * @param {SavedRun} run
 * @param {readonly string[]} marks what cannot be true of its document
 * @returns {string} a line for each thing that is known
 */
export function formatSavedRun(run, marks) {
  const cells = COLUMNS.map(([title, cell]) => [title, cell(run)]);
  const all = [
    ...cells,
    ['note', run.note ?? ''],
    ['digest', JSON.stringify(run.digest)],
    ['unchecked', REPORTED],
    ...marks.map((mark) => ['impossible', mark]),
  ];
  return all
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${`${title}:`.padEnd(12)}${visible(text)}\n`)
    .join('');
}

/** @param {Place} place */
function formatPlace({ name = '', latitude, longitude }) {
  const position = latitude === undefined || longitude === undefined ? '' : `(${latitude}, ${longitude})`;
  return [name, position].filter(Boolean).join(' ');
}
