/** Reads and writes the site's data in the browser. If that fails, or the data is broken, less is shown. */
import { RUN_ID } from '../../core/experiment/run/names.js';
import { ownKey } from './site-url.js';

/** @typedef {'localStorage' | 'sessionStorage'} Place of this browser, or of this tab */

const SAVED_RUNS = 'sockshootout/saved-runs/1';
const WORDS = ['label', 'place', 'note'];
/** The list drops the oldest runs with their delete links; they stay shared. */
const MAX_RUNS = 100;

/** @param {Place} place @param {string} key @returns {any} absent if there is nothing, or nothing readable */
export function readKept(place, key) {
  try {
    return JSON.parse(window[place].getItem(ownKey(key)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Place} place @param {string} key @param {unknown} value absent to remove it
 * @returns {boolean} whether it is kept now; if not, the old value stays
 */
export function keep(place, key, value) {
  try {
    if (value === undefined) window[place].removeItem(ownKey(key));
    else window[place].setItem(ownKey(key), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/**
 * @typedef {{ label?: string, place?: string, note?: string }} Words
 * @typedef {Words & { id: string, headline: string, savedAt: string, deleteToken: string }} SavedHere `savedAt`: ISO 8601
 */

/** The runs that were shared from this browser, newest first. @returns {SavedHere[]} */
export function listSavedHere() {
  const kept = readKept('localStorage', SAVED_RUNS);
  return Array.isArray(kept) ? kept.filter(isSavedHere) : [];
}

/** @param {SavedHere} run @returns {boolean} whether the browser keeps it */
export function rememberSaved({ id, headline, label, place, note, savedAt, deleteToken }) {
  const runs = [{ id, headline, label, place, note, savedAt, deleteToken }, ...listOthers(id)];
  return keep('localStorage', SAVED_RUNS, runs.slice(0, MAX_RUNS));
}

/** @param {string} id @param {Words} words that the visitor changed */
export const rememberWords = (id, { label, place, note }) =>
  keep(
    'localStorage',
    SAVED_RUNS,
    listSavedHere().map((run) => (run.id === id ? { ...run, label, place, note } : run)),
  );

/**
 * @param {string} id of a run that stays where it is @returns {boolean} whether the browser removed it from its list
 */
export const forgetSaved = (id) => keep('localStorage', SAVED_RUNS, listOthers(id));

/** @param {string} id */
const listOthers = (id) => listSavedHere().filter((one) => one.id !== id);

/** @param {any} kept @returns {kept is SavedHere} */
function isSavedHere(kept) {
  const texts = [kept?.headline, kept?.savedAt, kept?.deleteToken, ...WORDS.map((name) => kept?.[name] ?? '')];
  return RUN_ID.test(kept?.id) && texts.every((text) => typeof text === 'string');
}
