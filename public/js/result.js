/**
 * The page of a saved run: drawn from its samples, as it was right after it was made.
 */
import { describeMarks } from '../core/documents/open-document.js';
import { readRun, RefusedError } from './results-api.js';
import { element } from './ui/element.js';
import { mountCopyButton } from './ui/export-buttons.js';
import { mountDelete } from './ui/delete-run.js';

/**
 * @typedef {object} Drawn what the page can do with a run besides
 * @property {() => string} markdown
 * @property {string} planPath where the same can be run again
 *
 * @typedef {(document: any) => Promise<Drawn>} Draw
 */

/**
 * By experiment. The server has the same table, by partials of its view.
 *
 * @type {Readonly<Record<string, () => Promise<{ SCHEMA: string, draw: Draw }>>>}
 */
const DRAWINGS = Object.freeze({
  shootout: () => import('./drawings/shootout.js'),
  'in-flight': () => import('./drawings/in-flight.js'),
  'fixed-rate': () => import('./drawings/fixed-rate.js'),
  jobs: () => import('./drawings/jobs.js'),
  payload: () => import('./drawings/payload.js'),
  classic: () => import('./drawings/classic.js'),
  countdown: () => import('./drawings/countdown.js'),
});

const page = element('#saved-run', HTMLElement);
const id = String(page.dataset.id);
const summary = element('#summary', HTMLElement);
const problem = element('#load-error', HTMLElement);
const permalink = location.origin + location.pathname;

/** @returns {Promise<Drawn>} rejects with the reason in words */
async function drawRun() {
  const load = DRAWINGS[String(page.dataset.experiment)];
  if (!load) throw new RangeError('this page cannot draw this experiment');
  const [{ document, marks }, { SCHEMA, draw }] = await Promise.all([readRun(id), load()]);
  element('#contradictions', HTMLElement).textContent = describeMarks(marks);
  if (document.schema !== SCHEMA) throw new RangeError(`expected ${SCHEMA}, got ${document.schema}`);
  return draw(document);
}

async function show() {
  try {
    const { markdown, planPath } = await drawRun();
    // What is drawn says the same, and more.
    summary.hidden = true;
    mountCopyButton('#copy-markdown', markdown);
    element('#run-again', HTMLAnchorElement).href = planPath;
    for (const part of ['#copy-markdown', '#run-again']) element(part, HTMLElement).hidden = false;
  } catch (error) {
    problem.textContent = `The run could not be drawn: ${/** @type {Error} */ (error).message}. Its JSON and CSV are below.`;
    if (!(error instanceof RefusedError || error instanceof RangeError)) throw error;
  }
}

mountCopyButton('#copy-link', () => permalink);
element('#copy-link', HTMLElement).hidden = false;
mountDelete({
  id,
  onDeleted() {
    history.replaceState(undefined, '', location.pathname);
    page.hidden = true;
    const deleted = element('#deleted', HTMLElement);
    deleted.hidden = false;
    deleted.focus();
  },
});
await show();
