/**
 * Distances by name, each with where its conditions come from; and conditions in words.
 */

/** @import { Conditions } from './link.js' */

/** @type {Readonly<Record<string, { conditions: Conditions, source: string }>>} */
export const PROFILES = {
  lan: {
    conditions: { rttMs: 2, jitterMs: 1, mbitPerSecond: 100 },
    source: 'ours: another machine in the same building, by good Wi-Fi or an old cable',
  },
  wan: {
    conditions: { rttMs: 40, jitterMs: 5, mbitPerSecond: 20 },
    source: 'ours: a server in the same part of the world, from a connection at home',
  },
  'london-california': {
    conditions: { rttMs: 227 },
    source: 'from the published figures: at 4.391 messages/s a message took 227.7 ms, nearly all of it distance',
  },
  hspa: {
    conditions: { rttMs: 150, jitterMs: 50, mbitPerSecond: 1.6 },
    // https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
    source:
      'round trip and rate (downwards) of Lighthouse’s “Mobile 3G - Fast”; the jitter, and that rate upwards, are ours',
  },
  'hsdpa-plus': {
    conditions: { rttMs: 100, jitterMs: 30, mbitPerSecond: 5 },
    source: 'ours: what a phone gets of the 21 Mbit/s of that name where others are in its cell, too',
  },
};

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
