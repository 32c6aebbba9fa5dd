import { setImmediate as hop } from 'node:timers/promises';

/**
 * @import { Now } from '../../core/base/clock.js'
 * @import { SleepUntil } from '../../core/experiments/fixed-rate/open-trial.js'
 */

/** What a timer may be late by: it counts whole milliseconds. */
const TIMER_MARGIN_MS = 2;

/**
 * Wakes its caller at a time to some 0.1 ms. A timer sleeps most of the way; the rest is spent in turns of the event loop,
 * each of which hands over the answers that have come.
 *
 * @param {Now} now
 * @returns {SleepUntil}
 */
export function createSleepUntil(now) {
  return async (atMs) => {
    const timerMs = atMs - now() - TIMER_MARGIN_MS;
    if (timerMs > 0) await new Promise((resolve) => setTimeout(resolve, timerMs));
    while (now() < atMs) await hop();
  };
}
