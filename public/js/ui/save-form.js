/**
 * Mounts the form that shares the runs on the page, each once: one press stores them, and copies their link. Afterwards the
 * form changes what the visitor says about them.
 */
import { studyPath } from '../../../core/base/base-url.js';
import { isStopped } from '../../../core/experiment/run/open-run.js';
import { createDeleteToken, describeRun, RefusedError, saveRun } from '../results-api.js';
import { listSavedHere, rememberSaved, rememberWords } from '../storage.js';
import { mountDeletion } from './delete-run.js';
import { copy, mountCopyButton } from './export-buttons.js';
import { mountSharePopover } from './share-popover.js';
import { create, element, onSubmit } from '../base/page.js';
import { endStudy, isStudyStarted, recallPlace } from './study-visit.js';
import { changesOf, mountWordFields, toSubmission } from './word-fields.js';
import { at, linkOrigin } from '../site-url.js';

/**
 * @import { Shown } from './share-popover.js'
 * @import { WordFields, Words } from './word-fields.js'
 * @typedef {Partial<Words> & { id: string, url: string, deleteToken: string, server: string }} Saved
 * @typedef {{ id: string, server: string }} SharedRun
 *
 * @typedef {object} Offer the runs that can be shared now
 * @property {Saved[]} saved those that are; if a later one fails, they are not saved again
 * @property {string[]} deleteTokens one for each run; if an answer was lost, the run is saved again with the same token
 */

const STATUS = '#save-status';
const MIB = 1024 * 1024;

/** @returns {Offer} */
const createOffer = (/** @type {Saved[]} */ saved = []) => ({ saved, deleteTokens: [] });

/**
 * @typedef {object} Sharing
 * @property {() => readonly unknown[]} documentsOf returns the runs to save: one of each server
 * @property {(shared: SharedRun[]) => void} [onShared] called when all of them are saved, and with none when they are deleted
 * @property {() => string} [linkQuery] the link's query: how its page opens
 * @property {Shown} [shown] its picture and its plan, if it has one
 * @typedef {(shared?: readonly SharedRun[]) => void} OfferRun offers to save a run; `shared`: what `onShared` got if it was saved
 *   before
 */

/** @param {Sharing} options @returns {{ offer: OfferRun, withdraw(): void }} `withdraw` is called when there is no run */
export function mountSaveForm({ documentsOf, onShared = () => {}, linkQuery = () => '', shown }) {
  const section = element('#save');
  const fields = mountWordFields();
  const popover = mountSharePopover(shown);
  // A study's link has the label of its runs. The page may change its address before the form is emptied.
  const label = new URLSearchParams(window.location.search).get('label') ?? '';
  const linked = { label, place: isStudyStarted(label) ? recallPlace() : '' };
  /** The results of an older offer are not shown. */
  let offer = createOffer();

  const submit = createSubmit(fields, () => offer);
  const save = () =>
    submit(
      'saving',
      async (own) => {
        const isKept = await saveAll(own, documentsOf(), { words: fields.read(), isOffered: () => own === offer });
        if (own !== offer) return '';
        onShared(own.saved.map(({ id, server }) => ({ id, server })));
        showShared(isKept);
        popover.open();
        const isCopied = await copy(permalink());
        // Copying may have taken the focus.
        element('#save-permalink').focus();
        return describeShared(isCopied, isKept);
      },
      { before: 'ready', failure: 'Not shared.', focus: '#save-submit' },
    );
  const change = () =>
    submit(
      'changing',
      async (own) => {
        await changeAll(own.saved, fields.read());
        if (own !== offer) return '';
        showShared();
        element('#save-change').focus();
        return 'Changed.';
      },
      { before: 'saved', failure: 'Not changed.', focus: '#save-change' },
    );
  /** @param {boolean} [isKept] absent: as shown before */
  const showShared = (isKept) => {
    fields.fill(offer.saved[0]);
    showSaved(offer.saved, linkQuery());
    if (isKept !== undefined) showDeletion(offer.saved, isKept);
    deletion.show(true);
  };
  const deletion = mountDeletion({
    runsOf: () => offer.saved,
    onDeleted() {
      onShared([]);
      offer = createOffer();
      setState('ready');
      element(STATUS).textContent = 'Deleted.';
      element('#save-submit').focus();
    },
  });

  mountCopyButton('#save-copy-link', permalink, STATUS);
  const deleteLinks = () => offer.saved.map(deleteAddressOf).join('\n');
  mountCopyButton('#save-copy-delete-link', deleteLinks, '#delete-link-status');
  onSubmit('#save-form', () => (element('#save-done').hidden ? save() : change()));

  fields.fill(linked);
  const withdraw = () => hide(section, deletion);
  return {
    offer(shared = []) {
      if (documentsOf().every(isStopped)) return withdraw();
      if (!element('#save-done').hidden) fields.fill(linked);
      offer = createOffer(findSavedHere(shared));
      setState('ready');
      element(STATUS).textContent = '';
      section.hidden = false;
      deletion.show(false);
      if (offer.saved.length > 0) showShared(true);
      else checkSize(documentsOf(), Number(element('#save-form').dataset.documentBytes));
      if (offer.saved.length === 0 && endStudy(label, documentsOf())) save();
    },
    withdraw,
  };
}

