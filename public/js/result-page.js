/** The page of a shared run, drawn from its samples. */
import { InvalidInputError } from '../../core/base/foreign-text.js';
import { describeMarks } from '../../core/experiment/documents/contradictions.js';
import { deleteRun, readRun, RefusedError } from './results-api.js';
import { element, linkOrigin } from './ui/page.js';
import { createReportView } from './ui/report-view.js';
import { mountCopyButton } from './ui/export-buttons.js';
import { mountPictureButton } from './ui/picture-button.js';
import { forgetSaved, listSavedHere } from './storage.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */
/** @import { PageClient } from './clients/contract.js' */

const page = element('#shared-run');
const id = String(page.dataset.id);

/** @param {Experiment} [experiment] absent for one that this version does not know @param {PageClient} [client] */
export async function openResultPage(experiment, client = {}) {
  mountCopyButton('#copy-link', () => linkOrigin() + location.pathname);
  element('#copy-link').hidden = false;
  mountDelete();
  try {
    await show(experiment, client);
  } catch (error) {
    element('#load-error').textContent = `The run cannot be shown. ${/** @type {Error} */ (error).message}.`;
    if (!(error instanceof RefusedError || error instanceof InvalidInputError)) throw error;
  }
}

/** @param {Experiment | undefined} experiment @param {PageClient} client */
async function show(experiment, { createView, createDetails }) {
  if (!experiment)
    throw new InvalidInputError('This version of the site does not know the experiment. Download the JSON');
  const { document, marks } = await readRun(experiment, id);
  element('#contradictions').textContent = describeMarks(marks);
  const { formatMarkdown, planPath, hasChart } = experiment;
  const uPlot = hasChart ? (await import('uplot')).default : undefined;
  const view = createView ? createView() : createReportView(/** @type {any} */ (experiment));
  view.show(uPlot, document);
  createDetails?.().show(document);
  // The drawn report contains the summary.
  element('#summary').hidden = true;
  mountCopyButton('#copy-markdown', () => formatMarkdown(document));
  element('#run-again', HTMLAnchorElement).href = planPath(document);
  for (const part of ['#copy-markdown', '#copy-picture', '#run-again']) element(part).hidden = false;
  mountPictureButton(
    () => experiment,
    () => document,
  );
}

/** Deletes the run, for visitors with the delete link or the browser that shared it. */
function mountDelete() {
  const section = element('#delete');
  const ask = element('#delete-ask');
  const confirm = element('#delete-confirm', HTMLButtonElement);
  const keep = element('#delete-keep');
  const status = element('#delete-status');

  const tokenInLink = () => /^#delete=([\w-]+)$/.exec(location.hash)?.[1];
  const token = () => tokenInLink() ?? listSavedHere().find((run) => run.id === id)?.deleteToken;

  /** @param {boolean} isAsking @param {HTMLElement} next has the focus */
  const setAsking = (isAsking, next) => {
    ask.hidden = isAsking;
    element('#delete-choice').hidden = !isAsking;
    next.focus();
  };
  const show = () => {
    section.hidden = !token();
    element('#delete-warning').hidden = !tokenInLink();
    // Visitors with the delete link came for this.
    if (tokenInLink()) ask.focus();
  };

  ask.addEventListener('click', () => {
    status.textContent = '';
    setAsking(true, keep);
  });
  keep.addEventListener('click', () => setAsking(false, ask));
  confirm.addEventListener('click', async () => {
    confirm.disabled = true;
    try {
      await deleteRun(id, String(token())).catch((error) => {
        // The run was deleted before.
        if (error.code !== 'not-found') throw error;
      });
      forgetSaved(id);
      section.hidden = true;
      showDeleted();
    } catch (error) {
      const { code, message } = /** @type {RefusedError} */ (error);
      status.textContent = `Not deleted. ${code === 'wrong-token' ? 'This is not the delete link of this run. Check the link' : message}.`;
      setAsking(false, ask);
    } finally {
      confirm.disabled = false;
    }
  });
  window.addEventListener('hashchange', show);
  show();
}

function showDeleted() {
  history.replaceState(undefined, '', location.pathname);
  page.hidden = true;
  const deleted = element('#deleted');
  deleted.hidden = false;
  deleted.focus();
}
