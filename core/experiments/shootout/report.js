/**
 * All that is said of a run, computed from what was measured alone: the page after a run, the page of one that was read back,
 * and every export say the same.
 */
import { compareTransports } from '../../experiment/compare.js';
import { scopeOf } from './decision/scope.js';
import { baselineOf } from './plan.js';
import { quantile } from '../../base/statistics/values.js';
import { summarizeTrials } from '../../base/statistics/summary.js';
import { isFallback, labelOf } from '../../net/labels.js';
import { listTrustFacts } from './trust.js';
import { createVerdict } from './verdict.js';

/**
 * @import { Summary } from '../../base/statistics/summary.js'
 * @import { Comparison } from '../../experiment/compare.js'
 * @import { Result } from './result.js'
 * @import { Failure, RunTrial } from '../../net/echo/trial.js'
 * @import { Scope } from './decision/scope.js'
 * @import { Plan } from './plan.js'
 * @import { Fact } from './trust.js'
 * @import { Verdict } from './verdict.js'
 */

/**
 * @typedef {object} Row one transport's figures
 * @property {string} transport
 * @property {string[]} protocols really negotiated, in the order of their coming
 * @property {SetUp} setUp
 * @property {Summary} summary
 * @property {Failure[]} failures
 * @property {Comparison} [comparison] absent for the baseline
 *
 * @typedef {object} SetUp what opening a connection cost
 * @property {number} [medianMs] absent where none was opened
 * @property {number} count of connections that were opened
 * @property {number} reusedCount of trials that used one that was open
 *
 * @typedef {object} Report
 * @property {Result} result
 * @property {number} [floorMs] the smallest round trip of the run, which stands for the distance; absent with a payload,
 *   whose transfer is part of it
 * @property {Scope} scope what it can speak about
 * @property {string} baseline the transport that the others are set against
 * @property {Row[]} rows
 * @property {Verdict} verdict
 * @property {string[]} notes what must be said beside the figures
 * @property {Fact[]} trust
 */

/**
 * @param {Result} result
 * @returns {Report}
 */
export function createReport(result) {
  const baseline = baselineOf(result.plan);
  const rows = result.plan.transports.map((transport) => createRow(result, transport, baseline));
  const floorMs = floorOf(result.plan, rows);
  const scope = scopeOf({ url: result.environment.url, floorMs });
  return {
    result,
    floorMs,
    scope,
    baseline,
    rows,
    verdict: createVerdict({ result, rows, floorMs, scope }),
    notes: listNotes(rows),
    trust: listTrustFacts(result),
  };
}

/**
 * @param {Result} result
 * @param {string} transport
 * @param {string} baseline
 * @returns {Row}
 */
function createRow({ trials: all, coldSetUpMs, environment: { stepMs } }, transport, baseline) {
  const trials = all.filter((trial) => trial.transport === transport);
  return {
    transport,
    protocols: [...new Set(trials.map(({ protocol }) => protocol).filter((protocol) => protocol !== undefined))],
    setUp: setUpOf(trials, coldSetUpMs[transport]),
    summary: summarizeTrials(trials, { stepMs }),
    failures: trials.flatMap(({ failures }) => failures),
    comparison: transport === baseline ? undefined : compareTransports({ trials: all, baseline, transport, stepMs }),
  };
}

/**
 * @param {readonly RunTrial[]} trials of one transport
 * @param {number | undefined} coldMs
 * @returns {SetUp}
 */
function setUpOf(trials, coldMs) {
  const known = [...trials.map(({ setUpMs }) => setUpMs), coldMs].filter((ms) => ms !== undefined);
  const reused = trials.filter(({ samples, setUpMs }) => samples.iteration.length > 0 && setUpMs === undefined);
  return {
    medianMs: quantile(
      known.sort((a, b) => a - b),
      0.5,
    ),
    count: known.length,
    reusedCount: reused.length,
  };
}

/**
 * @param {Plan} plan
 * @param {readonly Row[]} rows
 */
function floorOf({ payloadBytes }, rows) {
  const floors = rows.map(({ summary }) => summary.minMs).filter((ms) => ms !== undefined);
  return payloadBytes > 0 || floors.length === 0 ? undefined : Math.min(...floors);
}

/**
 * @param {readonly Row[]} rows
 * @returns {string[]} sentences
 */
function listNotes(rows) {
  const fallbacks = rows.filter(({ transport, protocols }) =>
    protocols.some((protocol) => isFallback(transport, protocol)),
  );
  const byMeans = rows.filter(({ comparison }) => comparison?.statistic === 'mean');
  const fromTotals = rows.filter(({ summary }) => summary.meanFrom === 'total');
  return [
    note(
      fallbacks,
      'over a fallback sockjs-client waits 25 ms after each message it sends; the figures hold that wait.',
    ),
    note(byMeans, 'compared by means instead of medians, as the clock is too coarse for single round trips.'),
    note(
      fromTotals,
      'the mean is made of the whole time of each trial, as the clock is too coarse for single round trips.',
    ),
  ].filter(Boolean);
}

/**
 * @param {readonly Row[]} rows
 * @param {string} words
 */
function note(rows, words) {
  return rows.length === 0 ? '' : `${rows.map(({ transport }) => labelOf(transport)).join(', ')}: ${words}`;
}