/** @param {HTMLElement} section @param {{ show(isOwn: boolean): void }} deletion */
function hide(section, deletion) {
  section.hidden = true;
  deletion.show(false);
  // It would be open when there is a next run.
  element('#share', HTMLDialogElement).close();
}

const permalink = () => element('#save-permalink', HTMLAnchorElement).href;

/** @param {boolean} isCopied @param {boolean} isKept on this browser's list */
function describeShared(isCopied, isKept) {
  if (isKept) return isCopied ? 'Shared, link copied' : 'Shared';
  return 'Shared. This browser cannot store the delete link. Copy it now: it is under “More”.';
}

/**
 * @param {WordFields} fields @param {() => Offer} currentOffer
 * @returns {(state: 'saving' | 'changing', act: (own: Offer) => Promise<string>, options: { before: 'ready' | 'saved',
 *   failure: string, focus: string }) => Promise<void>} sends what is in the form; `act` returns what became of it
 */
const createSubmit =
  (fields, currentOffer) =>
  async (state, act, { before, failure, focus }) => {
    if (!fields.check()) return;
    const own = currentOffer();
    setState(state);
    element(STATUS).textContent = '';
    try {
      const words = await act(own);
      if (own === currentOffer()) element(STATUS).textContent = words;
    } catch (error) {
      if (own !== currentOffer()) return;
      setState(before, `${failure} ${/** @type {Error} */ (error).message}.`);
      element(focus).focus();
      if (!(error instanceof RefusedError)) throw error;
    }
  };

/**
 * @param {Offer} offer gets each run that is saved @param {readonly unknown[]} documents
 * @param {{ words: Words, isOffered: () => boolean }} options the rest is not saved when it is no longer offered
 * @returns {Promise<boolean>} whether this browser keeps all of them on its list
 */
async function saveAll({ saved, deleteTokens }, documents, { words, isOffered }) {
  let isKept = true;
  for (const document of documents.slice(saved.length)) {
    const deleteToken = (deleteTokens[saved.length] ??= createDeleteToken());
    const run = await saveRun({ document, ...toSubmission(words) }, deleteToken);
    const shared = { ...wordsOf(run), id: run.id, url: run.url, deleteToken };
    isKept = rememberSaved({ ...shared, savedAt: run.savedAt, headline: run.digest.headline }) && isKept;
    saved.push({ ...shared, server: run.digest.server });
    if (!isOffered()) break;
  }
  return isKept;
}

