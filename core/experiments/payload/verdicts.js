/** The verdicts of a run over sizes in words: one answer, and one sentence for each direction. */
import { listOf, SAME_PERCENT } from '../../experiment/compare.js';
import { labelOfTransfer } from '../../net/labels.js';
import { formatSize } from './format-size.js';
import { payloadBaselineOf } from './comparison.js';
import { DIRECTION_LABELS } from './plan.js';

/**
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { Sweep } from './plan.js'
 * @import { PayloadRow } from './report.js'
 */

/**
 * @param {Sweep} plan
 * @returns {string | undefined} the baseline, if another transport can be compared with it
 */
export function contestedBaselineOf(plan) {
  return plan.transports.length > 1 ? payloadBaselineOf(plan) : undefined;
}

/**
 * @param {Sweep} plan
 * @param {readonly PayloadRow[]} rows
 * @returns {string} a sentence: the transports that are faster in all directions, and at which sizes
 */
export function describeAnswer(plan, rows) {
  const { directions, sizes, transports } = plan;
  const baseline = contestedBaselineOf(plan);
  if (baseline === undefined) return 'No comparison: it needs AJAX or fetch, and another transport.';
  if (directions.length === 1) return describeDirection(plan, rows, directions[0]);
  const name = labelOfTransfer(baseline);
  const leads = transports.map((transport) => ({
    transport,
    sizes: sizes.filter((size) =>
      directions.every((direction) => verdictAt(rows, { direction, size, transport }) === 'faster'),
    ),
  }));
  const most = Math.max(...leads.map((lead) => lead.sizes.length));
  if (most === 0) return asSentence(describeNone(rows, name) ?? describeMixed(rows, name));
  const [first] = leads.filter((lead) => lead.sizes.length === most);
  const where = formatSizes(first.sizes, sizes);
  const names = leads.filter((lead) => formatSizes(lead.sizes, sizes) === where).map(({ transport }) => transport);
  return `In all directions, ${nameSubject(names)} faster than ${name} ${where}.`;
}

/**
 * @param {Sweep} plan
 * @param {readonly PayloadRow[]} rows
 * @param {Direction} direction
 * @returns {string} a sentence: which transports are faster or slower than the baseline, and at which sizes
 */
export function describeDirection(plan, rows, direction) {
  const own = rows.filter((row) => row.direction === direction);
  const name = labelOfTransfer(String(payloadBaselineOf(plan)));
  /** @type {Map<string, string[]>} transports by their findings */
  const groups = new Map();
  for (const transport of plan.transports) {
    const findings = ['faster', 'slower'].flatMap((verdict) => describeVerdict(plan, own, { transport, verdict }));
    if (findings.length === 0) continue;
    const finding = findings.join(' and ');
    groups.set(finding, [...(groups.get(finding) ?? []), transport]);
  }
  const [first = '', ...others] = groups.keys();
  const [verdict] = first.split(' ');
  const clauses = others.map((finding) =>
    finding.startsWith(verdict)
      ? `, ${joinNames(groups.get(finding))}${finding.slice(verdict.length)}`
      : `; ${nameSubject(groups.get(finding))} ${finding}`,
  );
  const found = first
    ? `${nameSubject(groups.get(first))} ${first.replace(verdict, `${verdict} than ${name}`)}${clauses.join('')}`
    : describeNone(own, name);
  return `${DIRECTION_LABELS[direction]}: ${found}.`;
}

/**
 * @param {Sweep} plan
 * @param {readonly PayloadRow[]} rows of one direction
 * @param {{ transport: string, verdict: string }} options
 * @returns {string[]} like 'faster up to 10 kB'; none if it is so at no size
 */
function describeVerdict({ sizes }, rows, { transport, verdict }) {
  const found = sizes.filter((size) =>
    rows.some((row) => row.size === size && row.transport === transport && row.comparison?.verdict === verdict),
  );
  return found.length > 0 ? [`${verdict} ${formatSizes(found, sizes)}`] : [];
}

/**
 * @param {readonly PayloadRow[]} rows
 * @param {string} name of the baseline
 * @returns {string | undefined} a clause; absent if a transport is faster or slower
 */
function describeNone(rows, name) {
  const verdicts = new Set(
    rows.map(({ comparison }) => comparison?.verdict).filter((verdict) => verdict !== undefined),
  );
  if (verdicts.size === 0) return 'too few measurements, or too coarse a clock, to compare';
  if (verdicts.has('faster') || verdicts.has('slower')) return undefined;
  if (!verdicts.has('unclear')) return `same as ${name} within ${SAME_PERCENT}%`;
  return `no clear difference from ${name}${verdicts.has('same') ? `, or same within ${SAME_PERCENT}%` : ''}`;
}

/** @param {readonly PayloadRow[]} rows @param {string} name of the baseline */
function describeMixed(rows, name) {
  const isFaster = rows.some(({ comparison }) => comparison?.verdict === 'faster');
  return `no transport is faster than ${name}${isFaster ? ' in all directions' : ''}`;
}

/** @param {string} clause */
function asSentence(clause) {
  return `${clause[0].toUpperCase()}${clause.slice(1)}.`;
}

/** @param {readonly PayloadRow[]} rows @param {Pick<PayloadRow, 'direction' | 'size' | 'transport'>} place */
function verdictAt(rows, { direction, size, transport }) {
  return rows.find((row) => row.direction === direction && row.size === size && row.transport === transport)?.comparison
    ?.verdict;
}

/**
 * @param {readonly number[]} sizes some of all, rising, at least one
 * @param {readonly number[]} all rising
 * @returns {string} like 'up to 10 kB', 'from 1 MB on', 'at 2 of 7 sizes'
 */
export function formatSizes(sizes, all) {
  const first = all.indexOf(sizes[0]);
  const [from, to] = [sizes[0], sizes[sizes.length - 1]].map(formatSize);
  const isGapless = sizes.every((size, i) => size === all[first + i]);
  if (sizes.length > 1 && isGapless) {
    if (sizes.length === all.length) return 'at every size';
    if (first === 0) return `up to ${to}`;
    return first + sizes.length === all.length ? `from ${from} on` : `from ${from} to ${to}`;
  }
  return sizes.length > 1 ? `at ${sizes.length} of ${all.length} sizes` : `at ${from}`;
}

/** @param {readonly string[]} [transports] @returns {string} with their verb */
function nameSubject(transports = []) {
  return `${joinNames(transports)} ${transports.length === 1 ? 'is' : 'are'}`;
}

/** @param {readonly string[]} [transports] */
function joinNames(transports = []) {
  return listOf(transports.map(labelOfTransfer));
}
