/** Formats a run's report for terminals and Markdown. Public pages draw the same {@link Report}. */
import { escape, visible } from '../../base/foreign-text.js';
import { formatCount, formatRtt, listOf } from '../../base/format.js';
import { labelOfProtocol } from '../answer/labels.js';
import { describeChance } from '../answer/compare.js';
import { describeLink } from '../run/emulated-link.js';
import { wordsOf } from './headline.js';
import { openPart, planPath } from '../run/open-run.js';
import { nameBrowser, serverOf, titleOf } from '../run/names.js';
import { scopeAmong } from '../run/scope.js';
import { cellsOf, headsOf, toMarkdown, toText, toTurnedText, words } from './table.js';
import { countTrials, protocolsOf, trialsOf } from '../run/trials.js';
import { countWarnings, trustFactsOf, warningsIn } from '../run/trust.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Answer, Compared, OwnAnswer } from '../answer/answer.js'
 * @import { Bars } from '../../picture/bars.js'
 * @import { Arrivals } from '../../picture/arrivals.js'
 * @import { Ending, Experiment, Fact, Findings } from '../contract.js'
 * @import { Opening, Part } from '../run/open-run.js'
 * @import { Linking } from '../plan/plan-link.js'
 * @import { Chart } from '../../picture/plot.js'
 * @import { Column, Table, TableLook } from './table.js'
 * @import { Timeline } from '../../picture/timeline.js'
 *
 * @typedef {object} OwnReport the report of a run, as its experiment makes it
 * @property {string} heading
 * @property {string} [counted] what its trials count, if not 'message'
 * @property {number} [lostCount] of messages that never came, which are no failures, if it looks for them
 * @property {string} [conclusion] what was found, in one sentence or two; absent if the run ended early
 * @property {Bars} [bars] of its conclusion, if it compares two figures
 * @property {OwnAnswer & Compared} [lead] shown as its card, if that is none of its answers
 * @property {string} [about] for whom it holds, in a few words; absent: where it was measured
 * @property {{ headline: string, evidence?: string, lead?: OwnAnswer & Interval, here?: string }} [elsewhere] what holds for users
 *   elsewhere, whatever was measured here: a prediction, or why nothing was found; `lead`: its figures, which take the place of the
 *   measured ones; `here`: what of the conclusion it does not say, empty for nothing; absent: all of it
 * @property {readonly string[]} sentences the findings; of a run that ended early only those that are still valid
 * @property {readonly string[]} [notes] limits of the figures
 * @property {readonly (Table<any> & TableLook)[]} tables
 * @property {Arrivals} [arrivals] pages show them before the tables, which have their figures, too
 * @property {readonly Timeline[]} [timelines] pages show them before the charts; the tables have their figures, too
 * @property {readonly Chart[]} charts
 * @property {string} [method] how the figures are computed
 * @property {(report: Report) => string} [formatMarkdown] to paste, if not as other reports are
 *
 * @typedef {OwnReport & ReportWords} Report which pages, Markdown, terminals and comparisons render
 * @typedef {object} ReportWords what follows for all experiments
 * @property {string} headline the same wherever the run is shown
 * @property {string} [notice] that it measured one machine or network
 * @property {string} [conditions] what was measured, where
 * @property {readonly Fact[]} trust its trust checks
 * @property {Answer} [lead] with its question
 *
 * @typedef {Opening & { name: string, label: string, find: Experiment['find'], readTrial: Experiment['readTrial'] }} Summarized
 *   what makes a report
 * @typedef {Summarized & Linking} Reported what makes a report with the link of its plan
 */

/** The maximum width of a table in a terminal; a wider one is transposed: a column for each row. */
const TERMINAL_WIDTH = 120;

/**
 * Finds all that follows from a document: its report, its answers, how far it reached.
 * @param {Summarized} experiment @param {any} document @returns {Findings}
 */
