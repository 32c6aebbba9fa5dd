/** Compares shared runs of one experiment: the settings that differ, their reports as one, and what the experiment adds. */
import { asClause } from '../base/format.js';
import { escape } from '../base/foreign-text.js';
import { labelOf } from '../experiment/answer/labels.js';
import { mergeReports, nameOf } from '../experiment/report/merged-report.js';
import { formatBeside, namesBeside, titleOf, titlesOf } from '../experiment/run/names.js';
import { findingsOf } from '../experiment/report/findings.js';
import { linesOfTable } from '../experiment/report/report.js';
import { toCsv } from '../experiment/report/table.js';
import { warningsIn } from '../experiment/run/trust.js';
import { listSubjects } from './export.js';
import { createComparison } from './index.js';
import { describeDifference, findDifferences } from './differences.js';
import { settingsOf } from './settings.js';

/**
 * @import { ComparedRun, ComparisonPart, Experiment, Side } from '../experiment/contract.js'
 * @import { Chart } from '../picture/plot.js'
 * @import { Fields } from '../experiment/plan/fields.js'
 * @import { ListedRun } from '../experiment/run/names.js'
 * @import { Summarized } from '../experiment/report/findings.js'
 * @import { Table, TableLook } from '../experiment/report/table.js'
 * @import { Arrivals } from '../picture/arrivals.js'
 * @import { Timeline } from '../picture/timeline.js'
 * @import { Difference } from './differences.js'
 * @import { Matrix } from './index.js'
 * @import { WithSettings } from './settings.js'
 * @typedef {Summarized & WithSettings & { comparisonPart?: Experiment['comparisonPart'] }} Comparable
 * @typedef {object} Comparison pages, Markdown and CSV render it
 * @property {string} heading
 * @property {Matrix} matrix
 * @property {Side[]} sides the runs, first the one that predicts the others
 * @property {Difference[]} differences of their settings
 * @property {string[]} warnings
 * @property {string[]} doubts a sentence for each doubtful fact of a run with a verdict
 * @property {(Table<any> & TableLook)[]} tables
 * @property {(Arrivals & { heading: string })[]} arrivals of each run that has them, under its name, as those below
 * @property {(Timeline & { heading: string })[]} timelines
 * @property {Chart[]} charts
 * @property {Table<any>} csv
 */

/** @param {Comparable} experiment @param {readonly ComparedRun[]} runs one or more, first the one that predicts the others @returns {Comparison} */
export function compareRuns(experiment, runs) {
  const paths = pathsOf(experiment, runs);
  const names = shortNamesOf(experiment, runs);
  const withTransport = (/** @type {string} */ name, /** @type {ComparedRun} */ { digest: { transports } }) =>
    isByTransport(experiment) ? `${name}, ${transports.map(labelOf).join(', ')}` : name;
  const sides = runs.map((run, i) => ({
    ...run,
    title: withTransport(paths[i], run),
    name: withTransport(names[i], run),
    ...findingsOf(experiment, run.document),
  }));
  const merged = mergeReports(sides);
  /** @type {Partial<ComparisonPart>} */
  const own = experiment.comparisonPart?.(sides) ?? {};
  const { facts, warnings = [], tables = [], charts = [], csv } = own;
  return {
    heading: `${experiment.label}: ${formatBeside([...new Set(names)])}`,
    matrix: createComparison(sides, experiment.members ?? [experiment], paths),
    sides,
    differences: findDifferences(
      sides.map((side, i) => ({
        ...side,
        facts: { ...(facts ? facts[i] : settingsOf(experiment, side.document)), ...programsOf(side) },
      })),
    ),
    warnings: [...sides.flatMap(warnOfEnding), ...warnings],
    doubts: sides.flatMap(listDoubts),
    // The reports' tables are folded if the experiment has its own, which are shorter.
    tables: [...tables, ...merged.tables.map((table) => (tables.length > 0 ? { ...table, isDetail: true } : table))],
    arrivals: sides.flatMap(({ report, ...side }) => (report.arrivals ? withRun([report.arrivals], side) : [])),
    timelines: sides.flatMap(({ report: { timelines = [] }, ...side }) => withRun(timelines, side)),
    charts: [...charts, ...merged.charts],
    csv: csv ?? merged.csv,
  };
}

