/** Compares shared runs, computed here from every sample of their documents. */
import { InvalidInputError } from '../../core/base/foreign-text.js';
import { describeProtocols } from '../../core/experiment/run/trials.js';
import { describeMarks } from '../../core/experiment/documents/contradictions.js';
import { compareRuns, formatCsv, formatMarkdown } from '../../core/matrix/comparison.js';
import { findDifferences, tellDifference } from '../../core/matrix/differences.js';
import { formatWarningCount } from '../../core/experiment/run/trust.js';
import { readRun, RefusedError } from './results-api.js';
import { create, createItems, element, keepAsOne, keepTogether } from './base/page.js';
import { mountCopyButton, mountFileButton, mountMenu } from './ui/export-buttons.js';
import { createTables, drawCharts, drawTimelines, showArrivals } from './ui/report-view.js';
import { linkOrigin } from './site-url.js';

/** @import { Comparison } from '../../core/matrix/comparison.js' */
/** @import { Difference } from '../../core/matrix/differences.js' */
/** @import { ComparedRun, Experiment } from '../../core/experiment/contract.js' */

const page = element('#compare');
const listed = String(page.dataset.runs)
  .split(',')
  .map((run) => run.split(':'));
/** As its rows call them. @type {readonly string[]} */
const names = JSON.parse(String(page.dataset.names));
const status = element('#compare-status');
const link = linkOrigin() + location.pathname + location.search;

/** @param {Experiment} experiment @param {readonly string[]} run number and id, as the server lists them */
async function read(experiment, [number, id]) {
  try {
    return { run: { ...(await readRun(experiment, id)), number: Number(number) } };
  } catch (error) {
    const isExplained = error instanceof RefusedError || error instanceof InvalidInputError;
    if (!isExplained) reportError(error);
    const reason = isExplained ? error.message : 'Reload the page';
    return { problem: `Run ${number} cannot be read. ${reason}.` };
  }
}

/** Compares the runs that the page lists, which are of one experiment. @param {Experiment} experiment */
export async function openComparePage(experiment) {
  status.textContent = 'Reading the samples…';
  const answers = await Promise.all(listed.map((run) => read(experiment, run)));
  const problems = answers.flatMap(({ problem }) => problem ?? []);
  // The first predicts the others.
  if (!answers[0].run) {
    status.textContent = problems.join(' ');
    return;
  }
  const runs = answers.flatMap(({ run }) => run ?? []);
  showProtocols(experiment, runs);
  const comparison = await show(experiment, runs).catch((error) => {
    status.textContent = 'The comparison cannot be shown. Reload the page.';
    throw error;
  });
  mountMenu();
  mountCopyButton('#copy-markdown', () => formatMarkdown(comparison, link));
  mountCopyButton('#copy-link', () => link);
  mountFileButton('#download-csv', { type: 'csv', name: () => 'comparison', text: () => formatCsv(comparison) });
  const marked = runs.filter(({ marks }) => marks.length > 0);
  const contradictions = marked.map(({ number, marks }) => `${number}. ${describeMarks(marks)}`);
  status.textContent = [...problems, ...contradictions].join(' ');
}

/** @param {Experiment} experiment @param {readonly ComparedRun[]} runs @returns {Promise<Comparison>} */
async function show(experiment, runs) {
  const comparison = compareRuns(experiment, runs);
  const { tables, arrivals, timelines, charts } = comparison;
  const { shown, folded } = createTables(foldLong(tables));
  const details = folded.length > 0 ? [create('details', {}, create('summary', {}, 'Details'), ...folded)] : [];
  element('#compared-tables').replaceChildren(...shown, ...details);
  const maps = tables.filter(({ heatMap }) => heatMap);
  element('#compared-tables')
    .querySelectorAll('.heat thead')
    .forEach((head, i) => groupHeads(/** @type {HTMLTableSectionElement} */ (head), maps[i].columns));
  for (const { rows } of element('#compared-tables').querySelectorAll('tbody')) showOnce(rows);
  showDifferences(comparison);
  showArrivals(element('#compared-arrivals'), arrivals);
  drawTimelines(element('#compared-timelines'), timelines);
  drawCharts(element('#compared-charts'), charts, '');
  return comparison;
}

