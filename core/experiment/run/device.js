/** How fast the measuring device is: a fixed piece of work like what an echo costs a page, timed before a run. */
import { formatMs } from '../../base/format.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Environment, Fact } from '../contract.js'
 */

const ROUND_COUNT = 5;
const ECHO_COUNT = 500;
/** A slow device makes fewer rounds. */
const BUDGET_MS = 100;
/** By a coarse clock, a shorter time says little. */
const MIN_STEPS = 5;

/**
 * Times the work, on a page or in Node.js, while nothing else is timed.
 * @param {Now} now @param {number} [stepMs] of the clock
 * @returns {Promise<{ device?: Environment['device'] }>} empty if the clock is too coarse
 */
export async function calibrate(now, stepMs = 0) {
  const startedAtMs = now();
  // Engines compile what runs often.
  await work();
  let workMs = Infinity;
  for (let round = 0; round < ROUND_COUNT && (round === 0 || now() - startedAtMs < BUDGET_MS); round++) {
    const roundAtMs = now();
    await work();
    // Other work can only make it longer.
    workMs = Math.min(workMs, now() - roundAtMs);
  }
  return workMs > MIN_STEPS * stepMs ? { device: { workMs } } : {};
}

/** Writes and reads messages, each handed on by a promise and an event. */
async function work() {
  const target = new EventTarget();
  let readCount = 0;
  target.addEventListener('message', () => readCount++);
  for (let n = 0; n < ECHO_COUNT; n++) {
    await JSON.parse(JSON.stringify({ number: n, text: 'x'.repeat(100), list: [n, n + 1] }));
    target.dispatchEvent(new Event('message'));
  }
}

/** @param {{ device?: Environment['device'] }} environment @returns {Fact[]} none of earlier releases */
export function deviceFacts({ device }) {
  if (!device) return [];
  const { workMs } = device;
  const value = `a fixed task took ${formatMs(workMs)} ms; four times slower is ${formatMs(4 * workMs)} ms`;
  return [{ name: 'Device', value, isWarning: false }];
}
