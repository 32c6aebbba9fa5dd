/**
 * The round-trip times that a visitor can ask about, on a logarithmic scale.
 */

/** Where nothing else is asked for. */
export const DEFAULT_RTT_MS = 100;

const LOW_MS = 0.2;
const HIGH_MS = 400;

/**
 * @param {readonly number[]} measuredMs what must be among them, with some room beside it
 * @returns {{ low: number, high: number }} milliseconds
 */
export function rttRange(measuredMs) {
  return {
    low: Math.min(LOW_MS, ...measuredMs.map((ms) => ms / 1.5)),
    high: Math.max(HIGH_MS, ...measuredMs.map((ms) => ms * 1.5)),
  };
}

/**
 * @param {string | null} text of a link’s `rtt`
 * @returns {number | undefined} milliseconds; absent where the link has none
 * @throws {RangeError} what, expected, got
 */
export function parseRtt(text) {
  if (text === null) return undefined;
  const ms = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (ms >= 0.1 && ms <= 10_000) return ms;
  throw new RangeError(`rtt: expected milliseconds from 0.1 to 10000, got “${text.slice(0, 60)}”`);
}

/**
 * @param {number} ms
 * @returns {string} like '0.3', '45', '231'
 */
export function formatRtt(ms) {
  return ms < 10 ? String(Number(ms.toPrecision(2))) : ms.toFixed(0);
}
