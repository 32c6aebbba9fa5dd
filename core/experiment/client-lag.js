/** Looks for other work on the device of the measuring program, which makes its timers late. */
import { formatMs } from '../base/format.js';
import { mean, percentile, sort } from '../base/statistics.js';

/**
 * @import { Now } from '../base/clock.js'
 * @import { Timers } from '../base/async.js'
 * @import { Environment, Fact } from './contract.js'
 */

/** The interval of the timers: short enough for a run of a second, and long enough to cost it nothing. */
const INTERVAL_MS = 25;

/**
 * Sets one timer after the other during a run, and notes how late each fires.
 * @param {number[]} lateMs gets them @param {{ now: Now, timers?: Timers }} options
 * @returns {() => void} ends it
 */
export function sampleLag(lateMs, { now, timers = globalThis }) {
  /** @type {any} */
  let timer;
  const setNext = () => {
    const dueAtMs = now() + INTERVAL_MS;
    timer = timers.setTimeout(() => {
      // Node.js fires some up to a millisecond early.
      lateMs.push(Math.max(0, now() - dueAtMs));
      setNext();
    }, INTERVAL_MS);
  };
  setNext();
  return () => timers.clearTimeout(timer);
}

/** @param {readonly number[]} lateMs @returns {Pick<Environment, 'lag'>} empty if the run was too short */
export function summarizeLag(lateMs) {
  const p90Ms = percentile(sort(lateMs), 90);
  return p90Ms === undefined ? {} : { lag: { count: lateMs.length, meanMs: Number(mean(lateMs)), p90Ms } };
}

/**
 * The lag above which a device is busy, whatever it measures. On two cores over localhost it was up to 4.8 ms in 20 runs
 * of Chromium when nothing was started beside them, and from 16 ms on in Node.js beside ten busy loops. A system may spare
 * a browser: beside four loops, Chromium's timers and round trips were no later than without.
 */
const BUSY_MS = 8;
/** The share of the fastest round trip that the lag may be: more than that can decide between two transports. */
const BUSY_SHARE = 0.1;

/**
 * @param {Pick<Environment, 'lag' | 'stepMs'>} environment
 * @param {{ floorMs?: number, isOwn?: boolean }} [run] `floorMs`: its fastest round trip, if it is known; `isOwn`: its own
 *   messages make the lag
 * @returns {Fact[]} none if the lag was not measured
 */
export function clientLagFacts({ lag, stepMs = 0 }, { floorMs = 0, isOwn = false } = {}) {
  if (!lag) return [];
  // A coarse clock makes timers late by up to a step.
  const isWarning = !isOwn && lag.p90Ms > Math.max(BUSY_MS, BUSY_SHARE * floorMs) + stepMs;
  const why = isOwn ? ', including this run’s own load' : isWarning ? '; the client’s device was busy' : '';
  const value = `${formatMs(lag.p90Ms)} ms at the 90th percentile, ${lag.count} samples${why}`;
  return [{ name: 'Client’s timer lag', value, isWarning, weighs: true }];
}
