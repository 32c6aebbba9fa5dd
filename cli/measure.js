/**
 * A run from Node: what the home page does, without the page.
 */
import { measureStepMs } from '../core/clock.js';
import { SCHEMA } from '../core/result.js';
import { measureRun, measureSetUps } from '../core/run.js';
import { readStatus } from '../core/status.js';

const now = () => performance.now();

/**
 * @param {object} options
 * @param {import('../core/plan.js').Plan} options.plan
 * @param {string} options.origin of the site
 * @param {Record<string, import('../core/transports/index.js').Transport>} options.transports
 * @param {import('./progress.js').Progress} options.progress
 * @param {AbortSignal} options.signal ends the run, with an Ending as its reason
 * @returns {Promise<import('../core/result.js').Result>} whatever happens, what was measured until then
 */
export async function measure({ plan, origin, transports, progress, signal }) {
  const environment = {
    url: `${origin}/`,
    userAgent: `Node.js ${process.version}`,
    stepMs: measureStepMs(now),
    isCrossOriginIsolated: false,
  };
  const statusUrl = `${origin}/status`;
  const statusBefore = await readStatus(fetch, statusUrl, signal);
  const startedAt = new Date().toISOString();
  let startedCount = 0;
  const run = await measureRun({
    plan,
    transports,
    now,
    signal,
    onTrialStart: () => progress.show(startedCount++),
  });
  const statusAfter = await readStatus(fetch, statusUrl);
  const coldSetUpMs = run.ending ? {} : await measureSetUps({ plan, transports, now, signal });
  return { schema: SCHEMA, startedAt, plan, environment, statusBefore, statusAfter, coldSetUpMs, ...run };
}
