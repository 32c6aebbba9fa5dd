/** @import { Conditions } from './link.js' */

/**
 * @param {Conditions} conditions
 * @returns {string} in words
 * @example formatConditions({ rttMs: 150, jitterMs: 50 }) // '150 ms round trip, ±50 ms jitter, no loss, no limit of rate'
 */
export function formatConditions({ rttMs, jitterMs = 0, lossPercent = 0, mbitPerSecond }) {
  return [
    `${rttMs} ms round trip`,
    jitterMs > 0 ? `±${jitterMs} ms jitter` : 'no jitter',
    lossPercent > 0 ? `${lossPercent} % loss each way` : 'no loss',
    mbitPerSecond === undefined ? 'no limit of rate' : `${mbitPerSecond} Mbit/s each way`,
  ].join(', ');
}
