/** Runs of streams that were never measured: their pieces come as a test says. */
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { stream } from '../../core/experiments/stream/index.js';
import { streamsOf, trialsOf } from '../../core/experiments/stream/plan.js';
import { dueTimesOf } from '../../core/net/stream/stream.js';

/**
 * @import { StreamPlan } from '../../core/experiments/stream/plan.js'
 * @import { StreamDocument, StreamTrial } from '../../core/experiments/stream/schema.js'
 * @typedef {{ firstMs?: number, collects?: number, stepMs?: number, setUpMs?: number, lastN?: number, backMs?: number, waitMs?: number,
 *   lostIn?: number }} Way how pieces come by a method: the first after `firstMs`; `lastN`: how many come in all; `backMs`: how much later
 *   the second half, which the server sends so late, too; `lostIn`: in how many blocks nothing but three pieces comes
 */

/** @param {string} query @returns {StreamPlan} */
export const planOf = (query) => parsePlan(stream, new URLSearchParams(`seed=1&${query}`));

/**
 * A run whose pieces come as the ways of its methods say, a little later in each block.
 * @param {string} query @param {Readonly<Record<string, Way>>} ways @param {Partial<StreamTrial>} [more] of each trial
 * @returns {StreamDocument}
 */
export function runOf(query, ways, more) {
  const plan = planOf(query);
  const trials = trialsOf(plan).map((planned, index) => {
    const {
      firstMs = 100,
      collects = 1,
      stepMs,
      setUpMs,
      lostIn = 0,
      lastN = planned.block < lostIn ? 3 : plan.pieces,
      backMs = 0,
      waitMs = 0,
    } = ways[planned.streamedBy];
    const streams = streamsOf(plan, planned).map((options, i) => {
      const due = dueTimesOf(options);
      const base = firstMs * (1 + planned.block / 1000) + (setUpMs ?? 0) + (i >= 6 ? waitMs : 0);
      const atMs = due.slice(0, lastN).map((ms, n) => {
        const kept = due[Math.min(due.length - 1, n - (n % collects) + collects - 1)];
        const atLeast = stepMs ? stepMs * Math.ceil(ms / stepMs) : kept;
        return base + atLeast + (n >= plan.pieces / 2 ? backMs : 0);
      });
      const lostAtMs = backMs > 0 ? [base + due[plan.pieces / 2 - 1] + 1] : [];
      const failure =
        lastN < plan.pieces
          ? { outcome: /** @type {const} */ ('closed'), message: 'The connection broke.' }
          : undefined;
      const sentMs = due.slice(0, lastN).map((ms, n) => ms + (n >= plan.pieces / 2 ? backMs : 0));
      return { askedAtMs: 0, setUpMs, sentMs, atMs, lostAtMs, ...(failure && { failure }) };
    });
    return { ...planned, protocol: 'http/1.1', startedAtMs: index * 10_000, elapsedMs: 9000, streams, ...more };
  });
  return documentOf(plan, /** @type {StreamTrial[]} */ (trials));
}

/** @param {StreamPlan} plan @param {StreamTrial[]} trials @returns {StreamDocument} */
export const documentOf = (plan, trials) => ({
  schema: 'sockshootout/stream/1',
  startedAt: '2026-11-29T10:00:00.000Z',
  plan,
  environment: { url: 'https://example.org/stream', userAgent: 'a|b', isCrossOriginIsolated: true },
  trials,
});

/** How polling brings pieces. */
export const POLL = Object.freeze({ stepMs: 250 });
