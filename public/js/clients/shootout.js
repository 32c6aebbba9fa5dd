/** The home page shows a run in its own way: with an answer for the round-trip time that the visitor asks about. */
import { createResultView } from '../ui/home/result-view.js';

/** @import { PageClient } from './contract.js' */

/** @type {PageClient} */
export const client = { createView: createResultView };
