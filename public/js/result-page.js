/** The page of a shared run, drawn from its samples. */
import { describeMarks } from '../../core/experiment/documents/contradictions.js';
import { readRun, RefusedError } from './results-api.js';
import { element } from './ui/element.js';
import { createExperimentView } from './ui/run/experiment-view.js';
import { mountCopyButton } from './ui/saving/export-buttons.js';
import { mountDelete } from './ui/saving/delete-run.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Extras } from './experiment-page.js'
 */

const page = element('#shared-run', HTMLElement);
const id = String(page.dataset.id);
const summary = element('#summary', HTMLElement);
const problem = element('#load-error', HTMLElement);
const permalink = location.origin + location.pathname;

/**
 * @param {Experiment} [experiment] absent for one that this version does not know
 * @param {Extras} [extras]
 */
export async function openResultPage(experiment, extras = {}) {
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
    await show(experiment, extras);
  } catch (error) {
    problem.textContent = `The run cannot be shown. ${/** @type {Error} */ (error).message}.`;
    if (!(error instanceof RefusedError || error instanceof RangeError)) throw error;
  }
}

/**
 * @param {Experiment | undefined} experiment
 * @param {Extras} extras
 */
async function show(experiment, { createView, createDetails }) {
  if (!experiment) throw new RangeError('This version of the site does not know the experiment. Download the JSON');
  const { document, marks } = await readRun(id);
  element('#contradictions', HTMLElement).textContent = describeMarks(marks);
  const { schema, formatMarkdown, planPath, hasChart } = experiment;
  if (document.schema !== schema) throw new RangeError(`Expected ${schema}, got ${document.schema}. Download the JSON`);
  const uPlot = hasChart ? (await import('uplot')).default : undefined;
  const view = createView ? createView() : createExperimentView(/** @type {any} */ (experiment));
  view.show(uPlot, document);
  createDetails?.().show(document);
  // What is drawn says the same, and more.
  summary.hidden = true;
  mountCopyButton('#copy-markdown', () => formatMarkdown(document));
  element('#run-again', HTMLAnchorElement).href = planPath(document);
  for (const part of ['#copy-markdown', '#run-again']) element(part, HTMLElement).hidden = false;
}
