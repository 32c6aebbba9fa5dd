/** Words that sentences about a recording share. */
import { DASH } from '../base/format.js';

/** @param {number} bytes @returns {string} like '118 B', '77 kB' or '1.6 MB' */
export function formatBytes(bytes) {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, 'kB'] : [bytes / 1e6, 'MB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${unit}`;
}

/** @param {number} ms @returns {string} like '250 ms', '2.0 s', '30 s' or '5 min' */
export function formatEvery(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

/**
 * A share in percent: all and nothing are said only of all and nothing.
 * @param {number} [share] 0 to 1 @returns {string} like '94%'; a dash without one
 */
export function formatShare(share) {
  if (share === undefined) return DASH;
  const percent = Math.round(100 * share);
  return `${share < 1 ? Math.min(99, share > 0 ? Math.max(1, percent) : 0) : 100}%`;
}
