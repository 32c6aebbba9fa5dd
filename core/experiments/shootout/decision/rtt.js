/** The round-trip times that a visitor can ask about, on a logarithmic scale. */

/** Where nothing else is asked for. */
export const DEFAULT_RTT_MS = 100;

const LEAST_MS = 0.01;
const LOW_MS = 0.2;
const HIGH_MS = 400;
const MOST_MS = 10_000;

/**
 * @param {readonly number[]} measuredMs what must be among them, with some room beside it
 * @returns {{ low: number, high: number }} milliseconds
 */
export function rttRange(measuredMs) {
  return {
    // A coarse clock may have seen no time pass at all, of which there is no logarithm.
    low: Math.max(LEAST_MS, Math.min(LOW_MS, ...measuredMs.map((ms) => ms / 1.5))),
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
  if (ms >= LEAST_MS && ms <= MOST_MS) return ms;
  throw new RangeError(`rtt: expected milliseconds from ${LEAST_MS} to ${MOST_MS}, got “${text.slice(0, 60)}”`);
}

/** @param {number} ms @returns {string} like '0.3', '45', '231' */
export function formatRtt(ms) {
  return ms < 10 ? String(Number(ms.toPrecision(2))) : ms.toFixed(0);
}
