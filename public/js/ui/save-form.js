/** Mounts the form that shares the runs on the page, each once: one press stores it and shows its link. */
import { createDeleteToken, RefusedError, saveRun } from '../results-api.js';
import { listSavedHere, rememberSaved } from '../storage.js';
import { create, element, linkOrigin, onSubmit, markField } from './page.js';
import { mountCopyButton } from './export-buttons.js';

const STATUS = '#save-status';
const MIB = 1024 * 1024;

/**
 * @typedef {Pick<Awaited<ReturnType<typeof saveRun>>, 'id' | 'url' | 'label' | 'deleteToken'> & { server: string }}
 *   Saved
 * @typedef {{ id: string, server: string }} SharedRun
 *
 * @typedef {object} Offer the runs that can be shared now
 * @property {Saved[]} saved those that are; if a later one fails, they are not saved again
 * @property {string[]} deleteTokens one for each run; if an answer was lost, the run is saved again with the same token
 */

/**
 * @param {object} options
 * @param {() => readonly unknown[]} options.documentsOf returns the runs to save: one of each server
 * @param {(shared: SharedRun[]) => void} [options.onShared] called when all of them are saved
 * @param {() => string} [options.linkQuery] the link's query: how its page opens
 * @returns {{ offer(shared?: readonly SharedRun[]): void, withdraw(): void }} `offer` when there is a run, with what
 *   `onShared` got if it was saved before; `withdraw` when there is none
 */
export function mountSaveForm({ documentsOf, onShared = () => {}, linkQuery = () => '' }) {
  const section = element('#save');
  const form = element('#save-form', HTMLFormElement);
  const texts = mountSaveFields(form);
  /** @type {Offer} the results of an older offer are not shown */
  let offer = { saved: [], deleteTokens: [] };

  const save = async () => {
    if (!texts.check()) return;
    const own = offer;
    setState('saving');
    element(STATUS).textContent = '';
    try {
      const isKept = await saveAll(own, documentsOf(), { texts: texts.read(), isOffered: () => own === offer });
      if (own !== offer) return;
      onShared(own.saved.map(({ id, server }) => ({ id, server })));
      showSaved(own.saved, isKept, linkQuery());
      element(STATUS).textContent = 'Shared.';
      element('#save-permalink').focus();
    } catch (error) {
      if (own !== offer) return;
      setState('ready', `Not shared. ${/** @type {Error} */ (error).message}.`);
      element('#save-button').focus();
      if (!(error instanceof RefusedError)) throw error;
    }
  };

  mountCopyButton('#save-copy-link', () => element('#save-permalink', HTMLAnchorElement).href, STATUS);
  mountCopyButton('#save-copy-delete-link', () => offer.saved.map(deleteAddressOf).join('\n'), STATUS);
  onSubmit('#save-form', save);

  return {
    offer(shared = []) {
      if (!element('#save-done').hidden) texts.reset();
      offer = { saved: findSavedHere(shared), deleteTokens: [] };
      setState('ready');
      element(STATUS).textContent = '';
      section.hidden = false;
      if (offer.saved.length > 0) showSaved(offer.saved, true, linkQuery());
      else checkSize(documentsOf(), Number(form.dataset.documentBytes));
    },
    withdraw() {
      section.hidden = true;
    },
  };
}

/**
 * @param {Offer} offer gets each run that is saved @param {readonly unknown[]} documents
 * @param {{ texts: object, isOffered: () => boolean }} options the rest is not saved when it is no longer offered
 * @returns {Promise<boolean>} whether this browser keeps all of them on its list
 */
async function saveAll({ saved, deleteTokens }, documents, { texts, isOffered }) {
  let isKept = true;
  for (const document of documents.slice(saved.length)) {
    const deleteToken = (deleteTokens[saved.length] ??= createDeleteToken());
    const run = await saveRun({ document, ...texts }, deleteToken);
    isKept = rememberSaved({ ...run, headline: run.digest.headline }) && isKept;
    saved.push({ ...run, server: run.digest.server });
    if (!isOffered()) break;
  }
  return isKept;
}

