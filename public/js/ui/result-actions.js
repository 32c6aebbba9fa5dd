/** The row of actions beneath a result, the same on every page with a plan: exports, another run, and an invitation. */
import { mountExports } from './export-buttons.js';
import { planPath } from '../../../core/experiment/plan-link.js';
import { element } from '../base/page.js';
import { at } from '../site-url.js';

/** @import { Experiment } from '../../../core/experiment/contract.js' */

/**
 * @param {object} row
 * @param {() => Experiment} row.described what describes the document
 * @param {() => any} row.shown the document on the page
 * @param {() => void} row.again @param {() => void} row.change
 */
export function mountResultActions({ described, shown, again, change }) {
  mountExports(described, shown);
  element('#again').addEventListener('click', again);
  element('#change').addEventListener('click', change);
}

/**
 * Offers to invite somebody who is where the users are, with the plan of the run, if that says nothing about other places.
 * @param {Experiment} described @param {any} document that is on the page
 */
export function offerInvitation(described, document) {
  const link = element('#invite', HTMLAnchorElement);
  link.hidden = element('#result-notice').textContent === '';
  link.href = at(`/c?plan=${encodeURIComponent(planPath(described, document))}`);
}

/** Shows the form's options. The page scrolls without animation, which some visitors switch off. */
export function openOptions() {
  element('#ask').scrollIntoView({ block: 'start', behavior: 'instant' });
  element('#options', HTMLDetailsElement).open = true;
  element('#options > summary').focus({ preventScroll: true });
}
