/**
 * What cannot be true of a document that fits its format. Such a document is refused when it is saved; one that was stored
 * or downloaded before still opens, marked.
 *
 * No experiment is imported, and no validation library: a page that draws one experiment needs this, too.
 */
import { findWrongDates } from './dates.js';
import { listTrials } from './list-trials.js';
import { findWrongProtocols } from './protocols.js';
import { findOtherServers } from './servers.js';
import { findInvisibleTexts } from './texts.js';
import { findOverlaps } from './times.js';

/** @import { Problem } from '../../contract.js' */

/**
 * @param {any} document that fits its format, of any experiment
 * @param {{ nowMs: number }} options `nowMs`: when it was saved or opened, since 1970
 * @returns {Problem[]} none where it may be true
 */
export function findContradictions(document, { nowMs }) {
  const trials = listTrials(document);
  return [
    ...findWrongDates(document, trials, nowMs),
    ...findOtherServers(document, trials),
    ...findInvisibleTexts(document, trials),
    ...findWrongProtocols(trials),
    ...findOverlaps(trials),
  ];
}
