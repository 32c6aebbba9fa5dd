/** The page of a shared run, drawn from its samples. */
import { escape, InvalidInputError } from '../../core/base/foreign-text.js';
import { describeMarks } from '../../core/experiment/documents/contradictions.js';
import { planPath } from '../../core/experiment/run/open-run.js';
import { formatMarkdown } from '../../core/experiment/report/report.js';
import { describeRun, readRun, RefusedError } from './results-api.js';
import { mountDeletion } from './ui/delete-run.js';
import { create, element, onSubmit } from './base/page.js';
import { offerInvitation } from './ui/invitation.js';
import { idOfPart } from './ui/part-reports.js';
import { createReportView } from './ui/report-view.js';
import { mountCopyButton, mountMenu } from './ui/export-buttons.js';
import { drawPicture } from './draw-run.js';
import { mountPictureButtons } from './ui/picture-button.js';
import { changesOf, mountWordFields } from './ui/word-fields.js';
import { keep, listSavedHere, readKept, rememberWords } from './storage.js';
import { at, linkOrigin } from './site-url.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */
/** @import { PageClient } from './clients/contract.js' */

const page = element('#shared-run');
const id = String(page.dataset.id);
/** Where a tab keeps the token of the run's delete link. */
const OPENED_TOKEN = `sockshootout/delete-token/1/${id}`;

/** @param {Experiment} [experiment] absent for one that this version does not know @param {PageClient} [client] */
export async function openResultPage(experiment, client = {}) {
  mountMenu();
  mountCopyButton('#copy-link', () => linkOrigin() + location.pathname);
  element('#copy-link').hidden = false;
  mountOwner();
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
  const { document, marks, place } = await readRun(experiment, id);
  element('#contradictions').textContent = describeMarks(marks);
  const view = createView ? createView() : createReportView(experiment);
  view.show(document);
  createDetails?.().show(document);
  // The drawn report contains the summary.
  element('#summary').hidden = true;
  moveParts();
  mountCopyButton('#copy-markdown', () => `${formatMarkdown(experiment, document)}\n${describeSource()}\n`);
  for (const part of ['#copy-markdown', '#copy-picture', '#download-picture']) element(part).hidden = false;
  const path = planPath(experiment, document);
  offerAgain(at(path));
  // Without a plan, as of the runs of 2012 and 2019, those who are invited measure the full test.
  if (experiment.fullTest ?? 'members' in experiment) offerInvitation(path);
  mountPictureButtons(() => drawPicture(experiment, document, place?.name));
}

/** Offers to measure the same from here. @param {string} href */
function offerAgain(href) {
  const link = element('#run-again', HTMLAnchorElement);
  link.href = href;
  link.hidden = false;
}

/** Moves the link to each part of a full test to the end of the part's folded result. */
function moveParts() {
  const links = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#parts a'));
  for (const link of links) {
    const part = document.getElementById(idOfPart(String(link.dataset.part)));
    if (!part) continue;
    link.textContent = 'Open this run by itself, to export or compare it';
    link.closest('li')?.remove();
    part.append(create('p', {}, link));
  }
  const list = document.getElementById('parts');
  if (list) list.hidden = list.querySelector('a') === null;
}

/** Where the run is from, in Markdown: its document does not have the place that its visitor named. */
const describeSource = () => `Shared: ${escape(element('h1').textContent)}, ${linkOrigin()}${location.pathname}`;

const tokenInLink = () => /^#delete=([\w-]+)$/.exec(location.hash)?.[1];
const keptToken = () => readKept('sessionStorage', OPENED_TOKEN);
const tokenOfOwner = () => listSavedHere().find((run) => run.id === id)?.deleteToken;
/** A damaged link locks nobody out who has the token anyway. */
const ownToken = () => tokenOfOwner() ?? tokenInLink() ?? keptToken();

/** A copied address must not delete the run: the token leaves it, unless the tab cannot keep that. */
function takeTokenFromLink() {
  const token = tokenInLink();
  if (!token || !keep('sessionStorage', OPENED_TOKEN, token)) return;
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** Lets visitors with the delete link, or the browser that shared the run, delete it or describe it otherwise. */
function mountOwner() {
  const { show: showDeletion } = mountDeletion({
    runsOf: () => [{ id, deleteToken: String(ownToken()) }],
    onDeleted: showDeleted,
  });
  const show = () => {
    takeTokenFromLink();
    showDeletion(Boolean(ownToken()));
    element('#delete-warning').hidden = !tokenInLink();
    element('#delete-kept').hidden = !keptToken() || Boolean(tokenOfOwner());
    // Its fields are those of the whole.
    element('#describe').hidden = !ownToken() || page.dataset.isPart === 'true';
  };
  mountDescription();
  window.addEventListener('hashchange', show);
  show();
}

/** The form that changes label, place and note, with which the server writes the page. */
function mountDescription() {
  const fields = mountWordFields();
  const before = fields.read();
  const button = element('#save-change', HTMLButtonElement);
  onSubmit('#describe', async () => {
    if (!fields.check()) return;
    button.disabled = true;
    try {
      const { label, place, note } = await describeRun(id, changesOf(before, fields.read()), String(ownToken()));
      rememberWords(id, { label, place: place?.name, note });
      location.reload();
    } catch (error) {
      element('#describe-error').textContent = `Not changed. ${/** @type {Error} */ (error).message}.`;
      button.disabled = false;
      if (!(error instanceof RefusedError)) throw error;
    }
  });
}

function showDeleted() {
  history.replaceState(undefined, '', location.pathname);
  keep('sessionStorage', OPENED_TOKEN, undefined);
  page.hidden = true;
  const deleted = element('#deleted');
  deleted.hidden = false;
  deleted.focus();
}
