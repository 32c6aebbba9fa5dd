/** Shows a run on the home page, with an answer for the round-trip time that the visitor chooses. */
import { createResultView } from '../ui/home/result-view.js';

/** @import { PageClient } from './contract.js' */

/** @type {PageClient} */
export const client = { createView: createResultView };
