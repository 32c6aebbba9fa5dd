/** The findings of a sweep in words: a headline, and the sentences that are too long for it. */
import { findBaseline } from '../../experiment/answer/compare.js';
import { formatLatency, listOf } from '../../base/format.js';
import { isBeyondMargin, nameVerdicts, noticeOf, SAME_PERCENT } from '../../experiment/answer/verdict.js';
import { DIGEST_LIMITS } from '../../experiment/documents/digest.js';
import { labelOfTransfer } from '../../experiment/answer/labels.js';
import { formatSize } from './plan.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { VerdictName } from '../../experiment/answer/verdict.js'
 * @import { PayloadPlan } from './plan.js'
 * @import { PayloadRow } from './summary.js'
 * @typedef {readonly PayloadRow[]} Rows
 * @typedef {{ baseline: string, sizes?: readonly number[] }} Wording `sizes`: all of the plan; if absent, findings do
 *   not name sizes
 * @typedef {{ name: string, finding: string }} NamedFinding
 */

const TOO_LITTLE = 'too few measurements, or too coarse a clock';
/** The directions in a sentence. */
const SENTENCE_NAMES = Object.freeze({ up: 'uploads', down: 'downloads', echo: 'echoes' });
const NOT_SHOWN = 'no clear difference';

/**
 * Returns the baseline, if another transport can be compared with it.
 * @param {PayloadPlan} plan @returns {string | undefined}
 */
export const contestedBaselineOf = ({ preset, transports }) =>
  preset || transports.length === 1 ? undefined : findBaseline(transports);

/**
 * Describes a sweep by a sentence per direction; the headline, unless they are too long for it.
 * @param {PayloadPlan} plan @param {Rows} rows of kept connections @param {{ baseline: string, mattersMs: number }} options
 *   `mattersMs`: what users notice
 * @returns {{ conclusion: string, nextStep?: OwnReport['nextStep'], sentences: string[] }}
 */
export function describeSweep(plan, rows, { baseline, mattersMs }) {
  if (!rows.some(verdictOf)) return { conclusion: `No comparison: ${TOO_LITTLE}.`, sentences: [] };
  if (!rows.some(isDecided))
    return { conclusion: 'No clear difference: measure longer.', nextStep: 'change', sentences: [] };
  const sentences = describeDirections(plan, rows, baseline);
  const unnoticed = describeUnnoticed(rows, mattersMs);
  const conclude = (/** @type {string[]} */ ...said) => [...said, ...unnoticed].join(' ');
  const conclusion = conclude(...sentences);
  // A longer headline would be cut in lists.
  if (conclusion.length <= DIGEST_LIMITS.headline) return { conclusion, sentences: [] };
  return { conclusion: conclude(`${describeRows(rows, { baseline })}.`), sentences };
}

/**
 * Says that nobody notices what differs, or may differ.
 * @param {Rows} rows @param {number} mattersMs what users notice
 * @returns {string[]} a sentence; none if users may notice a difference, if none is clear, or if one is not known
 */
export function describeUnnoticed(rows, mattersMs) {
  const compared = rows.flatMap(({ comparison }) => comparison ?? []);
  const most = Math.max(
    ...compared.map(({ savingMs }) => (savingMs ? Math.max(savingMs.high, -savingMs.low) : Infinity)),
  );
  if (!compared.every(({ verdict }) => verdict) || !compared.some(isBeyondMargin)) return [];
  if (noticeOf({ low: -Infinity, high: most }, mattersMs) !== 'not noticed') return [];
  return [`By their intervals, any difference is at most ${formatLatency(most)}, which nobody notices.`];
}

/** @param {PayloadRow} row */
const verdictOf = ({ comparison }) => comparison?.verdict;

/** @param {PayloadRow} row */
const isDecided = (row) => verdictOf(row) !== undefined && !isUnclear(row);

/** @param {PayloadRow} row */
const sizeOf = ({ size }) => size;

/** @param {PayloadRow} row */
const isUnclear = (row) => verdictOf(row) === 'unclear';

/**
 * @param {PayloadPlan} plan @param {Rows} rows @param {string} baseline
 * @returns {string[]} sentences; directions with the same finding share one
 */
function describeDirections({ directions, sizes }, rows, baseline) {
  const found = directions.map((direction) => {
    const own = rows.filter((row) => row.direction === direction);
    return { name: SENTENCE_NAMES[direction], finding: describeRows(own, { baseline, sizes }) };
  });
  return groupByFinding(found).map(
    ({ names, finding }) => `For ${listOf(names)}, ${finding === NOT_SHOWN ? 'there is ' : ''}${finding}.`,
  );
}

