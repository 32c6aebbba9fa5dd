/**
 * All that is said of a run, computed from what was measured alone: the page after a run, the page of one that was read back,
 * and every export say the same.
 */
import { median } from '../../base/statistics/values.js';
import { summarizeTrials } from '../../base/statistics/summary.js';
import { compareTransports } from '../../experiment/compare.js';
import { isLoopback } from '../../experiment/names.js';
import { protocolsOf } from '../../experiment/trials.js';
import { isFallback, labelOf } from '../../net/labels.js';
import { baselineOf } from './plan.js';
import { listTrustFacts } from './trust.js';
import { createVerdict } from './verdict.js';

/**
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Result } from './measure.js'
 * @import { Plan } from './plan.js'
 */

/** A server at a private address is next door below this round-trip time. */
const NEAR_MS = 5;
/** No machine takes as long for its own echo: a loopback address that does leads into a tunnel. */
const TUNNEL_MS = 20;

/**
 * @typedef {'machine' | 'network' | 'path'} Scope what a run can speak about: the path between two places, or one machine or
 *   its own network, where hardly any distance is part of a round trip
 * @typedef {ReturnType<typeof createRow>} Row one transport's figures
 * @typedef {ReturnType<typeof createReport>} Report
 */

/** @param {Result} result */
export function createReport(result) {
  const baseline = baselineOf(result.plan);
  const rows = result.plan.transports.map((transport) => createRow(result, transport, baseline));
  const floorMs = floorOf(result.plan, rows);
  const scope = scopeOf({ url: result.environment.url, floorMs });
  return {
    result,
    /** The smallest round trip of the run, which stands for the distance; absent with a payload, whose transfer is part of it. */
    floorMs,
    scope,
    /** The transport that the others are set against. */
    baseline,
    rows,
    verdict: createVerdict({ result, rows, floorMs, scope }),
    /** What must be said beside the figures. */
    notes: listNotes(rows),
    trust: listTrustFacts(result),
  };
}

/** @param {Result} result @param {string} transport @param {string} baseline */
function createRow({ trials: all, coldSetUpMs, environment: { stepMs } }, transport, baseline) {
  const trials = all.filter((trial) => trial.transport === transport);
  return {
    transport,
    /** Really negotiated, in the order of their coming. */
    protocols: protocolsOf(trials),
    setUp: setUpOf(trials, coldSetUpMs[transport]),
    summary: summarizeTrials(trials, { stepMs }),
    failures: trials.flatMap(({ failures }) => failures),
    /** Absent for the baseline. */
    comparison: transport === baseline ? undefined : compareTransports({ trials: all, baseline, transport, stepMs }),
  };
}

/**
 * @param {readonly RunTrial[]} trials of one transport @param {number | undefined} coldMs
 * @returns {{ medianMs?: number, count: number, reusedCount: number }} what opening a connection cost, absent where
 *   none was opened; of how many; trials that used one that was open
 */
function setUpOf(trials, coldMs) {
  const known = [...trials.map(({ setUpMs }) => setUpMs), coldMs].filter((ms) => ms !== undefined);
  const reused = trials.filter(({ samples, setUpMs }) => samples.iteration.length > 0 && setUpMs === undefined);
  return { medianMs: median(known), count: known.length, reusedCount: reused.length };
}

/** @param {Plan} plan @param {readonly Row[]} rows */
function floorOf({ payloadBytes }, rows) {
  const floors = rows.map(({ summary }) => summary.minMs).filter((ms) => ms !== undefined);
  return payloadBytes > 0 || floors.length === 0 ? undefined : Math.min(...floors);
}

/**
 * @param {{ url: string, floorMs?: number }} run `url` of the page, or of the server; `floorMs`: the smallest round
 *   trip; absent where it is not known @returns {Scope}
 */
export function scopeOf({ url, floorMs }) {
  if (!URL.canParse(url)) return 'path';
  const { origin, hostname } = new URL(url);
  if (isLoopback(origin)) return (floorMs ?? 0) < TUNNEL_MS ? 'machine' : 'path';
  return isPrivate(hostname) && floorMs !== undefined && floorMs < NEAR_MS ? 'network' : 'path';
}

/** By RFC 1918, RFC 4193 or RFC 3927, or by a name that only a local network knows. @param {string} hostname as URLs have it */
function isPrivate(hostname) {
  if (/^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)) return true;
  if (/^\[f[cd][0-9a-f]{2}:|^\[fe80:/.test(hostname)) return true;
  return !/[.[]/.test(hostname) || /\.(local|lan|internal|home\.arpa)$/.test(hostname);
}

/** @param {readonly Row[]} rows @returns {string[]} sentences */
function listNotes(rows) {
  const fallbacks = rows.filter(({ transport, protocols }) =>
    protocols.some((protocol) => isFallback(transport, protocol)),
  );
  const byMeans = rows.filter(({ comparison }) => comparison?.statistic === 'mean');
  const fromTotals = rows.filter(({ summary }) => summary.meanFrom === 'total');
  const why = 'as the clock is too coarse for single round trips.';
  return [
    note(
      fallbacks,
      'over a fallback sockjs-client waits 25 ms after each message it sends; the figures hold that wait.',
    ),
    note(byMeans, `compared by means instead of medians, ${why}`),
    note(fromTotals, `the mean is made of the whole time of each trial, ${why}`),
  ].filter(Boolean);
}

/** @param {readonly Row[]} rows @param {string} words */
function note(rows, words) {
  return rows.length === 0 ? '' : `${rows.map(({ transport }) => labelOf(transport)).join(', ')}: ${words}`;
}
