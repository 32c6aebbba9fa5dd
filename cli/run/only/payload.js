/**
 * Payload size: it has transfer methods for transports, and a budget.
 */
import { BUDGETS, fitBudget, measureSpeed } from '../../../core/experiments/payload/budget.js';
import { formatSize, PUBLISHED } from '../../../core/experiments/payload/plan.js';
import { parseField } from '../../../core/experiment/fields.js';
import { reachServer } from '../../../core/net/http.js';
import { createTransfers, NODE_TRANSFERS } from '../../net/transfers.js';
import { probeServer } from '../../net/probe-server.js';
import { UsageError } from '../../program/errors.js';
import { TEXT } from '../../program/read-args.js';

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

/**
 * @typedef {object} Budget the limits of a run; none where absent
 * @property {number} [bytes]
 * @property {number} [ms]
 */

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
  parseOwn(values) {
    checkBlockOptions(values);
    return parseBudget(values);
  },
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

/**
 * @param {Record<string, any>} values
 * @throws {UsageError} what, expected, got
 */
function checkBlockOptions(values) {
  const wrong = values.preset === PUBLISHED && BLOCK_OPTIONS.find((name) => values[name] !== undefined);
  if (wrong) throw new UsageError(`--${wrong}: expected none with --preset ${PUBLISHED}, which has its own, got one`);
}

/**
 * @param {Record<string, any>} values
 * @returns {Budget}
 * @throws {InvalidInputError} what, expected, got
 */
function parseBudget({ url, plan, 'budget-mb': megabytes, 'budget-s': seconds }) {
  const isOpen = url === undefined || plan !== undefined;
  /** @type {(text: string | undefined, field: typeof BUDGETS.seconds) => number | undefined} */
  const parse = (text, field) => (text === undefined && isOpen ? undefined : parseField(text ?? null, field));
  const most = {
    megabytes: parse(megabytes, { ...BUDGETS.megabytes, parameter: '--budget-mb' }),
    seconds: parse(seconds, { ...BUDGETS.seconds, parameter: '--budget-s' }),
  };
  return {
    bytes: most.megabytes && 1e6 * most.megabytes,
    ms: most.seconds && 1000 * most.seconds,
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

/**
 * Sets the page's own budgets to their maximum.
 *
 * @param {Page} page
 */
export async function startWithoutBudget(page) {
  await page.locator('#payload-options > summary').click();
  for (const { parameter, max } of Object.values(BUDGETS)) {
    await page.locator(`[name=${parameter}]`).fill(String(max));
  }
  await page.locator('#run-form [type=submit]').click();
}
