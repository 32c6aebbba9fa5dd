/** Creates the loads of a run in Node.js, and fits their sizes to the path. */
import { fitSizes } from '../../core/experiments/under-load/fit.js';
import { isFitted, SAME } from '../../core/experiments/under-load/plan.js';
import { createLoads } from '../../core/net/load/index.js';
import { probeServer } from '../net/probe.js';
import { createTransports, loadLibrary } from '../net/transports.js';
import { client as echo } from './echo.js';

/**
 * @import { Now } from '../../core/base/clock.js'
 * @import { UnderLoadPlan } from '../../core/experiments/under-load/plan.js'
 * @import { NodeClient } from './index.js'
 */

/** @param {string} baseUrl */
async function createMeans(baseUrl) {
  const WebSocket = await loadLibrary('WebSocket');
  return { createLoads: (/** @type {number} */ maxBytes) => createLoads({ baseUrl, maxBytes, WebSocket }) };
}

/** @type {NodeClient} */
export const client = {
  async fitPlan(requested) {
    const { baseUrl, signal } = requested;
    const asked = /** @type {UnderLoadPlan} */ (requested.plan);
    if (isFitted(asked)) {
      const found = await echo.fitPlan(requested);
      // The plan says how long it takes.
      return found && { ...found, text: '' };
    }
    const means = await createMeans(baseUrl);
    const fit = (/** @type {{ now: Now, signal: AbortSignal }} */ options) => fitSizes(asked, { ...means, ...options });
    const plan = await probeServer(fit, { baseUrl, expected: 'payload', signal });
    return plan && { plan, text: '' };
  },
  async prepareRun({ baseUrl, plan }) {
    const names = plan.transports.filter((/** @type {string} */ name) => name !== SAME);
    return { transports: await createTransports(baseUrl, names), ...(await createMeans(baseUrl)) };
  },
};
