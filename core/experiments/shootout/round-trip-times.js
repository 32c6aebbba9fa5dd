/** The round-trip times that a visitor can choose, on a logarithmic scale. */
import { InvalidInputError } from '../../base/foreign-text.js';
import { formatRtt } from '../../base/format.js';
import { logStops } from '../../picture/plot-scale.js';

/** The minimum, the scale, the maximum. */
const MIN_RTT_MS = 0.01;
const SCALE_MS = { low: 0.2, high: 400 };
const MAX_RTT_MS = 10_000;

/**
 * Returns a range in ms that includes the measured times, with a margin.
 * @param {readonly number[]} measuredMs among them, with room @returns {{ low: number, high: number }}
 */
export function rttRange(measuredMs) {
  return {
    // A coarse clock may have seen no time pass at all, which has no logarithm.
    low: Math.max(MIN_RTT_MS, Math.min(SCALE_MS.low, ...measuredMs.map((ms) => ms / 1.5))),
    high: Math.max(SCALE_MS.high, ...measuredMs.map((ms) => ms * 1.5)),
  };
}

/**
 * Parses the round-trip time in ms.
 * @param {string | null} text of a link’s `rtt` @returns {number | undefined} @throws {InvalidInputError}
 */
export function parseRtt(text) {
  if (text === null) return undefined;
  const ms = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (ms >= MIN_RTT_MS && ms <= MAX_RTT_MS) return ms;
  const reason = `expected milliseconds from ${MIN_RTT_MS} to ${MAX_RTT_MS}, got “${text.slice(0, 60)}”`;
  throw new InvalidInputError(reason, { fields: ['rtt'] });
}

/**
 * Returns the stops of the slider, rising; no two have the same text.
 * @param {readonly number[]} exactMs are kept, also where a link has one beyond the scale @param {number} floorMs of the run
 */
export function rttStops(exactMs, floorMs) {
  const { low, high } = rttRange([floorMs]);
  const range = { low: Math.min(low, ...exactMs), high: Math.max(high, ...exactMs) };
  return logStops(range, { exact: exactMs, format: formatRtt });
}
