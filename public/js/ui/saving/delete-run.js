import { deleteRun, RefusedError } from '../../results-api.js';
import { element } from '../element.js';
import { forgetSaved, listSavedHere } from './history.js';

const TOKEN = /^#delete=([\w-]+)$/;

/**
 * Deletes the run, for visitors with the delete link or the browser that shared it.
 * @param {object} options
 * @param {string} options.id
 * @param {() => void} options.onDeleted
 */
export function mountDelete({ id, onDeleted }) {
  const section = element('#delete');
  const ask = element('#delete-ask', HTMLButtonElement);
  const confirm = element('#delete-confirm', HTMLButtonElement);
  const keep = element('#delete-keep', HTMLButtonElement);
  const status = element('#delete-status');

  const tokenInLink = () => TOKEN.exec(location.hash)?.[1];
  const token = () => tokenInLink() ?? listSavedHere().find((run) => run.id === id)?.deleteToken;

  /** @param {boolean} isAsking @param {HTMLButtonElement} next has the focus */
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
      await deleteOnce(id, String(token()));
      forgetSaved(id);
      section.hidden = true;
      onDeleted();
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

/** @param {string} id @param {string} deleteToken */
async function deleteOnce(id, deleteToken) {
  try {
    await deleteRun(id, deleteToken);
  } catch (error) {
    // It was deleted before.
    if (!(error instanceof RefusedError && error.code === 'not-found')) throw error;
  }
}