/** @param {Rows} rows @param {Wording} wording @returns {string} clauses; each transport is named once */
function describeRows(rows, wording) {
  if (!rows.some(isDecided)) return rows.some(verdictOf) ? NOT_SHOWN : TOO_LITTLE;
  const others = [...new Set(rows.map(({ transport }) => transport))].filter((name) => name !== wording.baseline);
  const found = others.map((transport) => {
    const own = rows.filter((row) => row.transport === transport);
    // Of several transports, no two would have the same ratios, and share a clause.
    const hasRatios = others.length === 1 && wording.sizes !== undefined;
    return { name: labelOfTransfer(transport), finding: describeVerdicts(own, { ...wording, hasRatios }) };
  });
  const clauses = groupByFinding(found.filter(({ finding }) => finding)).map(
    ({ names, finding }) => `${listOf(names)} ${names.length === 1 ? 'is' : 'are'} ${finding}`,
  );
  return [...clauses, ...describeUnclear(rows, others.length, wording)].join('; ');
}

/** @param {Rows} rows @param {number} otherCount of transports @param {Wording} wording @returns {string[]} */
function describeUnclear(rows, otherCount, { sizes }) {
  const unclear = rows.filter(isUnclear);
  if (unclear.length === 0) return [];
  // Of several transports, the sizes without a difference would be most of the headline.
  return [
    otherCount === 1 && sizes ? `${NOT_SHOWN} ${formatSizes(unclear.map(sizeOf), sizes)}` : `otherwise ${NOT_SHOWN}`,
  ];
}

/**
 * Describes what is decided, as in 'faster than AJAX up to 10 kB, the same within 10% at 1 MB'.
 * @param {Rows} own of one transport @param {Wording & { hasRatios: boolean }} wording @returns {string} empty if nothing is
 */
function describeVerdicts(own, { baseline, sizes, hasRatios }) {
  const verdicts = [...new Set(own.filter(isDecided).map(verdictOf))];
  const clear = /** @type {const} */ (['faster', 'slower']).filter((verdict) => verdicts.includes(verdict));
  // Without sizes, "the same" beside "faster" says nothing.
  const shown = sizes || clear.length === 0 ? verdicts : clear;
  const clauses = shown.map((verdict, i) => {
    const found = own.filter((row) => verdictOf(row) === verdict);
    const where = sizes ? formatSizes(found.map(sizeOf), sizes) : i > 0 ? 'at others' : formatShare(found, own);
    const said = formatVerdict(verdict, found, i === 0 ? labelOfTransfer(baseline) : undefined);
    return `${said}${hasRatios && verdict === 'faster' ? ` (${formatRatios(found)})` : ''} ${where}`;
  });
  return clauses.join(', ');
}

/** @param {Rows} found with ratios @returns {string} such as '3.1x' or '3.1x to 7.0x' */
function formatRatios(found) {
  const ratios = found.flatMap(({ comparison }) => comparison?.ratio?.estimate ?? []);
  const ends = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => `${ratio.toFixed(ratio < 10 ? 1 : 0)}x`);
  return [...new Set(ends)].join(' to ');
}

/**
 * @param {VerdictName | undefined} verdict that is decided @param {Rows} found that have it
 * @param {string} [baseline] its name, unless it was said before
 */
function formatVerdict(verdict, found, baseline) {
  if (verdict === undefined) return '';
  if (verdict === 'same') return `the same${baseline ? ` as ${baseline}` : ''} within ${SAME_PERCENT}%`;
  const than = baseline ? ` than ${baseline}` : '';
  const ratios = found.flatMap(({ comparison }) => comparison?.ratio ?? []);
  return nameVerdicts(verdict, ratios, { than });
}

/** @param {readonly NamedFinding[]} found @returns {{ names: string[], finding: string }[]} */
const groupByFinding = (found) =>
  [...new Set(found.map(({ finding }) => finding))].map((finding) => ({
    finding,
    names: found.filter((one) => one.finding === finding).map(({ name }) => name),
  }));

/** @param {Rows} some @param {Rows} all */
const formatShare = (some, all) => (some.length === all.length ? 'at every size' : 'at some sizes');

/**
 * Formats sizes, as in 'up to 10 kB', 'at 1 B and 1 MB'.
 * @param {readonly number[]} sizes @param {readonly number[]} all rising
 */
export function formatSizes(sizes, all) {
  const first = all.indexOf(sizes[0]);
  const names = sizes.map(formatSize);
  const [from, to] = [names[0], names[names.length - 1]];
  const isGapless = sizes.every((size, i) => size === all[first + i]);
  if (sizes.length > 1 && sizes.length === all.length) return 'at every size';
  if (sizes.length < 3 || !isGapless) return `at ${listOf(names)}`;
  if (first === 0) return `up to ${to}`;
  return first + sizes.length === all.length ? `from ${from} on` : `from ${from} to ${to}`;
}
