import { shootout } from '../../core/experiments/shootout/index.js';
import { measureDocument } from '../../core/experiment/measure-document.js';
import { environmentOf } from '../net/environment.js';

/**
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 * @import { Result } from '../../core/experiments/shootout/result.js'
 * @import { Transport } from '../../core/net/echo/index.js'
 * @import { Progress } from '../program/progress.js'
 */

/**
 * A run from Node: what the home page does, without the page.
 *
 * @param {object} options
 * @param {Plan} options.plan
 * @param {string} options.origin of the site
 * @param {Record<string, Transport>} options.transports
 * @param {Progress} options.progress
 * @param {AbortSignal} options.signal ends the run, with an Ending as its reason
 * @returns {Promise<Result>} whatever happens, what was measured until then
 */
export function measure({ plan, origin, transports, progress, signal }) {
  let startedCount = 0;
  return measureDocument(shootout, {
    plan,
    transports,
    now: () => performance.now(),
    environment: environmentOf({ origin }),
    statusUrl: `${origin}/status`,
    signal,
    onTrialStart: () => progress.show(startedCount++),
  });
}
