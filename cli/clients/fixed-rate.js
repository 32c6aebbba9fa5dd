/** A fixed rate needs to be woken in time. */
import { setImmediate as hop, setTimeout as waitMs } from 'node:timers/promises';
import { client as echo } from './echo.js';

/**
 * @import { SleepUntil } from '../../core/experiments/fixed-rate/open-trial.js'
 * @import { NodeClient } from './index.js'
 */

/** What a timer may be late by: it counts whole milliseconds. */
const TIMER_MARGIN_MS = 2;

/** @type {NodeClient} */
export const client = { ...echo, prepareRun: async (run) => ({ ...(await echo.prepareRun(run)), sleepUntil }) };

/**
 * Wakes its caller at a time to some 0.1 ms. A timer sleeps most of the way; the rest is spent in turns of the event
 * loop, each of which hands over the answers that have come.
 * @type {SleepUntil}
 */
async function sleepUntil(atMs) {
  const timerMs = atMs - performance.now() - TIMER_MARGIN_MS;
  if (timerMs > 0) await waitMs(timerMs);
  while (performance.now() < atMs) await hop();
}
