/** The home page's run: its plan is made for the round trip to the server, unless one is repeated. */
import {
  createPlan,
  estimateDurationMs,
  parseChoices,
  parsePlan,
  parsePreset,
} from '../../../core/experiments/shootout/plan.js';
import { labelOf, LABELS } from '../../../core/net/labels.js';
import { UsageError } from '../../program/program.js';
import { echo } from './echo.js';

/**
 * @import { Summary } from '../../../core/experiments/shootout/summary.js'
 * @import { Condition } from '../conditions.js'
 * @import { Only } from './index.js'
 */

const VERDICTS = ['same', 'faster', 'slower', 'unclear'];

/** @type {Only} */
export const only = {
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
  failure: 'the run gives no verdict, for example because it is invalid or stopped',
  reasonToFail({ ending }, { verdict: { headline, detail, word } }) {
    return word === 'none' ? `${headline}. ${ending?.reason ?? detail}` : undefined;
  },
};

/**
 * `--fail-if 'sockjs slower'`: a verdict that must not come out.
 * @param {string} text @returns {Condition | undefined} absent where it is about figures
 * @throws {UsageError} what, expected, got
 */
export function parseVerdictCondition(text) {
  if (/[<>=]/.test(text) || text.trim() === 'invalid') return undefined;
  const [transport, verdict, ...more] = text.trim().split(/\s+/);
  if (!Object.hasOwn(LABELS, transport) || !VERDICTS.includes(verdict) || more.length > 0) {
    throw new UsageError(
      `--fail-if: expected a transport and one of ${VERDICTS.join(', ')}, as in 'sockjs slower', or figures, as in 'sockjs p50_ms>50', got “${text}”`,
    );
  }
  return {
    check: ({ summary }) => checkCompared(summary, text, transport),
    reasonOf: ({ summary }) => reasonOf(summary, transport, verdict),
  };
}

/** @param {Pick<Summary, 'baseline' | 'rows'>} summary @param {string} text @param {string} transport */
function checkCompared({ baseline, rows }, text, transport) {
  const compared = rows.map((row) => row.transport).filter((name) => name !== baseline);
  if (compared.includes(transport)) return;
  throw new UsageError(
    `--fail-if: expected one of ${compared.join(', ')}, which this plan compares with ${baseline}, got “${text}”`,
  );
}

/** @param {Pick<Summary, 'baseline' | 'rows'>} summary @param {string} transport @param {string} verdict */
function reasonOf({ baseline, rows }, transport, verdict) {
  const found = rows.find((row) => row.transport === transport)?.comparison?.word;
  if (found && found !== verdict) return undefined;
  const names = `${labelOf(transport)} compared with ${labelOf(baseline)}`;
  return found ? `${names}: ${verdict}.` : `${names}: it cannot be judged, because too little was measured.`;
}
