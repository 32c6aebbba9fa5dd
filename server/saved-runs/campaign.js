/** A campaign: one plan, distributed as a link, and all runs that were shared with its label. */
import { formatPlan, isSamePlan, parsePlan } from '../../core/experiments/shootout/plan.js';
import { labelOf } from '../../core/net/labels.js';
import { campaignPath, comparePath, describeListed, experimentOf, MAX_COMPARED } from './list.js';

/**
 * @import { SavedRun } from '../parts.js'
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 */

/** On one page. */
export const MAX_CAMPAIGN_RUNS = 200;

/**
 * @param {{ label: string, linked?: Plan, runs: readonly SavedRun[], isWhole: boolean }} options `linked`: the plan that the
 *   link carries; `runs`: with that label, newest first; `isWhole`: whether those are all that there are
 */
export function createCampaign({ label, linked, runs, isWhole }) {
  // No later run can change the oldest one's plan.
  const oldest = isWhole ? runs.findLast(({ digest }) => digest.plan) : undefined;
  /** @type {Plan | undefined} absent where each visitor chooses */
  const plan = linked ?? oldest?.digest.plan;
  const compared = chooseCompared(runs);
  return {
    label,
    plan,
    from: linked ? 'link' : oldest ? 'oldest' : 'none',
    words: plan && describePlan(plan),
    runPath: `/?${[plan && formatPlan(plan), `label=${encodeURIComponent(label)}`].filter(Boolean).join('&')}`,
    path: formatCampaignPath(label, plan),
    rows: sortByPlace(runs).map((run) => ({ ...describeListed(run), ...describeFit(run, plan) })),
    isWhole,
    compared,
    comparePath: compared.length > 1 ? comparePath(compared) : undefined,
  };
}

/**
 * The ids of the newest valid shootouts, the nearest first: its prediction for the others is the most precise.
 * @param {readonly SavedRun[]} runs newest first
 */
function chooseCompared(runs) {
  const valid = runs.filter(({ experiment, isValid }) => experiment === 'shootout' && isValid).slice(0, MAX_COMPARED);
  const floorOf = (/** @type {SavedRun} */ { digest }) => digest.floorMs ?? Number.MAX_VALUE;
  return valid.sort((a, b) => floorOf(a) - floorOf(b)).map(({ id }) => id);
}

/** By place, those without one last; of one place the oldest first. @param {readonly SavedRun[]} runs */
function sortByPlace(runs) {
  return runs.toReversed().sort((a, b) => {
    const [placeA, placeB] = [a, b].map(({ place }) => place?.name);
    if (placeA && placeB) return placeA.localeCompare(placeB, 'en');
    return Number(!placeA) - Number(!placeB);
  });
}

/** @param {SavedRun} run @param {Plan | undefined} plan that is asked for */
function describeFit({ experiment, digest }, plan) {
  if (!digest.plan) return { isOtherPlan: false, planWord: experimentOf(experiment) };
  if (!plan) return { isOtherPlan: false, planWord: 'its own' };
  return { isOtherPlan: !isSamePlan(plan, digest.plan), planWord: 'the same' };
}

/** @param {Plan} plan */
function describePlan({ transports, blocks, iterations, payloadBytes }) {
  const body = payloadBytes > 0 ? `, ${payloadBytes} bytes each` : '';
  return `${blocks} blocks; in each, ${iterations} messages by each of ${transports.map(labelOf).join(', ')}, in random order${body}.`;
}

/** @param {string} label @param {Plan} [plan] @returns {string} the link to share, without its origin */
export function formatCampaignPath(label, plan) {
  return [campaignPath(label), plan && formatPlan(plan)].filter(Boolean).join('?');
}

/** @param {string} given a link to a plan, or its query alone; empty for none @throws {RangeError} what, expected, got */
export function parsePlanLink(given) {
  const text = given.trim();
  if (text === '') return undefined;
  const plan = parsePlan(new URLSearchParams(text.slice(text.indexOf('?') + 1)));
  if (plan) return plan;
  const got = `“${text.slice(0, 60)}”`;
  throw new RangeError(`expected the link of a plan, like /?transports=ajax,sockjs&blocks=6…, got ${got}`);
}
