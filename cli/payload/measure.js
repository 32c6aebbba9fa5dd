/**
 * A run over sizes from Node: what its page does, without the page.
 */
import { payload } from '../../core/experiments/payload/index.js';
import { measureDocument } from '../../core/experiment/measure-document.js';
import { environmentOf } from '../net/environment.js';

/**
 * @import { PayloadDocument } from '../../core/experiments/payload/document.js'
 * @import { PayloadPlan } from '../../core/experiments/payload/plan.js'
 * @import { Carrier } from '../../core/net/transfer/index.js'
 * @import { Progress } from '../program/progress.js'
 */

const now = () => performance.now();

/**
 * @param {object} options
 * @param {PayloadPlan} options.plan
 * @param {string} options.origin of the site
 * @param {Record<string, Carrier>} options.carriers
 * @param {Progress} options.progress
 * @param {AbortSignal} options.signal ends the run, with an Ending as its reason
 * @returns {Promise<PayloadDocument>} whatever happens, what was measured until then
 */
export function measurePayloadDocument({ plan, origin, carriers, progress, signal }) {
  let startedCount = 0;
  return measureDocument(payload, {
    plan,
    carriers,
    now,
    environment: environmentOf({ origin }),
    statusUrl: `${origin}/status`,
    signal,
    onTrialStart: () => progress.show(startedCount++),
  });
}
