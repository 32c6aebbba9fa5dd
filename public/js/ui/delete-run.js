/** The section with which visitors delete what they shared: a button, and a second one that confirms it. */
import { deleteRun } from '../results-api.js';
import { forgetSaved } from '../storage.js';
import { element } from '../base/page.js';

/** @import { RefusedError } from '../results-api.js' */

/**
 * @param {object} options
 * @param {() => readonly { id: string, deleteToken: string }[]} options.runsOf the shared runs on the page
 * @param {() => void} options.onDeleted called when none of them is left
 * @returns {{ show(isOwn: boolean): void }} shows the section to the visitor who shared them
 */
export function mountDeletion({ runsOf, onDeleted }) {
  const section = element('#delete');
  const ask = element('#delete-ask');
  const confirm = element('#delete-confirm', HTMLButtonElement);
  const keep = element('#delete-keep');
  const status = element('#delete-status');

  /** The menu that it is in has nothing else. @param {boolean} isShown */
  const setShown = (isShown) => {
    section.hidden = !isShown;
    const menu = section.closest('details');
    if (menu) menu.hidden = !isShown;
  };
  /** @param {boolean} isAsking */
  const setAsking = (isAsking) => {
    ask.hidden = isAsking;
    element('#delete-choice').hidden = !isAsking;
  };

  ask.addEventListener('click', () => {
    status.textContent = '';
    setAsking(true);
    keep.focus();
  });
  keep.addEventListener('click', () => {
    setAsking(false);
    ask.focus();
  });
  confirm.addEventListener('click', async () => {
    confirm.disabled = true;
    try {
      for (const run of runsOf()) await deleteOne(run);
      setShown(false);
      setAsking(false);
      onDeleted();
    } catch (error) {
      const { code, message } = /** @type {RefusedError} */ (error);
      status.textContent = `Not deleted. ${code === 'wrong-token' ? 'This is not the delete link of this run. Check the link' : message}.`;
      setAsking(false);
      ask.focus();
    } finally {
      confirm.disabled = false;
    }
  });
  return {
    show(isOwn) {
      setShown(isOwn);
      status.textContent = '';
      setAsking(false);
    },
  };
}

/** @param {{ id: string, deleteToken: string }} run */
async function deleteOne({ id, deleteToken }) {
  await deleteRun(id, deleteToken).catch((error) => {
    // The run was deleted before.
    if (error.code !== 'not-found') throw error;
  });
  forgetSaved(id);
}
