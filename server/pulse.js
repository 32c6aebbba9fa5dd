/** The pulse of a worker, by which its primary notices that its event loop stands still for good. */
import { readFileSync } from 'node:fs';
import inspector from 'node:inspector';

/** @import { Worker } from 'node:cluster' */

const TICK_MS = 2000;
const MISSED_COUNT = 30;
/** Longer than any honest pause: a worker waits up to 15 s for a lock of the database. */
export const FROZEN_MS = TICK_MS * MISSED_COUNT;

const QUESTION = 'pulse';

/** Answers in a worker whose primary asks; pm2 does not. */
export function answerPulse() {
  process.on('message', (message) => {
    // The primary may be gone when it is answered.
    if (message === QUESTION) process.send?.({ isInspected: inspector.url() !== undefined }, () => {});
  });
}

/**
 * Asks a worker until it exits, and counts how often it does not answer. The times that count are those in which this process
 * ran itself: both stand still while the machine sleeps, or where somebody stopped both.
 * @param {Worker} worker that is ready
 * @param {() => void} onFrozen is called once, unless a debugger holds the worker
 */
export function watchPulse(worker, onFrozen) {
  let isAsked = false;
  let isInspected = false;
  let missedCount = 0;
  let tickedAtMs = performance.now();
  const tick = () => {
    const elapsedMs = performance.now() - tickedAtMs;
    tickedAtMs += elapsedMs;
    if (!isAsked) {
      isAsked = true;
      // One that ends has closed its channel, and gets no longer for its last step.
      if (worker.isConnected()) worker.send(QUESTION);
      return;
    }
    missedCount = isInspected || elapsedMs > 2 * TICK_MS ? 0 : missedCount + 1;
    if (missedCount < MISSED_COUNT || isTraced(worker.process.pid)) return;
    clearInterval(timer);
    onFrozen();
  };
  const timer = setInterval(tick, TICK_MS);
  worker.on('message', (answer) => {
    ({ isInspected } = answer);
    isAsked = false;
    missedCount = 0;
  });
  worker.once('exit', () => clearInterval(timer));
}

/** Checks whether a debugger such as gdb holds a process, as Linux says. @param {number} [pid] */
function isTraced(pid) {
  try {
    return /^TracerPid:\s*[1-9]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
