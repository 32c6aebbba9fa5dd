/** Adds a timer that is precise enough for a fixed rate. */
import { setImmediate as hop, setTimeout as waitMs } from 'node:timers/promises';
import { client as echo } from './echo.js';

/**
 * @import { SleepUntil } from '../../core/experiments/fixed-rate/open-trial.js'
 * @import { NodeClient } from './index.js'
 */

/** The maximum delay of a timer, which counts whole milliseconds. */
const TIMER_MARGIN_MS = 2;

/** @type {NodeClient} */
export const client = { ...echo, prepareRun: async (run) => ({ ...(await echo.prepareRun(run)), sleepUntil }) };

/**
 * Wakes its caller within some 0.1 ms of a time. A timer sleeps until shortly before; the rest is spent in iterations
 * of the event loop, which deliver the answers that have arrived.
 * @type {SleepUntil}
 */
async function sleepUntil(atMs) {
  const timerMs = atMs - performance.now() - TIMER_MARGIN_MS;
  if (timerMs > 0) await waitMs(timerMs);
  while (performance.now() < atMs) await hop();
}