/** @param {'ready' | 'saving' | 'saved' | 'too-large'} state @param {string} [problem] */
function setState(state, problem = '') {
  const button = element('#save-button');
  button.textContent = { ready: 'Share', saving: 'Sharing…', saved: 'Shared', 'too-large': 'Too large' }[state];
  button.setAttribute('aria-busy', String(state === 'saving'));
  element('#save-fields', HTMLFieldSetElement).disabled = state !== 'ready';
  element('#save-done').hidden = state !== 'saved';
  element('#save-terms').hidden = state === 'saved';
  element('#save-words').hidden = state !== 'ready';
  element('#save-error').textContent = problem;
}

/** @param {readonly unknown[]} documents @param {number} maxBytes of each */
function checkSize(documents, maxBytes) {
  const byteCount = Math.max(...documents.map((one) => new Blob([JSON.stringify(one)]).size));
  if (byteCount <= maxBytes) return;
  const sizes = `Expected at most ${formatMib(maxBytes)}, got ${formatMib(byteCount)}.`;
  setState('too-large', `${sizes} Download the JSON, or measure with fewer iterations.`);
}

/** @param {readonly Saved[]} saved @param {boolean} isKept @param {string} query of the link to one */
function showSaved(saved, isKept, query) {
  const [{ url, label }] = saved;
  const isOne = saved.length === 1;
  const permalink = element('#save-permalink', HTMLAnchorElement);
  permalink.href = linkOrigin() + (isOne ? url + query : `/compare?ids=${saved.map(({ id }) => id).join(',')}`);
  permalink.textContent = permalink.href;
  element('#save-where').textContent = isOne ? 'Link:' : 'Link to the comparison:';
  element('#save-delete-links').replaceChildren(
    ...saved.map((run) =>
      create('a', { href: deleteAddressOf(run) }, isOne ? 'Delete link' : `Delete link of the run to ${run.server}`),
    ),
  );
  const campaign = element('#save-campaign', HTMLAnchorElement);
  campaign.hidden = !label;
  if (label) campaign.href = `/c/${encodeURIComponent(label)}`;
  element('#save-kept').textContent = isKept
    ? 'This browser keeps it under Results.'
    : 'This browser cannot store it. Copy it now: it is not shown again.';
  setState('saved');
}

/**
 * @param {readonly SharedRun[]} shared
 * @returns {Saved[]} them, or none if one is no longer on this browser’s list: a deleted run may be shared again
 */
function findSavedHere(shared) {
  const here = listSavedHere();
  const found = shared.flatMap(({ id, server }) => {
    const run = here.find((one) => one.id === id);
    return run ? [{ ...run, server, url: `/results/${id}` }] : [];
  });
  return found.length === shared.length ? found : [];
}

/** @param {Saved} saved */
const deleteAddressOf = ({ url, deleteToken }) => `${linkOrigin()}${url}#delete=${deleteToken}`;

/**
 * @param {number} byteCount @returns {string} rounded up, so that a size above the limit does not look like one below
 */
const formatMib = (byteCount) => `${Math.ceil((byteCount / MIB) * 10) / 10} MiB`;

/** Mounts the fields that describe a run; `check` shows errors beside them. @param {HTMLFormElement} form */
function mountSaveFields(form) {
  const [label, place, note] = ['label', 'place', 'note'].map(mountTextField);
  // A campaign's link has the label of its runs. The page may change its address before the form is reset.
  label.input.defaultValue = new URLSearchParams(window.location.search).get('label') ?? '';
  return {
    read() {
      return {
        label: label.input.value || undefined,
        note: note.input.value || undefined,
        place: place.input.value ? { name: place.input.value } : undefined,
      };
    },
    check() {
      const [wrong] = [label, place, note].filter((field) => !field.check());
      if (!wrong) return true;
      element('#save-words', HTMLDetailsElement).open = true;
      wrong.input.focus();
      return false;
    },
    reset: () => form.reset(),
  };
}

/** @param {string} name */
function mountTextField(name) {
  // One of them is a textarea, which has the same properties.
  const input = /** @type {HTMLInputElement} */ (element(`#save-${name}`));
  const max = Number(input.dataset.max);
  return {
    input,
    check() {
      const { length } = input.value;
      const message = length > max ? `Expected at most ${max} characters, got ${length}.` : '';
      element(`#save-${name}-error`).textContent = message;
      markField(input, message !== '');
      return message === '';
    },
  };
}
