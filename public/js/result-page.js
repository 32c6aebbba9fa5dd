/**
 * The page of a saved run: drawn from its samples, as it was right after it was made.
 */
import { describeMarks } from '../../core/experiment/documents/open-document.js';
import { readRun, RefusedError } from './results-api.js';
import { element } from './ui/element.js';
import { mountCopyButton } from './ui/saving/export-buttons.js';
import { mountDelete } from './ui/saving/delete-run.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */

/**
 * @typedef {object} Drawing
 * @property {Experiment} experiment
 * @property {(document: any) => Promise<void> | void} draw
 */

const page = element('#saved-run', HTMLElement);
const id = String(page.dataset.id);
const summary = element('#summary', HTMLElement);
const problem = element('#load-error', HTMLElement);
const permalink = location.origin + location.pathname;

/**
 * @param {Drawing} [drawing] absent for an experiment that this version does not know
 */
export async function openResultPage(drawing) {
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
  try {
    await show(drawing);
  } catch (error) {
    problem.textContent = `The run could not be drawn: ${/** @type {Error} */ (error).message}. Its JSON and CSV are below.`;
    if (!(error instanceof RefusedError || error instanceof RangeError)) throw error;
  }
}

/** @param {Drawing} [drawing] */
async function show(drawing) {
  if (!drawing) throw new RangeError('this page cannot draw this experiment');
  const { experiment, draw } = drawing;
  const { document, marks } = await readRun(id);
  element('#contradictions', HTMLElement).textContent = describeMarks(marks);
  const { schema, formatMarkdown, planPath } = experiment;
  if (document.schema !== schema) throw new RangeError(`expected ${schema}, got ${document.schema}`);
  await draw(document);
  // What is drawn says the same, and more.
  summary.hidden = true;
  mountCopyButton('#copy-markdown', () => formatMarkdown(document));
  element('#run-again', HTMLAnchorElement).href = planPath(document);
  for (const part of ['#copy-markdown', '#run-again']) element(part, HTMLElement).hidden = false;
}
