/** Shared runs side by side, computed here from every sample of their documents. */
import { describeProtocols } from '../../core/experiment/trials.js';
import { describeMarks } from '../../core/experiment/documents/contradictions.js';
import { readRun } from './results-api.js';
import { create, createItems, element, linkOrigin } from './ui/page.js';
import { mountCopyButton, mountFileButton } from './ui/export-buttons.js';
import { createScroll, fillTable } from './ui/table.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */
/** @import { Table } from '../../core/experiment/contract.js' */

/** @typedef {{ markdown(link: string): string, csv(): string }} Shown what the page can export */

const page = element('#compare');
const status = element('#compare-status');
const link = linkOrigin() + location.pathname + location.search;

/** @param {string} listed number and id, as the server lists them */
async function read(listed) {
  const [number, id] = listed.split(':');
  try {
    return { run: { ...(await readRun(id)), number: Number(number) } };
  } catch (error) {
    return { problem: `Run ${number} cannot be read. ${/** @type {Error} */ (error).message}.` };
  }
}

/** @param {Experiment} experiment @param {{ showComparison(runs: any[], experiment: any): Promise<Shown> }} view */
export async function openComparePage(experiment, { showComparison }) {
  status.textContent = 'Reading the samples…';
  const answers = await Promise.all(String(page.dataset.runs).split(',').map(read));
  const problems = answers.flatMap(({ problem }) => problem ?? []);
  // The first is the baseline.
  if (!answers[0].run) {
    status.textContent = problems.join(' ');
    return;
  }
  const runs = answers.flatMap(({ run }) => run ?? []);
  for (const { number, document } of runs) {
    const cell = page.querySelector(`#protocols [data-run="${number}"]`);
    if (cell) cell.textContent = describeProtocols(document) || '–';
  }
  const { markdown, csv } = await showComparison(runs, experiment).catch((error) => {
    status.textContent = `The comparison cannot be shown: ${error}. Reload the page.`;
    throw error;
  });
  mountCopyButton('#copy-markdown', () => markdown(link));
  mountCopyButton('#copy-link', () => link);
  mountFileButton('#download-csv', { type: 'csv', name: 'comparison', text: csv });
  const marked = runs.filter(({ marks }) => marks.length > 0);
  const contradictions = marked.map(({ number, marks }) => `${number}. ${describeMarks(marks)}`);
  status.textContent = [...problems, ...contradictions].join(' ');
}

/** Opens what is shown of a comparison. @param {readonly string[]} differences what else differs, and warnings */
export function showDifferences(differences) {
  element('#warnings ul').replaceChildren(...createItems(differences));
  element('#warnings').hidden = differences.length === 0;
  element('#compared').hidden = false;
}

/**
 * One place's table, with its name, and a note beneath it.
 * @param {{ caption: string, table: Table<any>, note: string, kind: 'rates' | 'classic' }} options @returns {HTMLElement}
 */
export function createPlaceTable({ caption, table, note, kind }) {
  const target = fillTable(create('table', { class: `figures ${kind}` }, create('caption', {}, caption)), table);
  return create('section', {}, createScroll(caption, target), create('small', {}, note));
}
