/** Figures as text, the same on pages and in exports. */

/** Where there is nothing to show. */
export const DASH = '–';

/**
 * @param {number | undefined} value
 * @param {number} decimals
 * @returns {string} a dash where there is no value
 */
export function formatNumber(value, decimals) {
  return value === undefined ? DASH : value.toFixed(decimals);
}

/**
 * @param {readonly import('./trial.js').Failure[]} failures
 * @returns {string} '0', or how many of which kind: '2 timeout, 1 closed'
 */
export function formatFailures(failures) {
  const counts = new Map();
  for (const { outcome } of failures) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ') || '0';
}

/**
 * As many decimals as an interval of that width can bear: its ends differ in two digits.
 *
 * @param {{ low: number, high: number }} interval
 * @returns {number} from 0 to 3
 */
export function decimalsOf({ low, high }) {
  const width = high - low;
  if (!(width > 0)) return 3;
  return Math.min(3, Math.max(0, 1 - Math.floor(Math.log10(width))));
}

/**
 * @param {import('./statistics/mean-interval.js').Interval} interval
 * @returns {string} like '1.4 to 2.5'
 */
export function formatInterval(interval) {
  const decimals = decimalsOf(interval);
  return `${formatSigned(interval.low, decimals)} to ${formatSigned(interval.high, decimals)}`;
}

/**
 * @param {number} value
 * @param {number} decimals
 * @returns {string} with a real minus, and without one before a mere 0
 */
export function formatSigned(value, decimals) {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/**
 * @param {import('./statistics/mean-interval.js').Interval | undefined} interval
 * @returns {string} like '1.9 (1.4 to 2.5)'; a dash where there is none
 */
export function formatWithInterval(interval) {
  if (!interval) return DASH;
  return `${formatSigned(interval.estimate, decimalsOf(interval))} (${formatInterval(interval)})`;
}
