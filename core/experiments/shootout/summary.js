/** Computes all results of a run from its measurements only: pages and every export show the same. */
import { summarizeTrials, median, sumOf } from '../../base/statistics.js';
import { compareTransports } from '../../experiment/answer/compare.js';
import { VERDICT_LABELS } from '../../experiment/answer/verdict.js';
import { ruleOf } from '../../experiment/plan/blocks.js';
import { scopeOf } from '../../experiment/run/scope.js';
import { leastOf, minOf, protocolsOf } from '../../experiment/run/trials.js';
import { transports } from '../../net/echo/index.js';
import { fallbackOf, isFallback } from '../../experiment/answer/fallback.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { baselineOf, challengerOf } from './plan.js';
import { createVerdict } from './verdict.js';

/**
 * @import { Summary as Figures } from '../../base/statistics.js'
 * @import { UsedFallback } from '../../experiment/answer/answer.js'
 * @import { Scope } from '../../experiment/run/scope.js'
 * @import { Failure, RunTrial } from '../../net/echo/trial.js'
 * @import { Rule, Comparison } from '../../experiment/answer/compare.js'
 * @import { VerdictName } from '../../experiment/answer/verdict.js'
 * @import { Result } from './index.js'
 * @import { EchoVerdict } from './verdict.js'
 * @import { GenericSchema } from 'valibot'
 * @import { Valibot } from '../../base/valibot.js'
 *
 * @typedef {object} Row one transport's figures
 * @property {string} transport
 * @property {string[]} protocols that were negotiated, in the order of their first use
 * @property {UsedFallback} [fallback] of its own choice, where no WebSocket worked
 * @property {SetUps} setUp
 * @property {number} roundTripCount over how many network round trips a message goes
 * @property {Figures} summary of its samples
 * @property {Failure[]} failures
 * @property {Comparison} [comparison] with the baseline; absent for that
 *
 * @typedef {object} SetUps the times of new connections
 * @property {number} [medianMs]
 * @property {number} count
 * @property {number} reusedCount of trials that opened none
 * @property {{ medianMs: number, count: number }} [upgrade] until messages went over a WebSocket, where the setup ended before that
 *
 * @typedef {object} Summary
 * @property {Result} result
 * @property {Rule} rule
 * @property {number} [floorMs] the smallest round trip of the run, which stands for the distance; absent with a payload, whose
 *   transfer is part of it
 * @property {Scope} scope
 * @property {string} baseline
 * @property {Row[]} rows in the order of the plan
 * @property {EchoVerdict} verdict
 * @property {string[]} notes
 */

/** @param {Result} result @param {Rule} [rule] of its intervals and verdicts @returns {Summary} */
export function summarize(result, rule = ruleOf(result.plan)) {
  const baseline = baselineOf(result.plan);
  const rows = result.plan.transports.map((transport) => createRow(result, { transport, baseline, rule }));
  const floors = rows.flatMap(({ summary }) => summary.minMs ?? []);
  const floorMs = result.plan.payloadBytes > 0 ? undefined : minOf(floors);
  const boundMs = leastOf(floors);
  const { url, link } = result.environment;
  const scope = scopeOf({ url, link, floorMs, boundMs });
  return {
    result,
    rule,
    floorMs,
    scope,
    baseline,
    rows,
    verdict: createVerdict({ result, rows, floorMs, scope }),
    notes: listNotes(rows),
  };
}

/** @param {Result} result @param {{ transport: string, baseline: string, rule: Rule }} compared @returns {Row} */
function createRow({ trials: all, coldSetUpMs = {}, environment: { stepMs, url } }, { transport, baseline, rule }) {
  const trials = all.filter((trial) => trial.transport === transport);
  const protocols = protocolsOf(trials);
  return {
    transport,
    protocols,
    fallback: fallbackOf({ transport, protocols }),
    setUp: setUpOf(trials, coldSetUpMs[transport]),
    roundTripCount: roundTripCountOf(trials, url),
    summary: summarizeTrials(trials, { stepMs }),
    failures: trials.flatMap(({ failures }) => failures),
    comparison:
      transport === baseline ? undefined : compareTransports({ trials: all, baseline, transport, stepMs, rule }),
  };
}

/**
 * Returns over how many network round trips a message goes: one, and where most requests opened a connection, one more for TCP,
 * and one for TLS 1.3.
 * @param {readonly RunTrial[]} trials @param {string} url
 */
