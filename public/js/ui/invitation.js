/** The link beside the notice of a run that says nothing about other places. */
import { element } from '../base/page.js';
import { at } from '../site-url.js';

/** Offers to invite somebody who is where the users are, with the plan of the run. @param {string} path its link, without its site */
export function offerInvitation(path) {
  element('#invite', HTMLAnchorElement).href = at(`/c?plan=${encodeURIComponent(path)}`);
}