/**
 * Puts the names of groups of columns above their heads, which then need not repeat them.
 * @param {HTMLTableSectionElement} head @param {Comparison['tables'][number]['columns']} columns
 */
function groupHeads(head, columns) {
  const names = create('tr');
  /** @type {HTMLTableCellElement | undefined} */
  let last;
  for (const [i, cell] of [...head.rows[0].cells].entries()) {
    const { group } = columns[i];
    if (!group) {
      cell.rowSpan = 2;
      names.append(cell);
      continue;
    }
    if (last?.textContent === group.name) last.colSpan++;
    else names.append((last = create('th', { scope: 'colgroup' }, group.name)));
    cell.textContent = group.head;
  }
  head.prepend(names);
}

/**
 * Shows what rows below each other are about at the first of them, as each has its run, too; it is read out in each of them.
 * @param {HTMLCollectionOf<HTMLTableRowElement>} rows
 */
function showOnce(rows) {
  /** @type {string | undefined} */
  let shown;
  for (const row of rows) {
    const [cell] = row.cells;
    const words = String(cell.textContent);
    if (words === shown) {
      cell.replaceChildren(create('span', { class: 'unseen' }, words));
      row.classList.add('again');
    }
    shown = words;
  }
}

/** The maximum number of rows of all tables that stand open. */
const MAX_ROWS = 8;

/**
 * Folds tables with many rows under their headings: the chart above shows the same.
 * @param {Comparison['tables']} tables @returns {Comparison['tables']}
 */
function foldLong(tables) {
  const open = tables.filter(({ heatMap, isDetail, parts }) => !heatMap && !isDetail && !parts);
  const rowCount = open.reduce((sum, { rows }) => sum + rows.length, 0);
  if (rowCount <= MAX_ROWS) return tables;
  return tables.map((one) =>
    open.includes(one) ? { ...one, heading: one.heading ?? 'Figures', isFolded: true } : one,
  );
}

/** @param {Experiment} experiment @param {readonly { number: number, document: any }[]} runs */
function showProtocols(experiment, runs) {
  if (listed.length === 1) return;
  const used = runs.map(({ document }) => describeProtocols(experiment, document) || '–');
  const [differing] = findDifferences(runs.map(({ number }, i) => ({ number, facts: { Protocols: used[i] } })));
  element('#protocols').replaceWith(...(differing ? [createItem(differing)] : []));
  // A run that could not be read has no known protocols, and a submission of 2019 has none.
  if (differing || used[0] === '–' || runs.length < listed.length) return;
  element('#same ul').append(...createItems([`Protocols: ${used[0]}.`]));
  element('#same').hidden = false;
}

/** @param {Difference} difference */
function createItem(difference) {
  const { lead, words } = tellDifference(difference, names);
  return create('li', {}, create('b', {}, ...keepTogether(lead)), ' ', keepAsOne(words));
}

/**
 * Opens the differences of a comparison, including those that the server does not know.
 * @param {Comparison} comparison
 */
function showDifferences({ differences, warnings, doubts }) {
  const list = page.querySelector('#differs');
  if (list) {
    // The page has a shorter form of this sentence.
    const isBrowserSaid = list.querySelector('[data-fact="Browser"]');
    const others = differences.filter(({ name }) => !isBrowserSaid || name !== 'User agent');
    list.append(...others.map(createItem));
    element('#differences').hidden = list.childElementCount === 0;
  }
  const sentences = [...warnings, ...doubts];
  element('#warnings summary span').textContent = formatWarningCount(sentences.length);
  element('#warnings ul').replaceChildren(...createItems(sentences));
  element('#warnings').hidden = sentences.length === 0;
  element('#compared').hidden = false;
  element('#compared-exports').hidden = false;
}