export function roundTripCountOf(trials, url) {
  const [seenCount, openedCount] = ['seenCount', 'openedCount'].map((key) =>
    sumOf(trials, ({ requests }) => requests?.[/** @type {'seenCount' | 'openedCount'} */ (key)]),
  );
  if (openedCount <= seenCount / 2) return 1;
  return url.startsWith('https:') ? 3 : 2;
}

/**
 * Computes the connection setup times, and counts the trials that reused a connection.
 * @param {readonly RunTrial[]} trials @param {number | undefined} coldMs @returns {SetUps}
 */
function setUpOf(trials, coldMs) {
  const known = [...trials.map(({ setUpMs }) => setUpMs), coldMs].filter((ms) => ms !== undefined);
  const upgradesMs = trials.map(({ upgradeMs }) => upgradeMs).filter((ms) => ms !== undefined);
  const reused = trials.filter(({ samples, setUpMs }) => samples.iteration.length > 0 && setUpMs === undefined);
  const upgradeMs = median(upgradesMs);
  return {
    medianMs: median(known),
    count: known.length,
    reusedCount: reused.length,
    ...(upgradeMs !== undefined && { upgrade: { medianMs: upgradeMs, count: upgradesMs.length } }),
  };
}

/** @param {readonly Row[]} rows @returns {string[]} sentences */
function listNotes(rows) {
  const fallbacks = rows.filter(({ transport, protocols }) =>
    protocols.some((protocol) => isFallback(transport, protocol)),
  );
  const costOf = (/** @type {Row} */ { transport }) => transports[transport].fallbackCost;
  const costs = [...new Set(fallbacks.map(costOf))].filter((cost) => cost !== undefined);
  const byMeans = rows.filter(({ comparison }) => comparison?.statistic === 'mean');
  const fromTotals = rows.filter(({ summary }) => summary.meanFrom === 'total');
  const why = 'because the clock is too coarse for single round trips.';
  return [
    ...costs.map((cost) =>
      note(
        fallbacks.filter((row) => costOf(row) === cost),
        `includes ${cost}.`,
      ),
    ),
    note(
      rows.filter(({ roundTripCount }) => roundTripCount > 1),
      'opened a connection for most requests. A prediction for elsewhere has them do so there, too.',
    ),
    note(byMeans, `compared by means, not medians, ${why}`),
    note(fromTotals, `mean computed from the total time of each trial, ${why}`),
  ].filter(Boolean);
}

/** @param {readonly Row[]} rows @param {string} words */
function note(rows, words) {
  return rows.length === 0 ? '' : `${rows.map(({ transport }) => labelOf(transport)).join(', ')}: ${words}`;
}

/** @param {Valibot} v */
function comparisonSchema(v) {
  const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
  const interval = v.strictObject({ estimate: v.number(), low: v.number(), high: v.number() });
  const saving = v.pipe(interval, v.description('How much faster a message was, with its 95% confidence interval'));
  return v.strictObject({
    transport: v.string(),
    baseline: v.string(),
    blockCount: count,
    isTooCoarse: v.boolean(),
    statistic: v.picklist(['median', 'mean']),
    savingMs: v.optional(saving),
    speedRatio: v.optional(interval),
    word: v.optional(v.picklist(/** @type {VerdictName[]} */ (Object.keys(VERDICT_LABELS)))),
    neededBlocks: v.optional(count),
  });
}

/** @param {Valibot} v */
export const digestSchema = (v) =>
  v.strictObject({
    plan: /** @type {GenericSchema<any>} */ (v.looseObject({ transports: v.array(v.string()) })),
    comparison: v.optional(comparisonSchema(v)),
  });

/** Returns the plan, and the verdict's comparison. @param {Summary} summary @param {Result} run */
export function digestOf({ rows }, { plan, ending }) {
  const row = rows.find(({ transport }) => transport === challengerOf(plan));
  return { plan, comparison: ending || !row?.comparison ? undefined : formatComparison(row.comparison) };
}

/**
 * Removes the figures that are in its samples; `word` is the stored name of the verdict.
 * @param {Comparison} comparison
 */
const formatComparison = ({ centres: _, verdict, neededBlocks, ...comparison }) => ({
  ...comparison,
  word: verdict,
  neededBlocks,
});
