import { createDeleteToken, RefusedError, saveRun } from '../../results-api.js';
import { element } from '../element.js';
import { mountCopyButton } from './export-buttons.js';
import { listSavedHere, rememberSaved } from '../home/history.js';
import { mountLocationField } from './location-field.js';

const STATUS = '#save-status';
const MIB = 1024 * 1024;

/** @typedef {Pick<Awaited<ReturnType<typeof saveRun>>, 'id' | 'url' | 'label' | 'deleteToken'> & { server: string }} Saved */

/**
 * The form that shares what is on the page, each run once: one press stores it and shows its link. Whatever goes wrong,
 * what was typed stays.
 *
 * @param {object} options
 * @param {() => readonly unknown[]} options.documentsOf asked for the runs when they are to be saved: one of each server
 * @param {() => void} [options.onSaved] called when this browser's list has one more
 * @param {(shared: { id: string, server: string }[]) => void} [options.onShared] called when all of them are saved
 * @param {() => string} [options.linkQuery] of the link: how its page is to open
 * @returns {{ offer(shared?: readonly { id: string, server: string }[]): void, withdraw(): void }} `offer` when there is a
 *   run, with what `onShared` told of it if it was saved before; `withdraw` when there is none
 */
export function mountSaveForm({ documentsOf, onSaved = () => {}, onShared = () => {}, linkQuery = () => '' }) {
  const section = element('#save', HTMLElement);
  const form = element('#save-form', HTMLFormElement);
  const fields = element('#save-fields', HTMLFieldSetElement);
  const button = element('#save-button', HTMLButtonElement);
  const problem = element('#save-error', HTMLElement);
  const done = element('#save-done', HTMLElement);
  const status = element(STATUS, HTMLElement);
  const permalink = element('#save-permalink', HTMLAnchorElement);
  const deleteLinks = element('#save-delete-links', HTMLElement);
  const [label, place, note] = [
    mountTextField('#save-label', HTMLInputElement),
    mountTextField('#save-place', HTMLInputElement),
    mountTextField('#save-note', HTMLTextAreaElement),
  ];
  const location = mountLocationField();
  const campaign = element('#save-campaign', HTMLAnchorElement);
  const maxBytes = Number(form.dataset.documentBytes);

  /** Of the run that is offered: what comes of saving an older one is no more its business. */
  let offerCount = 0;
  let isSaved = false;
  /** Of those that are offered; where a later one fails, they are not saved again. @type {Saved[]} */
  let savedRuns = [];
  /** One for each that is offered; one whose answer was lost is saved again by the same. @type {string[]} */
  let deleteTokens = [];

  // A campaign's link says how its runs are to be called. The page may change its address before the form is reset.
  label.input.defaultValue = new URLSearchParams(window.location.search).get('label') ?? '';
  mountCopyButton('#save-copy-link', () => permalink.href, STATUS);
  mountCopyButton('#save-copy-delete-link', () => savedRuns.map(deleteAddressOf).join('\n'), STATUS);

  /** @param {'ready' | 'saving' | 'saved' | 'too-large'} state */
  const setState = (state) => {
    fields.disabled = state !== 'ready';
    button.textContent = { ready: 'Share', saving: 'Sharing…', saved: 'Shared', 'too-large': 'Too large' }[state];
    button.setAttribute('aria-busy', String(state === 'saving'));
    done.hidden = state !== 'saved';
    element('#save-terms', HTMLElement).hidden = state === 'saved';
    element('#save-words', HTMLDetailsElement).hidden = state !== 'ready';
    isSaved = state === 'saved';
    if (state !== 'too-large') problem.textContent = '';
  };

  /** @returns {{ label?: string, note?: string, place?: object }} */
  const readWords = () => {
    const placed = { ...(place.input.value && { name: place.input.value }), ...location.read() };
    return {
      label: label.input.value || undefined,
      note: note.input.value || undefined,
      place: Object.keys(placed).length > 0 ? placed : undefined,
    };
  };

  const save = async () => {
    const wrong = [label, place, note].filter((field) => !field.check());
    if (wrong.length > 0) {
      element('#save-words', HTMLDetailsElement).open = true;
      wrong[0].input.focus();
      return;
    }
    const offer = offerCount;
    setState('saving');
    status.textContent = '';
    try {
      const words = readWords();
      let isKept = true;
      for (const one of documentsOf().slice(savedRuns.length)) {
        const deleteToken = (deleteTokens[savedRuns.length] ??= createDeleteToken());
        const saved = await saveRun({ document: one, ...words }, deleteToken);
        isKept = rememberSaved({ ...saved, headline: saved.digest.headline }) && isKept;
        onSaved();
        if (offer !== offerCount) return;
        savedRuns.push({ ...saved, server: saved.digest.server });
      }
      onShared(savedRuns.map(({ id, server }) => ({ id, server })));
      showSaved(isKept);
      status.textContent = 'Shared.';
      permalink.focus();
    } catch (error) {
      if (offer !== offerCount) return;
      setState('ready');
      problem.textContent = `Not shared: ${/** @type {Error} */ (error).message}. What you typed is still here.`;
      button.focus();
      if (!(error instanceof RefusedError)) throw error;
    }
  };

  /** @param {boolean} isKept */
  const showSaved = (isKept) => {
    const isOne = savedRuns.length === 1;
    permalink.href = isOne ? savedRuns[0].url + linkQuery() : `/compare?ids=${savedRuns.map(({ id }) => id).join(',')}`;
    permalink.textContent = permalink.href;
    element('#save-where', HTMLElement).textContent = isOne ? 'Link:' : 'Link to the comparison:';
    deleteLinks.replaceChildren(
      ...savedRuns.map((saved) => {
        const words = isOne ? 'Delete link' : `Delete link of the run to ${saved.server}`;
        return Object.assign(document.createElement('a'), { href: deleteAddressOf(saved), textContent: words });
      }),
    );
    const [{ label: savedLabel }] = savedRuns;
    campaign.hidden = !savedLabel;
    if (savedLabel) campaign.href = `/c/${encodeURIComponent(savedLabel)}`;
    element('#save-kept', HTMLElement).textContent = isKept
      ? 'This browser keeps it under Results.'
      : 'This browser cannot keep it. Copy it now: it is not shown again.';
    setState('saved');
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    save();
  });

  return {
    offer(shared = []) {
      offerCount++;
      if (isSaved) {
        form.reset();
        location.reset();
      }
      setState('ready');
      status.textContent = '';
      savedRuns = findSavedHere(shared);
      deleteTokens = [];
      section.hidden = false;
      if (savedRuns.length > 0) {
        showSaved(true);
        return;
      }
      const byteCount = Math.max(...documentsOf().map((one) => new Blob([JSON.stringify(one)]).size));
      if (byteCount > maxBytes) {
        setState('too-large');
        problem.textContent = `This run is too large to share: expected at most ${formatMib(maxBytes)}, got ${formatMib(byteCount)}. Use fewer iterations or blocks, or download the JSON.`;
      }
    },
    withdraw() {
      section.hidden = true;
    },
  };
}

/**
 * @param {readonly { id: string, server: string }[]} shared
 * @returns {Saved[]} them, or none where one is no longer on this browser’s list: what was deleted may be shared again
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
function deleteAddressOf({ url, deleteToken }) {
  return new URL(`${url}#delete=${deleteToken}`, window.location.href).href;
}

/**
 * @template {HTMLInputElement | HTMLTextAreaElement} T
 * @param {string} selector
 * @param {new () => T} type
 * @returns {{ input: T, check(): boolean }} `check` says beside the field what is wrong with it
 */
function mountTextField(selector, type) {
  const input = element(selector, type);
  const problem = element(`${selector}-error`, HTMLElement);
  const most = Number(input.dataset.most);
  return {
    input,
    check() {
      const isRight = input.value.length <= most;
      problem.textContent = isRight ? '' : `Expected at most ${most} characters, got ${input.value.length}.`;
      if (isRight) input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
      return isRight;
    },
  };
}

/** @param {number} byteCount */
function formatMib(byteCount) {
  // Upwards: what is too much must not read like what is not.
  return `${Math.ceil((byteCount / MIB) * 10) / 10} MiB`;
}