/**
 * Has a run one transport? A comparison groups the runs of a place.
 * @param {{ fields?: Fields }} experiment
 */
export const isByTransport = ({ fields = {} }) => Object.hasOwn(fields, 'transport');

/**
 * Returns the path of each run, from place to server; if a run has one transport, all runs of a place have the same.
 * @param {{ fields?: Fields }} experiment @param {readonly ListedRun[]} runs
 */
export const pathsOf = (experiment, runs) => (isByTransport(experiment) ? runs.map(titleOf) : titlesOf(runs));

/**
 * Returns the name of each run that stands behind its number.
 * @param {{ fields?: Fields }} experiment @param {readonly ListedRun[]} runs
 */
export const shortNamesOf = (experiment, runs) => namesBeside(runs, { isByPlace: isByTransport(experiment) });

/**
 * Gives each picture its run's name, as none could hold the rows of several.
 * @template {{ heading?: string }} P @param {readonly P[]} pictures @param {Omit<Side, 'report'>} side
 */
const withRun = (pictures, side) =>
  pictures.map((one) => ({ ...one, heading: [nameOf(side), one.heading].filter(Boolean).join(': ') }));

/** @param {Side} side */
const programsOf = ({ digest, document: { environment } }) => ({
  'Server version': digest.version,
  'User agent': environment?.userAgent,
});

/** @param {Side} side @returns {string[]} */
function warnOfEnding({ document: { ending }, ...side }) {
  if (!ending) return [];
  return [`${nameOf(side)} ${ending.kind === 'invalid' ? 'is invalid' : 'was stopped'}: no verdict. ${ending.reason}`];
}

/** @param {Side} side @returns {string[]} a sentence for each doubtful fact of a run with a verdict */
function listDoubts({ document: { ending }, report: { trust }, ...side }) {
  return ending ? [] : warningsIn(trust).map(({ name, value }) => `${nameOf(side)}: ${name}: ${value}.`);
}

/**
 * Formats a comparison in Markdown, to paste into an issue or a wiki.
 * @param {Comparison} comparison @param {string} link to its page @returns {string}
 */
export function formatMarkdown({ heading, matrix, sides, differences, warnings, doubts, tables, charts }, link) {
  const sentences = [...charts.flatMap(sentencesOf), ...differences.map(describeDifference), ...warnings, ...doubts];
  return [
    `### ${escape(heading)}`,
    matrix.sentence && `**${escape(matrix.sentence)}**`,
    escape(listSubjects(matrix).join(' ')),
    ...sides.map((side) => `**${escape(nameOf(side))}.** ${escape(describeDigest(side))}`),
    sentences.map((sentence) => `- ${escape(sentence)}`).join('\n'),
    ...tables.map((table) => linesOfTable(table).join('\n').trimEnd()),
    `${encodeMarks(link)}\n`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** @param {Side} side @returns {string} sentences */
const describeDigest = ({ digest: { headline, detail } }) => `${asClause(headline)}. ${detail}`;

/** @param {Chart} chart @returns {string[]} each after its heading, if it has one */
const sentencesOf = ({ heading, sentences = [] }) =>
  sentences.map((sentence) => (heading ? `${heading}, ${sentence}` : sentence));

/**
 * Encodes Markdown in a link, as its author may have put anything into the query.
 * @param {string} link @returns {string} without Markdown
 */
const encodeMarks = (link) =>
  link.replace(/[\\|<>`*[\]\s]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** @param {Comparison} comparison @returns {string} with a header; a line for each run or for each of its figures */
export const formatCsv = ({ csv }) => toCsv(csv);
