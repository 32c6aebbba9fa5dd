/**
 * The experiments that echo messages by a transport, those among them that need little more, and what all have in common.
 */
import { setImmediate as hop, setTimeout as waitMs } from 'node:timers/promises';
import { PATHS } from '../../../core/experiments/classic/measure.js';
import { probe } from '../../../core/net/probe.js';
import { createTransports, NODE_TRANSPORTS, USUAL_NODE_TRANSPORTS } from '../../net/transports.js';
import { UsageError } from '../../program/program.js';

/**
 * @import { Now } from '../../../core/base/clock.js'
 * @import { SleepUntil } from '../../../core/experiments/fixed-rate/open-trial.js'
 * @import { Begun, Only } from './index.js'
 */

const now = () => performance.now();
/** What a timer may be late by: it counts whole milliseconds. */
const TIMER_MARGIN_MS = 2;

/**
 * @template T
 * @param {(options: { now: Now, signal: AbortSignal }) => Promise<T>} ask asks the server for something
 * @param {{ origin: string, expected: string, signal: AbortSignal }} options `expected`: what it answers with
 * @returns {Promise<T | undefined>} absent where it was cancelled @throws {UsageError} where the server does not answer
 */
export async function probeServer(ask, { origin, expected, signal }) {
  try {
    return await ask({ now, signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    const { message } = /** @type {Error} */ (error);
    throw new UsageError(`--url: expected a SockShootout server at ${origin}, got no ${expected}: ${message}`);
  }
}

/**
 * @param {{ origin: string, plan: { payloadBytes?: number }, signal: AbortSignal }} options
 * @returns {Promise<number | undefined>} what a message takes, about, in ms; absent where it was cancelled
 * @throws {UsageError} where the server does not answer
 */
export async function probeEcho({ origin, plan: { payloadBytes = 0 }, signal }) {
  const { fetch } = await createTransports(origin, ['fetch']);
  return probeServer(() => probe(fetch, now, { payloadBytes, signal }), { origin, expected: 'echo', signal });
}

export const echo = Object.freeze({
  transports: NODE_TRANSPORTS,
  defaultTransports: USUAL_NODE_TRANSPORTS,
  probe: probeEcho,
  /** @param {Pick<Begun, 'origin' | 'plan'>} run */
  createMeans: async ({ origin, plan }) => ({ transports: await createTransports(origin, plan.transports) }),
});

/** @type {Only} */
export const fixedRate = { ...echo, createMeans: async (run) => ({ ...(await echo.createMeans(run)), sleepUntil }) };

/**
 * Wakes its caller at a time to some 0.1 ms. A timer sleeps most of the way; the rest is spent in turns of the event
 * loop, each of which hands over the answers that have come.
 * @type {SleepUntil}
 */
async function sleepUntil(atMs) {
  const timerMs = atMs - now() - TIMER_MARGIN_MS;
  if (timerMs > 0) await waitMs(timerMs);
  while (now() < atMs) await hop();
}

/** What is made by jQuery and XMLHttpRequest, which only a page has. @type {Only} */
const onPage = { needsPage: true, probe: probeEcho, createMeans: async () => ({}) };

/** @type {Only} */
export const classic = {
  ...onPage,
  unmeasured: { transport: 'ajax', runs: [] },
  // Each transport has a page of its own.
  queryOf({ pathname, searchParams }) {
    const transport = Object.keys(PATHS).find((name) => PATHS[name] === pathname);
    return new URLSearchParams([...(transport ? [['transport', transport]] : []), ...searchParams]);
  },
};

/** @type {Only} */
export const countdown = { ...onPage, unmeasured: { tests: [] } };