export function findingsOf(experiment, document) {
  const part = openPart(experiment, document);
  const trials = trialsOf(experiment, part);
  const { report: own, answers: compared = [], trust, ...found } = experiment.find(part);
  const { roundTripMs = [] } = found;
  // Those of a full test have their own experiment and question.
  const asked = { experiment: experiment.name, question: experiment.label };
  const answers = compared.map((one) => ({ ...asked, ...one }));
  const scoped = scopeAmong([{ readTrial: experiment.readTrial, part: { ...part, trials }, roundTripMs }]);
  const chance = part.ending ? undefined : describeChance(answers);
  const { lead, ...others } = own;
  const report = {
    ...others,
    ...(lead && { lead: { ...asked, ...lead } }),
    ...(chance && { notes: [...(own.notes ?? []), chance] }),
    ...wordsOf(own, { ...scoped, ending: part.ending }),
    conditions: conditionsOf(part, { ...countTrials(experiment, trials), trials, own, floorMs: scoped.floorMs }),
    trust: trustFactsOf(part, { trials, floorMs: scoped.floorMs, trust }),
  };
  return { ...found, ...scoped, part, answers, report };
}

/** Reports what a document found. @param {Summarized} experiment @param {any} document @returns {Report} */
export const reportOf = (experiment, document) => findingsOf(experiment, document).report;

/**
 * Describes what was measured, where.
 * @param {Part} part
 * @param {{ own: OwnReport, trials: readonly any[], sampleCount: number, failureCount: number, floorMs?: number }} found
 * @returns {string | undefined} sentences; absent if the run has no address
 */
function conditionsOf({ environment, statusBefore, ending }, { own, trials, sampleCount, failureCount, floorMs }) {
  if (!environment) return undefined;
  const { counted = 'message', lostCount } = own;
  const { link, ...unlinked } = environment;
  const status = statusBefore ?? trials.find(({ server }) => server)?.server;
  const server = titleOf({ digest: serverOf(unlinked, status) });
  // A trial of several users may have several protocols.
  const protocols = new Set(protocolsOf(trials).flatMap((names) => names.split(', ')));
  const over = protocols.size > 0 ? ` over ${listOf([...protocols].sort().map(labelOfProtocol))}` : '';
  const fastest = floorMs ? `, fastest round trip ${formatRtt(floorMs)} ms` : '';
  const blockCount = new Set(trials.flatMap(({ block }) => block ?? [])).size;
  const failures = failureCount > 0 || lostCount === undefined ? [formatCount(failureCount, 'failure')] : [];
  const lost = lostCount === undefined ? [] : [`${lostCount.toLocaleString('en')} lost`];
  const counts = [formatCount(sampleCount, counted), ...lost, ...failures];
  // The last block of a run that ended early may be a part of one.
  if (blockCount > 0 && !ending) counts.unshift(formatCount(blockCount, 'block'));
  const found = `${nameBrowser(environment.userAgent)} to ${server}${over}${fastest}. ${counts.join(', ')}.`;
  return [found, describeLink(link)].filter(Boolean).join(' ');
}

/**
 * @param {Reported} experiment @param {any} document
 * @param {Findings} [findings] if they are known @returns {string} to paste into an issue or a wiki
 */
export function formatMarkdown(experiment, document, { report, part } = findingsOf(experiment, document)) {
  if (report.formatMarkdown) return report.formatMarkdown(report);
  const { environment, startedAt, ending } = part;
  const { headline, notice = '', conditions = '', notes = [] } = report;
  const sentences = sentencesOf(report);
  return [
    `### SockShootout: ${experiment.label}`,
    '',
    `**${escape(headline)}**`,
    '',
    ...[[whyEnded(ending)], [describeTrust(report)], [notice], [conditions], sentences].flatMap(paragraph),
    ...tablesOf(report).flatMap(linesOfTable),
    ...paragraph(notes),
    ...(environment
      ? [`Plan: ${escape(linkOf(experiment, document))}, ${startedAt}, ${escape(environment.userAgent)}.`, '']
      : []),
  ].join('\n');
}

/**
 * @param {Table<any> & { heading?: string, note?: string }} table
 * @returns {string[]} Markdown, with an empty line at the end
 */
export function linesOfTable({ heading, note, ...table }) {
  return [...(heading ? [`#### ${heading}`, ''] : []), ...toMarkdown(table), '', ...(note ? [escape(note), ''] : [])];
}

