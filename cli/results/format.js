/**
 * Shared runs as plain text. What visitors wrote must not control a terminal.
 */
import { visible } from '../../core/base/foreign-text.js';
import { toText } from '../../core/experiment/table.js';

/**
 * @import { Column } from '../../core/experiment/table.js'
 * @import { Place, SavedRun } from '../../server/store/index.js'
 */

/** @type {readonly Column<SavedRun>[]} */
const COLUMNS = [
  { title: 'id', value: ({ id }) => id },
  { title: 'shared', value: ({ savedAt }) => savedAt },
  { title: 'experiment', value: ({ experiment }) => experiment },
  { title: 'valid', value: ({ isValid }) => (isValid ? 'yes' : 'no') },
  { title: 'server', value: ({ server }) => server },
  { title: 'browser', value: ({ browser = '' }) => browser },
  { title: 'transports', value: ({ transports }) => transports.join(',') },
  { title: 'label', value: ({ label = '' }) => label },
  { title: 'place', value: ({ place }) => (place ? formatPlace(place) : '') },
];

/**
 * @param {SavedRun[]} runs
 * @returns {string} a line for each, under a line of titles
 */
export function formatSavedRuns(runs) {
  return toText({ columns: COLUMNS, rows: runs })
    .map((line) => `${line}\n`)
    .join('');
}

const REPORTED = 'samples, times, browser, server and place, as reported by the visitor';

/**
 * @param {SavedRun} run
 * @param {readonly string[]} marks the contradictions in its document
 * @returns {string} a line for each known field
 */
export function formatSavedRun(run, marks) {
  const cells = COLUMNS.map(({ title, value }, index) => [title, value(run, index)]);
  const all = [
    ...cells,
    ['note', run.note ?? ''],
    ['digest', JSON.stringify(run.digest)],
    ['unchecked', REPORTED],
    ...marks.map((mark) => ['invalid', mark]),
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