/** @param {readonly Saved[]} saved get what the server made of the words @param {Words} words */
async function changeAll(saved, words) {
  const changes = changesOf(saved[0], words);
  for (const run of saved) {
    const changed = wordsOf(await describeRun(run.id, changes, run.deleteToken));
    Object.assign(run, changed);
    rememberWords(run.id, changed);
  }
}

/** @param {{ label?: string, note?: string, place?: { name?: string } }} run @returns {Partial<Words>} */
const wordsOf = ({ label, note, place }) => ({ label, note, place: place?.name });

/** @param {'ready' | 'saving' | 'saved' | 'changing' | 'too-large'} state @param {string} [problem] */
function setState(state, problem = '') {
  const isShared = state === 'saved' || state === 'changing';
  element('#save-button span').textContent = isShared ? 'Shared' : 'Share';
  const button = element('#save-submit', HTMLButtonElement);
  button.textContent = state === 'saving' ? 'Sharing…' : 'Share and copy link';
  button.setAttribute('aria-busy', String(state === 'saving'));
  button.hidden = isShared;
  // Enter presses the first submit button, even one that is hidden.
  button.type = isShared ? 'button' : 'submit';
  element('#save-fields', HTMLFieldSetElement).disabled = !['ready', 'saved'].includes(state);
  element('#save-done').hidden = !isShared;
  element('#save-terms').hidden = isShared;
  element('#save-change').hidden = !isShared;
  element('#save-error').textContent = problem;
}

/** @param {readonly unknown[]} documents @param {number} maxBytes of each */
function checkSize(documents, maxBytes) {
  const byteCount = Math.max(...documents.map((one) => new Blob([JSON.stringify(one)]).size));
  if (byteCount <= maxBytes) return;
  const sizes = `Expected at most ${formatMib(maxBytes)}, got ${formatMib(byteCount)}.`;
  setState('too-large', `${sizes} Download the JSON, or measure with fewer iterations.`);
}

/** @param {readonly Saved[]} saved @param {string} query of the link to one */
function showSaved(saved, query) {
  const [{ url, label }] = saved;
  const isOne = saved.length === 1;
  const link = element('#save-permalink', HTMLAnchorElement);
  link.href = linkOrigin() + (isOne ? url + query : at(`/compare?ids=${saved.map(({ id }) => id).join(',')}`));
  link.textContent = link.href;
  element('#save-where').textContent = isOne ? 'Link:' : 'Link to the comparison:';
  const study = element('#save-study', HTMLAnchorElement);
  study.hidden = !label;
  if (label) study.href = at(studyPath(label));
  setState('saved');
}

/** @param {readonly Saved[]} saved @param {boolean} isKept on this browser's list */
function showDeletion(saved, isKept) {
  element('#save-delete-links').replaceChildren(
    ...saved.map((run) =>
      create(
        'a',
        { href: deleteAddressOf(run) },
        saved.length === 1 ? 'Delete link' : `Delete link of the run to ${run.server}`,
      ),
    ),
  );
  if (!isKept) element('#share-more', HTMLDetailsElement).open = true;
  element('#save-kept').textContent = isKept
    ? 'This browser keeps it under Results.'
    : 'This browser cannot store it. Copy it now: it is not shown again.';
}

/**
 * @param {readonly SharedRun[]} shared
 * @returns {Saved[]} them, or none if one is no longer on this browser’s list: a deleted run may be shared again
 */
function findSavedHere(shared) {
  const here = listSavedHere();
  const found = shared.flatMap(({ id, server }) => {
    const run = here.find((one) => one.id === id);
    return run ? [{ ...run, server, url: at(`/results/${id}`) }] : [];
  });
  return found.length === shared.length ? found : [];
}

/** @param {Saved} saved */
const deleteAddressOf = ({ url, deleteToken }) => `${linkOrigin()}${url}#delete=${deleteToken}`;

/**
 * @param {number} byteCount @returns {string} rounded up, so that a size above the limit does not look like one below
 */
const formatMib = (byteCount) => `${Math.ceil((byteCount / MIB) * 10) / 10} MiB`;
