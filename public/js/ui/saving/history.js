/** The runs that were shared from this browser, newest first, as it remembers them. */
import { RUN_ID } from '../../../../core/experiment/names.js';
import { keep, readKept } from '../../storage.js';

const KEY = 'sockshootout/saved-runs/1';

/** The list drops the oldest runs with their delete links; they stay shared. */
const MAX_RUNS = 100;

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
  const kept = readKept('localStorage', KEY);
  return Array.isArray(kept) ? kept.filter(isSavedHere) : [];
}

/** @param {SavedHere} run @returns {boolean} whether the browser keeps it */
export function rememberSaved({ id, headline, label, savedAt, deleteToken }) {
  const others = listSavedHere().filter((one) => one.id !== id);
  const runs = [{ id, headline, label, savedAt, deleteToken }, ...others].slice(0, MAX_RUNS);
  return keep('localStorage', KEY, runs);
}

/** @param {string} id of a run that stays where it is @returns {boolean} whether the browser took it off its list */
export function forgetSaved(id) {
  const others = listSavedHere().filter((one) => one.id !== id);
  return keep('localStorage', KEY, others);
}

/** @param {any} kept @returns {kept is SavedHere} */
function isSavedHere(kept) {
  return (
    RUN_ID.test(kept?.id) &&
    [kept.headline, kept.savedAt, kept.deleteToken, kept.label ?? ''].every((text) => typeof text === 'string')
  );
}
