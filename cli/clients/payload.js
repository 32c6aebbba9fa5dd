/** Adds the transfer methods and the time budget of payload size. */
import { formatSeconds } from '../../core/base/format.js';
import { fitTime, TIME_BUDGET } from '../../core/experiments/payload/budget.js';
import { measureSpeed } from '../../core/experiments/payload/speed.js';
import { formatSize, PUBLISHED, PUBLISHED_FIELDS } from '../../core/experiments/payload/plan.js';
import { reachServer } from '../../core/net/http.js';
import { probeServer } from '../net/probe.js';
import { createTransfers } from '../net/transports.js';
import { integerOption } from '../program/command.js';
import { UsageError } from '../program/program.js';

/**
 * @import { PayloadPlan } from '../../core/experiments/payload/plan.js'
 * @import { Speed } from '../../core/experiments/payload/speed.js'
 * @import { Now } from '../../core/base/clock.js'
 * @import { NodeClient } from './index.js'
 */

/** Options of a plan in blocks only. */
const BLOCK_OPTIONS = ['connections', 'repeats', 'seed'];
const OPTION = '--budget-s';

/** @type {NodeClient} */
export const client = {
  async fitPlan({ baseUrl, plan, own: budgetMs, signal }) {
    const { fetch: transfer } = await createTransfers(baseUrl, ['fetch']);
    const measure = (/** @type {{ now: Now, signal: AbortSignal }} */ options) =>
      measureSpeed({ transfer, ...options });
    const speed = await probeServer(measure, { baseUrl, expected: 'payload', signal });
    return speed && fitSizes(plan, { speed, budgetMs });
  },
  prepareRun: async ({ baseUrl, plan, signal }) => ({
    transfers: await createTransfers(baseUrl, plan.transports),
    reach: () => reachServer(fetch, `${baseUrl}/status`, signal),
  }),
  options: {
    list: [
      integerOption(
        'budget-s',
        `approximate maximum duration in seconds: the largest sizes are left out if the run would take longer; default: ${TIME_BUDGET.default} with --url and without --plan or --preset, else no limit; --preset ${PUBLISHED} sets --budget to ${PUBLISHED_FIELDS.budget.default}, enough for all its sizes`,
        { min: TIME_BUDGET.min, max: TIME_BUDGET.max },
      ),
    ],
    parse: parseBudget,
  },
};

/**
 * @param {Record<string, any>} values @returns {number | undefined} ms; absent without a limit
 * @throws {InvalidInputError}
 */
function parseBudget({ url, plan, preset, budgetS, ...others }) {
  const wrong = preset === PUBLISHED && BLOCK_OPTIONS.find((name) => others[name] !== undefined);
  if (wrong) throw new UsageError(`--${wrong} cannot be used with --preset ${PUBLISHED}, which sets its own`);
  const isOpen = url === undefined || plan !== undefined || preset === PUBLISHED;
  if (budgetS === undefined && isOpen) return undefined;
  return 1000 * (budgetS ?? TIME_BUDGET.default);
}

/**
 * Leaves out the sizes that would take too long.
 * @param {PayloadPlan} plan @param {{ speed: Speed, budgetMs?: number }} options `speed`: as a short test found it
 * @returns {{ plan: PayloadPlan, text: string }} the remaining plan; its cost, and the sizes left out, as text
 * @throws {UsageError} if no size remains
 */
export function fitSizes(plan, options) {
  const { plan: fitting, tooSlow, byteCount, durationMs } = fitTime(plan, options);
  const leftOut = tooSlow.map(({ size }) => formatSize(size)).join(', ');
  if (fitting.sizes.length === 0) {
    throw new UsageError(
      `${OPTION}: expected enough time for the smallest size, but all sizes take longer: ${leftOut}`,
    );
  }
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const cost = `${(byteCount / 1e6).toFixed(1)} MB in both directions, about ${formatSeconds(seconds)}.`;
  const without = tooSlow.length > 0 ? ` Left out by ${OPTION}: ${leftOut}.` : '';
  return { plan: fitting, text: `${cost}${without}` };
}
