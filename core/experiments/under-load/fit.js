/** Fits the sizes of a plan to the path, so that a transfer lasts as long as a trial. They are frozen in the plan. */
import { createLimit } from './limit.js';
import { LOADS, MAX_BYTES, MIN_BYTES } from './plan.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Now } from '../../base/clock.js'
 * @import { LoadDirection, Loads } from '../../net/load/index.js'
 * @import { UnderLoadPlan } from './plan.js'
 * @typedef {{ createLoads: (maxBytes: number) => Loads, now: Now, timers?: Timers, signal?: AbortSignal }} Means
 */

/**
 * @param {Means & { plan: UnderLoadPlan, onFitted?: (plan: UnderLoadPlan) => void }} options `onFitted` is called with what
 *   will be run, and may throw
 * @returns {Promise<UnderLoadPlan>} rejects with an ExchangeError if nothing can be transferred
 */
export async function fitToPath({ plan, onFitted, ...means }) {
  const fitted = await fitSizes(plan, means);
  onFitted?.(fitted);
  return fitted;
}

/** The sizes rise, so that a slow path is detected before it has to transfer much, and a fast one past its slow start. */
const TEST_BYTES = [50_000, 200_000, 800_000, 3_200_000];
/** A transfer that takes so long shows the rate well enough. */
const LONG_MS = 700;
const TRIES = 2;
const MIN_MS = 0.1;
const LIMIT_MS = 20_000;

/**
 * @param {UnderLoadPlan} plan whose sizes of 0 are to be fitted @param {Means} means
 * @returns {Promise<UnderLoadPlan>} rejects with an ExchangeError if nothing can be transferred
 */
export async function fitSizes(plan, means) {
  const fitted = { ...plan };
  for (const [direction, name] of /** @type {const} */ ([
    ['down', 'downBytes'],
    ['up', 'upBytes'],
  ])) {
    if (fitted[name] > 0) continue;
    // A size that no load has is a number, too, as a plan is whole.
    const isUsed = plan.loads.some((load) => LOADS[load].direction === direction);
    const bytesPerMs = isUsed ? await measureRate(direction, means) : 0;
    fitted[name] = clamp(bytesPerMs * 1000 * plan.seconds);
  }
  return fitted;
}

/** @param {number} bytes @returns {number} with two digits, as it is no more precise */
const clamp = (bytes) => Math.round(Number(Math.max(MIN_BYTES, Math.min(MAX_BYTES, bytes)).toPrecision(2)));

/** @param {LoadDirection} direction @param {Means} means @returns {Promise<number>} bytes per ms */
async function measureRate(direction, { createLoads, now, ...run }) {
  const loads = createLoads(direction === 'up' ? TEST_BYTES[TEST_BYTES.length - 1] : 0);
  /** @param {number} bytes @returns {Promise<number>} from the first byte to the last, ms */
  const timeOf = async (bytes) => {
    const limit = createLimit(run, LIMIT_MS, 'The test of the connection took longer than 20 s.');
    let firstAtMs = now();
    try {
      await loads.request(direction, { bytes, count: 1, onFirst: () => (firstAtMs = now()), signal: limit.signal });
    } finally {
      limit.end();
    }
    return Math.max(now() - firstAtMs, MIN_MS);
  };
  let bytesPerMs = 0;
  for (const bytes of TEST_BYTES) {
    let ms = Infinity;
    // A slow one may have been a pause of this device, so it is repeated.
    for (let i = 0; i < TRIES && ms >= LONG_MS; i++) ms = Math.min(ms, await timeOf(bytes));
    bytesPerMs = bytes / ms;
    if (ms >= LONG_MS) break;
  }
  return bytesPerMs;
}
