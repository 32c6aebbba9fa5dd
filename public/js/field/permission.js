/** Whether this browser may be measured now: asked before anything is sent, and cheap. */
import { parseSample } from '../../../core/field/line.js';

/**
 * @typedef {{ saveData?: boolean, type?: string }} Connection of https://wicg.github.io/netinfo, where the browser has it
 * @typedef {{ connection?: Connection, storage: () => Storage, now: () => number, random: () => number }} Browser `now`: ms since 1970
 */

const DAY_MS = 86_400_000;
/** A browser is asked once in that time, whether it was drawn or not. */
const REMEMBERED_MS = 30 * DAY_MS;

/** @param {Connection} [connection] @returns {boolean} is data dear to the visitor, as far as the browser says? */
export const isDataDear = ({ saveData, type } = {}) => saveData === true || type === 'cellular';

/** @param {string} study */
const nameOf = (study) => `sockshootout-field ${study}`;

/**
 * Was this browser drawn before, or can that not be remembered? Then nothing is asked.
 * @param {string} study @param {{ storage: () => Storage, now: () => number }} browser @returns {boolean}
 */
export function isRemembered(study, { storage, now }) {
  try {
    const agoMs = now() - Number(storage().getItem(nameOf(study)));
    return agoMs >= 0 && agoMs < REMEMBERED_MS;
  } catch {
    // Browsers refuse storage by throwing.
    return true;
  }
}

/**
 * Draws whether this browser is one of the sample, and remembers that it did. Where it cannot be remembered, it never is.
 * @param {string} study @param {number} sample share of browsers, from 0 to 1 @param {Browser} browser @returns {boolean}
 */
export function draw(study, sample, { storage, now, random }) {
  try {
    storage().setItem(nameOf(study), String(now()));
  } catch {
    // A full storage throws, too.
    return false;
  }
  return random() < sample;
}

/**
 * @param {string | undefined} given as in `data-sample` @returns {number} a share from 0 to 1: all without it, none for what cannot be
 *   read
 */
export const sampleOf = (given) => (given === undefined ? 1 : (parseSample(given) ?? 0));
