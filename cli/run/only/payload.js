/**
 * Payload size: it has transfer methods for transports, and a budget.
 */
import { BUDGETS, fitBudget, measureSpeed } from '../../../core/experiments/payload/budget.js';
import { formatSize, PUBLISHED } from '../../../core/experiments/payload/plan.js';
import { parseField } from '../../../core/experiment/fields.js';
import { reachServer } from '../../../core/net/http.js';
import { createTransfers, NODE_TRANSFERS } from '../../net/transports.js';
import { TEXT, UsageError } from '../../program/program.js';
import { probeServer } from './echo.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { PayloadPlan } from '../../../core/experiments/payload/plan.js'
 * @import { Speed } from '../../../core/experiments/payload/budget.js'
 * @import { Only } from './index.js'
 */

/** Options of a plan in blocks only. */
const BLOCK_OPTIONS = ['repeats', 'seed'];

/** The option that limits a size, by the reason for which it is left out. */
const OPTIONS = Object.freeze({ time: '--budget-s', bytes: '--budget-mb' });

/** @typedef {{ bytes?: number, ms?: number }} Budget the limits of a run; none where absent */

/** @type {Only} */
export const payload = {
  transports: NODE_TRANSFERS,
  defaultTransports: NODE_TRANSFERS,
  presets: { [PUBLISHED]: `preset=${PUBLISHED}` },
  options: { 'budget-mb': TEXT, 'budget-s': TEXT },
  help: `  --budget-mb N         sizes that take more than this many megabytes, both directions together, are left out, the
                        largest first;
  --budget-s N          or more than about this many seconds. By default ${BUDGETS.megabytes.default} and ${BUDGETS.seconds.default} with --url and without --plan, else
                        without a limit`,
  parseOwn: parseBudget,
  async probe({ origin, signal }) {
    const { fetch: transfer } = await createTransfers(origin, ['fetch']);
    return probeServer((options) => measureSpeed({ transfer, ...options }), { origin, expected: 'payload', signal });
  },
  fitPlan: (plan, { found: speed, own: budget }) => fitPlan(plan, { speed, budget }),
  createMeans: async ({ origin, plan, signal }) => ({
    transfers: await createTransfers(origin, plan.transports),
    reach: () => reachServer(fetch, `${origin}/status`, signal),
  }),
  startPage: startWithoutBudget,
};

/** @param {Record<string, any>} values @returns {Budget} @throws {UsageError | RangeError} what, expected, got */
function parseBudget({ url, plan, preset, 'budget-mb': megabytes, 'budget-s': seconds, ...others }) {
  const wrong = preset === PUBLISHED && BLOCK_OPTIONS.find((name) => others[name] !== undefined);
  if (wrong) throw new UsageError(`--${wrong}: expected none with --preset ${PUBLISHED}, which has its own, got one`);
  const isOpen = url === undefined || plan !== undefined;
  /** @type {(text: string | undefined, field: typeof BUDGETS.seconds, factor: number) => number | undefined} */
  const parse = (text, field, factor) =>
    text === undefined && isOpen ? undefined : factor * parseField(text ?? null, field);
  return {
    bytes: parse(megabytes, { ...BUDGETS.megabytes, parameter: OPTIONS.bytes }, 1e6),
    ms: parse(seconds, { ...BUDGETS.seconds, parameter: OPTIONS.time }, 1000),
  };
}

/**
 * Leaves out the sizes that exceed the budget.
 *
 * @param {PayloadPlan} plan
 * @param {{ speed: Speed, budget: Budget }} options `speed`: as a short test found it
 * @returns {{ plan: PayloadPlan, text: string }} the remaining plan; its cost, and the sizes left out, as text
 * @throws {UsageError} if no size remains
 */
export function fitPlan(plan, { speed, budget: { bytes = Infinity, ms = Infinity } }) {
  const fit = fitBudget(plan, { speed, budgetBytes: bytes, budgetMs: ms });
  const leftOut = fit.struckOut.map(
    ({ size, why }) => `${formatSize(size)} (${why.map((reason) => OPTIONS[reason]).join(', ')})`,
  );
  if (fit.sizes.length === 0) {
    throw new UsageError(`Expected a budget that the smallest size fits, but all are left out: ${leftOut.join(', ')}`);
  }
  const seconds = Math.max(1, Math.round(fit.durationMs / 1000));
  const cost = `${(fit.byteCount / 1e6).toFixed(1)} MB in both directions, about ${seconds} s.`;
  const without = leftOut.length > 0 ? ` Left out by the budget: ${leftOut.join(', ')}.` : '';
  return { plan: { ...plan, sizes: fit.sizes }, text: `${cost}${without}` };
}

/** Sets the page's own budgets to their maximum. @param {Page} page */
export async function startWithoutBudget(page) {
  await page.locator('#payload-options > summary').click();
  for (const { parameter, max } of Object.values(BUDGETS)) {
    await page.locator(`[name=${parameter}]`).fill(String(max));
  }
  await page.locator('#run-form [type=submit]').click();
}
