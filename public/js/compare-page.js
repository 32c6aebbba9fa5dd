/**
 * Saved runs side by side: their documents are read here, and what is said of them is computed here, of every sample.
 */
import { describeMarks } from '../../core/experiment/documents/open-document.js';
import { readRun } from './results-api.js';
import { element } from './ui/element.js';
import { mountCopyButton, mountDownloadButton } from './ui/saving/export-buttons.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */

/**
 * @typedef {object} Shown what the page can do with a comparison besides
 * @property {(link: string) => string} markdown
 * @property {() => string} csv
 *
 * @typedef {object} WholeRun
 * @property {number} number as the page counts it
 * @property {string} id
 * @property {any} document
 * @property {string[]} marks what cannot be true of it
 */

const page = element('#compare', HTMLElement);
const status = element('#compare-status', HTMLElement);
const link = location.origin + location.pathname + location.search;

/**
 * @param {string} listed number and id, as the server lists them
 * @returns {Promise<{ run?: WholeRun, problem?: string }>}
 */
async function read(listed) {
  const [number, id] = listed.split(':');
  try {
    return { run: { ...(await readRun(id)), number: Number(number) } };
  } catch (error) {
    return { problem: `Run ${number} could not be read: ${/** @type {Error} */ (error).message}.` };
  }
}

/**
 * @param {Experiment} experiment
 * @param {{ showComparison: (runs: any[], experiment: any) => Promise<Shown> }} view how its runs stand side by side
 * @returns {Promise<void>}
 */
export async function openComparePage(experiment, { showComparison }) {
  status.textContent = 'Reading the samples…';
  const answers = await Promise.all(String(page.dataset.runs).split(',').map(read));
  const problems = answers.map(({ problem }) => problem).filter((problem) => problem !== undefined);
  // Without the first there is nothing to set the others against.
  if (!answers[0].run) {
    status.textContent = `${problems.join(' ')} Load the page again.`;
    return;
  }
  const runs = answers.map(({ run }) => run).filter((run) => run !== undefined);
  const { markdown, csv } = await showComparison(runs, experiment).catch((error) => {
    status.textContent = `The comparison could not be drawn: ${error}.`;
    throw error;
  });
  mountCopyButton('#copy-markdown', () => markdown(link));
  mountCopyButton('#copy-link', () => link);
  mountDownloadButton('#download-csv', { type: 'text/csv', text: csv, fileName: () => 'sockshootout-comparison.csv' });
  const contradictions = runs.flatMap(({ number, marks }) =>
    marks.length > 0 ? `${number}. ${describeMarks(marks)}` : [],
  );
  status.textContent = [...problems, ...contradictions].join(' ');
}
