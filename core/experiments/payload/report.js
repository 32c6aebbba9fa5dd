/** The report of a run over sizes: an answer, a sentence for each direction, heat maps, a short table, all figures. */
import { formatFailures } from '../../base/format.js';
import { SAME_PERCENT, listOf } from '../../experiment/compare.js';
import { labelOfTransfer } from '../../net/labels.js';
import { describeLeftOut, DIRECTION_LABELS, formatSize, newTransportsOf, withinBudget } from './plan.js';
import { describeConnections } from './connections.js';
import { confidenceAt, payloadBaselineOf, summarizePayload, summarizePublished } from './summary.js';
import { endsOf, figuresOf, heatMapsOf } from './tables.js';

/**
 * @import { Report } from '../../experiment/contract.js'
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadDocument, PayloadTrial } from './index.js'
 * @import { PayloadPlan, Sweep } from './plan.js'
 * @import { PayloadRow, PublishedRow } from './summary.js'
 */

/** What is wrong with the better of two. */
export const BEST_OF_NOTE =
  'The better of two passes is biased towards fast times, most of all where a pass is a single message (1 MB, 10 MB). Two passes give no interval. The transports are not interleaved, so a change of the network affects only one of them.';

/** @param {PayloadDocument} document @returns {(PayloadRow | PublishedRow)[]} */
export function summarize({ plan: asked, trials, environment }) {
  const plan = withinBudget(asked);
  return plan.preset ? summarizePublished(plan, trials) : summarizePayload(plan, trials, environment);
}

/** @param {readonly any[]} allRows @param {PayloadDocument} document @returns {Report} */
export function report(allRows, { plan: asked, trials, ending }) {
  const plan = withinBudget(asked);
  const rows = allRows.filter(({ transport }) => plan.transports.includes(transport));
  const baseline = contestedBaselineOf(plan);
  const figures = figuresOf(plan, allRows, baseline);
  const ends = plan.preset ? [] : [endsOf(plan, rows)];
  return {
    heading: 'Time by payload size',
    answer: ending || plan.preset ? undefined : describeAnswer(plan, rows),
    sentences: ending
      ? []
      : [...describeFindings(plan, rows), ...describeConnections(plan, trials), ...describeFailures(plan, trials)],
    notes: [...describeLeftOut(asked), ...(ending ? [] : [describeReading(plan)])],
    tables: ending ? [figures] : [...heatMapsOf(plan, rows, baseline), ...ends, figures],
    charts: [],
    method:
      'The time of a message runs from the call that sends it until the page has the whole answer: the server’s receipt of an upload, the message of a download or an echo. Creating the message and checking each of its bytes are not timed; a wrong byte is a failure. Connections are kept. In interleaved blocks each transport first sends an uncounted message of each size.',
  };
}

/** @param {PayloadPlan} plan @returns {string | undefined} the baseline, if another transport can be compared with it */
function contestedBaselineOf(plan) {
  return plan.preset || plan.transports.length === 1 ? undefined : payloadBaselineOf(plan);
}

/** @param {PayloadPlan} plan @returns {string} how to read the figures */
export function describeReading(plan) {
  if (plan.preset) return BEST_OF_NOTE;
  const { length } = plan.sizes;
  const rate = 'MB/s of an echo counts both directions.';
  if (contestedBaselineOf(plan) === undefined || length === 1) return rate;
  const confidence = `${Number((100 * confidenceAt(length)).toFixed(1))}%`;
  return `The ${length} sizes share the 5% error of a transport’s verdicts in a direction (Bonferroni), so a verdict needs a ${confidence} CI, wider than that of the table. ${rate}`;
}

/** A sentence for each transport that failed. @param {PayloadPlan} plan @param {readonly PayloadTrial[]} trials */
function describeFailures(plan, trials) {
  return [...plan.transports, ...newTransportsOf(plan)].flatMap((transport) => {
    const failed = trials.filter((trial) => trial.transport === transport && trial.failure);
    if (failed.length === 0) return [];
    const places = new Set(failed.map(({ size, direction }) => `${formatSize(size)} ${direction}`));
    const kinds = formatFailures(failed.flatMap(({ failure }) => failure ?? []));
    return [`${labelOfTransfer(transport)} failed (${kinds}) at ${[...places].join(', ')}.`];
  });
}

/** @param {PayloadPlan} plan @param {readonly any[]} rows @returns {string[]} */
function describeFindings(plan, rows) {
  if (plan.preset) return [describePublished(rows)];
  // Of a single direction the answer says it all.
  if (contestedBaselineOf(plan) === undefined || plan.directions.length === 1) return [];
  return plan.directions.map((direction) => describeDirection(plan, rows, direction));
}