/**
 * @param {Report} report @returns {string[]} all its sentences except its answer; those of charts after their headings
 */
function sentencesOf({ sentences, charts }) {
  const ofCharts = charts.flatMap(({ heading, sentences: own = [] }) =>
    own.map((sentence) => (heading ? `${heading}: ${sentence}` : sentence)),
  );
  return [...sentences, ...ofCharts];
}

/**
 * @param {{ trust: readonly Fact[], notice?: string }} report
 * @returns {string} like '1 warning. Valid: no.'; empty if it has no checks, or only a notice warns
 */
export function describeTrust({ trust, notice }) {
  const count = trust.length === 0 ? '' : countWarnings({ trust, notice });
  const warnings = warningsIn(trust).map(({ name, value }) => `${name}: ${value}.`);
  return count && [`${count}.`, ...warnings].join(' ');
}

/** @param {Report} report @returns {Report['tables']} its tables, and that of its trust checks */
const tablesOf = ({ tables, trust }) =>
  trust.length === 0 ? tables : [...tables, { heading: 'Trust checks (⚠ = warning)', columns: TRUST, rows: trust }];

/** @type {Column<Fact>[]} */
const TRUST = [
  { ...words('Check', ({ name, isWarning }) => (isWarning ? `⚠ ${name}` : name)), isKey: true },
  words('Result', ({ value }) => value),
];

/**
 * Returns the detail for lists and previews, without what holds on one machine alone.
 * @param {Report} report @returns {string} sentences
 */
export function detailOf(report) {
  const { notice, conclusion, elsewhere } = report;
  // An answer that holds elsewhere, too, has sentences that do.
  const holdsElsewhere = notice === undefined || (conclusion !== undefined && conclusion === elsewhere?.headline);
  const sentences = holdsElsewhere ? [...sentencesOf(report), notice] : [elsewhere?.evidence, notice];
  return sentences.filter(Boolean).join(' ');
}

/** @param {Ending} [ending] @returns {string} empty if the headline says it: the visitor stopped the run */
const whyEnded = (ending) => (ending?.kind === 'invalid' ? ending.reason : '');

/** @param {readonly string[]} sentences @returns {string[]} lines */
function paragraph(sentences) {
  const text = sentences.filter(Boolean).join(' ');
  return text === '' ? [] : [escape(text), ''];
}

/**
 * Formats a report for terminals, which ends with the answer; `plan`: if it has no link.
 * @param {Reported} experiment @param {any} document @param {{ plan?: string, report?: Report }} [options]
 */
export function formatText(experiment, document, { plan, report = reportOf(experiment, document) } = {}) {
  const { environment, ending } = document;
  const { headline, notice, conditions, notes = [] } = report;
  /** @param {readonly (string | undefined)[]} texts */
  const paragraphs = (texts) => texts.flatMap((text) => (text ? [text, ''] : []));
  return [
    ...paragraphs([conditions, ...sentencesOf(report)]),
    ...tablesOf(report).flatMap(({ heading, note, ...table }) => [
      ...(heading ? [heading] : []),
      ...fit(table),
      ...(note ? [note] : []),
      '',
    ]),
    ...paragraphs(notes),
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    `Plan: ${plan ?? linkOf(experiment, document)}`,
    '',
    // A terminal shows the end.
    ...paragraphs([notice, describeTrust(report), whyEnded(ending), headline]),
  ]
    .map(visible)
    .join('\n');
}

/** @param {Table<any>} table @returns {string[]} lines for a terminal */
function fit(table) {
  const lines = toText(table);
  const isWide = lines.some(({ length }) => length > TERMINAL_WIDTH);
  return isWide && headsOf(table).length > cellsOf(table).length ? toTurnedText(table) : lines;
}

/** @param {Reported} experiment @param {any} document @returns {string} the link that repeats the run */
function linkOf(experiment, document) {
  const { environment } = document;
  // All pages of a site stand side by side, so this holds wherever it is on its host.
  return new URL(`.${planPath(experiment, document)}`, environment.url).href;
}
