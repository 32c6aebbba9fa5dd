import { RUN_ID } from '../../../../core/experiment/run-id.js';

/**
 * The runs that were saved from this browser, newest first, as it remembers them.
 *
 * What is there may be broken, and a browser may refuse to keep anything: then there is less to show, and nothing else
 * happens.
 */
const KEY = 'sockshootout/saved-runs/1';

/** Of the oldest the delete links go; their pages stay. */
const MOST = 100;

/**
 * @typedef {object} SavedHere
 * @property {string} id
 * @property {string} headline
 * @property {string} [label]
 * @property {string} savedAt ISO 8601
 * @property {string} deleteToken
 */

/** @returns {SavedHere[]} */
export function listSavedHere() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSavedHere) : [];
  } catch {
    // Forbidden, or not ours.
    return [];
  }
}

/**
 * @param {SavedHere} run
 * @returns {boolean} whether the browser keeps it
 */
export function rememberSaved({ id, headline, label, savedAt, deleteToken }) {
  const others = listSavedHere().filter((one) => one.id !== id);
  return keep([{ id, headline, label, savedAt, deleteToken }, ...others].slice(0, MOST));
}

/**
 * @param {string} id of a run that stays where it is
 * @returns {boolean} whether the browser took it off its list
 */
export function forgetSaved(id) {
  return keep(listSavedHere().filter((one) => one.id !== id));
}

/** @param {SavedHere[]} runs */
function keep(runs) {
  try {
    localStorage.setItem(KEY, JSON.stringify(runs));
    return true;
  } catch {
    // Forbidden, or full.
    return false;
  }
}

/** @param {any} kept */
function isSavedHere(kept) {
  return (
    RUN_ID.test(kept?.id) &&
    [kept.headline, kept.savedAt, kept.deleteToken, kept.label ?? ''].every((text) => typeof text === 'string')
  );
}
