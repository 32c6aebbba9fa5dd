/** The row of actions beneath a result, the same on every page with a plan: exports, a picture, and another run. */
import { mountExports } from './export-buttons.js';
import { mountPictureButtons } from './picture-button.js';
import { element } from '../base/page.js';

/** @import { Experiment } from '../../../core/experiment/contract.js' */

/**
 * @param {object} row
 * @param {() => Experiment} row.described what describes the document
 * @param {() => any} row.shown the document on the page
 * @param {() => void} row.again @param {() => void} row.change
 */
export function mountResultActions({ described, shown, again, change }) {
  mountExports(described, shown);
  mountPictureButtons(described, shown);
  element('#again').addEventListener('click', again);
  element('#change').addEventListener('click', change);
}

/** Shows the form's options. The page scrolls without animation, which some visitors switch off. */
export function openOptions() {
  element('#ask').scrollIntoView({ block: 'start', behavior: 'instant' });
  element('#options', HTMLDetailsElement).open = true;
  element('#options > summary').focus({ preventScroll: true });
}
