/** How strong the colours of a heat map are. */

/** The strongest colour is that of this ratio, or of its inverse. */
export const STRONGEST = 8;
/** The ratio of the legend's colours. */
export const SHOWN_RATIO = 2;

/** @param {number} ratio @returns {number} how much of its colour a cell has, in percent */
export const strengthOf = (ratio) =>
  Math.round(15 + 40 * Math.min(1, Math.abs(Math.log2(ratio)) / Math.log2(STRONGEST)));
