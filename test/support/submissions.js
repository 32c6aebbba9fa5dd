/**
 * Runs as visitors send them to be saved.
 */
import { shootout } from '../../core/experiments/shootout/index.js';
import { createResult, createTrial, inTurn } from './results.js';

/** @import { Result } from '../../core/experiments/shootout/index.js' */

/** Small, and in its order. */
const PLAN = { transports: ['ajax', 'sockjs'], blocks: 6, iterations: 5, warmUpCount: 0, payloadBytes: 0, seed: 1 };

/** @type {Record<string, number>} */
const BASE_MS = { ajax: 10, sockjs: 5 };

/**
 * A shootout in which SockJS takes half of AJAX's time.
 *
 * @param {Partial<Result>} [others]
 * @returns {Result}
 */
export function createShootout(others = {}) {
  const plan = others.plan ?? PLAN;
  const trials = shootout.trialsOf(plan).map(({ transport, block }) =>
    createTrial(
      transport,
      block,
      Array.from({ length: plan.iterations }, (_, i) => BASE_MS[transport] + ((i * 7 + block) % 5) / 8),
    ),
  );
  return createResult({ plan, trials: inTurn(trials), ...others });
}

/**
 * @param {string} origin
 * @param {unknown} submission
 * @param {RequestInit} [options]
 * @returns {Promise<{ status: number, headers: Headers, answer: any }>}
 */
export async function postSubmission(origin, submission, options = {}) {
  const response = await fetch(`${origin}/api/results`, {
    method: 'POST',
    body: typeof submission === 'string' ? submission : JSON.stringify(submission),
    ...options,
    headers: { 'Content-Type': 'application/json', ...options.headers },
  });
  return { status: response.status, headers: response.headers, answer: await response.json() };
}