/** @param {readonly PublishedRow[]} rows @returns {string} a sentence or two */
function describePublished(rows) {
  const farthest = rows.reduce((most, row) => ((row.apartPercent ?? -1) > (most.apartPercent ?? -1) ? row : most));
  const { direction, size, transport, apartPercent } = farthest;
  if (apartPercent === undefined) return 'Too few measurements.';
  return `Two passes give no interval, so no verdict. They differ by up to ${apartPercent.toFixed(0)}% (${labelOfTransfer(transport)}, ${formatSize(size)} ${direction}).`;
}

/** Which transports are faster in all directions, at which sizes. @param {Sweep} plan @param {readonly PayloadRow[]} rows */
function describeAnswer(plan, rows) {
  const { directions, sizes, transports } = plan;
  const baseline = contestedBaselineOf(plan);
  if (baseline === undefined) return 'No comparison: it needs AJAX or fetch, and another transport.';
  if (directions.length === 1) return describeDirection(plan, rows, directions[0]);
  const name = labelOfTransfer(baseline);
  const leads = transports.map((transport) => {
    const faster = rows.filter((row) => row.transport === transport && row.comparison?.verdict === 'faster');
    const isLead = (/** @type {number} */ size) =>
      faster.filter((row) => row.size === size).length === directions.length;
    return { transport, sizes: sizes.filter(isLead) };
  });
  const most = Math.max(...leads.map((lead) => lead.sizes.length));
  if (most === 0) {
    const isFaster = rows.some(({ comparison }) => comparison?.verdict === 'faster');
    const none = `no transport is faster than ${name}${isFaster ? ' in all directions' : ''}`;
    const clause = describeNone(rows, name) ?? none;
    return `${clause[0].toUpperCase()}${clause.slice(1)}.`;
  }
  const [first] = leads.filter((lead) => lead.sizes.length === most);
  const where = formatSizes(first.sizes, sizes);
  const names = leads.filter((lead) => formatSizes(lead.sizes, sizes) === where).map(({ transport }) => transport);
  return `In all directions, ${nameSubject(names)} faster than ${name} ${where}.`;
}

/**
 * Which transports are faster or slower than the baseline, and at which sizes.
 * @param {Sweep} plan @param {readonly PayloadRow[]} rows @param {Direction} direction
 */
function describeDirection(plan, rows, direction) {
  const own = rows.filter((row) => row.direction === direction);
  const name = labelOfTransfer(String(payloadBaselineOf(plan)));
  /** @type {Map<string, string[]>} transports by their findings */
  const groups = new Map();
  for (const transport of plan.transports) {
    const ofTransport = own.filter((row) => row.transport === transport);
    const finding = describeVerdicts(plan, ofTransport);
    if (finding) groups.set(finding, [...(groups.get(finding) ?? []), transport]);
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
 * Like 'faster up to 10 kB and slower from 1 MB on'; empty if it is so at no size.
 * @param {Sweep} plan @param {readonly PayloadRow[]} rows of one direction and transport
 */
function describeVerdicts({ sizes }, rows) {
  const clauses = ['faster', 'slower'].flatMap((verdict) => {
    const found = rows.filter(({ comparison }) => comparison?.verdict === verdict).map(({ size }) => size);
    return found.length > 0 ? [`${verdict} ${formatSizes(found, sizes)}`] : [];
  });
  return clauses.join(' and ');
}

/** A clause; absent if one is faster or slower. @param {readonly PayloadRow[]} rows @param {string} name of the baseline */
function describeNone(rows, name) {
  const verdicts = new Set(rows.flatMap(({ comparison }) => comparison?.verdict ?? []));
  if (verdicts.size === 0) return 'too few measurements, or too coarse a clock, to compare';
  if (verdicts.has('faster') || verdicts.has('slower')) return undefined;
  if (!verdicts.has('unclear')) return `same as ${name} within ${SAME_PERCENT}%`;
  return `no clear difference from ${name}${verdicts.has('same') ? `, or same within ${SAME_PERCENT}%` : ''}`;
}

/**
 * Like 'up to 10 kB', 'from 1 MB on', 'at 2 of 7 sizes'.
 * @param {readonly number[]} sizes some of all, rising, at least one @param {readonly number[]} all rising
 */
export function formatSizes(sizes, all) {
  const first = all.indexOf(sizes[0]);
  const [from, to] = [sizes[0], sizes[sizes.length - 1]].map(formatSize);
  const isGapless = sizes.every((size, i) => size === all[first + i]);
  if (sizes.length === 1) return `at ${from}`;
  if (!isGapless) return `at ${sizes.length} of ${all.length} sizes`;
  if (sizes.length === all.length) return 'at every size';
  if (first === 0) return `up to ${to}`;
  return first + sizes.length === all.length ? `from ${from} on` : `from ${from} to ${to}`;
}

/** @param {readonly string[]} [transports] @returns {string} with their verb */
const nameSubject = (transports = []) => `${joinNames(transports)} ${transports.length === 1 ? 'is' : 'are'}`;

/** @param {readonly string[]} [transports] */
const joinNames = (transports = []) => listOf(transports.map(labelOfTransfer));
