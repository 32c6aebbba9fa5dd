/**
 * The home page's run: its plan is made for the round trip to the server, unless one is repeated.
 */
import {
  createPlan,
  estimateDurationMs,
  parseChoices,
  parsePlan,
  parsePreset,
} from '../../../core/experiments/shootout/plan.js';
import { createReport } from '../../../core/experiments/shootout/report.js';
import { echo } from './echo.js';
import { parseVerdictCondition } from './shootout-verdict.js';

/**
 * @import { Result } from '../../../core/experiments/shootout/measure.js'
 * @import { Only } from './index.js'
 */

/** @type {Only} */
export const shootout = {
  ...echo,
  parsePlan: (query, { seed, isRepeated }) =>
    isRepeated ? parsePlan(query, seed) : { seed, ...parseChoices(query), preset: parsePreset(query) ?? 'standard' },
  fitPlan({ preset, seed, ...choices }, { found: roundTripMs }) {
    const plan = preset ? createPlan({ preset, roundTripMs, seed, choices }) : { ...choices, seed };
    const seconds = Math.max(1, Math.round(estimateDurationMs(plan, roundTripMs) / 1000));
    return { plan, text: `About ${seconds} s.` };
  },
  unmeasured: { coldSetUpMs: {} },
  parseCondition: parseVerdictCondition,
  reasonToFail(/** @type {Result} */ result) {
    const { headline, detail, word } = createReport(result).verdict;
    return word === 'none' ? `${headline}. ${result.ending?.reason ?? detail}` : undefined;
  },
};
