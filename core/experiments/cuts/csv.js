/** The CSV of a run of cuts: a line for each message that arrived, and for each that never came. */
import { toCsv } from '../../experiment/report/table.js';
import { dueMsOf } from '../../net/feed/feed.js';
import { feedFor } from './plan.js';

/**
 * @import { Column } from '../../experiment/report/table.js'
 * @import { CutsPlan } from './plan.js'
 * @import { CutsDocument, CutsTrial } from './schema.js'
 * @typedef {{ outcome: string, n?: number, dueMs?: number, atMs?: number }} Fate of a message, or of the whole trial if it failed;
 *   times count from the trial's start
 * @typedef {Fate & { trial: CutsTrial, number: number }} Line `number`: of the trial, from 0
 */

const toMs = (/** @type {number} */ ms) => ms.toFixed(3);

/** @type {readonly Column<Line>[]} */
const COLUMNS = [
  { title: 'block', value: ({ trial }) => trial.block + 1 },
  { title: 'trial', value: ({ number }) => number + 1 },
  { title: 'cut', value: ({ trial }) => trial.cut },
  { title: 'delivery', value: ({ trial }) => trial.delivery },
  { title: 'protocol', value: ({ trial }) => trial.protocol },
  { title: 'outcome', value: ({ outcome }) => outcome },
  { title: 'number', value: ({ n }) => n },
  { title: 'due_ms', value: ({ dueMs }) => dueMs, format: toMs },
  { title: 'at_ms', value: ({ atMs }) => atMs, format: toMs },
  { title: 'message', value: ({ trial }) => trial.failure?.message },
];

/** @param {CutsDocument} document @returns {string} */
export const formatCsv = ({ trials, plan }) =>
  toCsv({
    columns: COLUMNS,
    rows: trials.flatMap((trial, number) => fatesOf(trial, plan).map((fate) => ({ ...fate, trial, number }))),
  });

/** @param {CutsTrial} trial @param {CutsPlan} plan @returns {Fate[]} */
function fatesOf(trial, plan) {
  const { arrivals, feedAtMs, failure } = trial;
  if (failure) return [{ outcome: failure.outcome }];
  const { count = 0 } = feedFor(plan, trial)?.options ?? {};
  const dueMs = (/** @type {number} */ n) => feedAtMs + dueMsOf(n, plan);
  const seen = new Set();
  const arrived = arrivals.n.map((n, i) => {
    const outcome = seen.has(n) ? 'doubled' : 'ok';
    seen.add(n);
    return { outcome, n, dueMs: dueMs(n), atMs: arrivals.atMs[i] };
  });
  const first = arrivals.n.reduce((least, n) => Math.min(least, n), Infinity);
  const missing = Array.from({ length: count - first }, (_, i) => first + i).filter((n) => !seen.has(n));
  return [...arrived, ...missing.map((n) => ({ outcome: 'lost', n, dueMs: dueMs(n) }))];
}
