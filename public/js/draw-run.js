/** Draws the picture of a run's answer by a script that is loaded when somebody wants it. */
import { linkOrigin } from './site-url.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */

/**
 * @param {Experiment} experiment @param {any} document @param {string} [place] where it was measured
 * @returns {Promise<string>} SVG; rejects if the server did not send what draws it
 */
export async function drawPicture(experiment, document, place) {
  const { drawRun } = await import('./later/share-card.js');
  return drawRun(experiment, document, { place, site: new URL(linkOrigin()).host });
}
