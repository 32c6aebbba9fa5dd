/** Compares shared runs of one experiment: the settings that differ, their reports as one, and what the experiment adds. */
import { asClause, capitalize, formatSpan, listOf } from '../base/format.js';
import { escape } from '../base/foreign-text.js';
import { labelOf } from '../experiment/labels.js';
import { mergeReports, nameOf } from '../experiment/merged-report.js';
import { formatBeside, titleOf, titlesOf } from '../experiment/names.js';
import { findingsOf, linesOfTable } from '../experiment/report.js';
import { toCsv } from '../experiment/table.js';
import { warningsIn } from '../experiment/trust.js';
import { listSubjects } from './export.js';
import { createComparison } from './index.js';
import { nameRuns } from './sentence.js';
import { openRun } from '../experiment/open-run.js';
import { SITUATION_FIELDS } from '../experiment/situation.js';

/**
 * @import { ComparedRun, ComparisonPart, Experiment, Side, FullTestPart } from '../experiment/contract.js'
 * @import { Chart } from '../experiment/plot.js'
 * @import { Fields, Field } from '../experiment/fields.js'
 * @import { ListedRun } from '../experiment/names.js'
 * @import { Summarized } from '../experiment/report.js'
 * @import { Opening } from '../experiment/open-run.js'
 * @typedef {Summarized & WithSettings & { comparisonPart?: Experiment['comparisonPart'] }} Comparable
 * @typedef {ReturnType<typeof compareRuns>} Comparison pages, Markdown and CSV render it
 * @typedef {{ name: string, values: { number: number, value: string }[] }} Difference the value of each run that has
 *   one
 */

/** @param {Comparable} experiment @param {readonly ComparedRun[]} runs one or more, the baseline first */
export function compareRuns(experiment, runs) {
  const paths = pathsOf(experiment, runs);
  const sides = runs.map((run, i) => ({
    ...run,
    title: isByTransport(experiment) ? `${paths[i]}, ${run.digest.transports.map(labelOf).join(', ')}` : paths[i],
    ...findingsOf(experiment, run.document),
  }));
  const merged = mergeReports(sides);
  /** @type {Partial<ComparisonPart>} */
  const own = experiment.comparisonPart?.(sides) ?? {};
  const { facts, warnings = [], tables = [], charts = [], csv } = own;
  return {
    heading: `${experiment.label}: ${formatBeside([...new Set(paths)])}`,
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
 * Lists the facts that differ between the runs that have them.
 * @param {readonly { number: number, facts: Readonly<Record<string, string | undefined>> }[]} runs undefined: unknown
 * @returns {Difference[]}
 */
export function findDifferences(runs) {
  const names = [...new Set(runs.flatMap(({ facts }) => Object.keys(facts)))];
  return names
    .map((name) => ({
      name,
      values: runs
        .filter(({ facts }) => Object.hasOwn(facts, name))
        .map(({ number, facts }) => ({ number, value: facts[name] ?? 'unknown' })),
    }))
    .filter(({ values }) => new Set(values.map(({ value }) => value)).size > 1);
}

/** @param {Difference} difference @returns {string} like 'Plan: a (1, 3); b (2).' */
export function describeDifference({ name, values }) {
  const clauses = groupByValue(values).map(({ value, numbers }) => `${value} (${numbers.join(', ')})`);
  return `${name}: ${clauses.join('; ')}.`;
}

/** What a run did with a fact; of others, the sentence has its name and its values. @type {Readonly<Record<string, string>>} */
const VERBS = Object.freeze({ Browser: 'used', Protocols: 'used', Server: 'measured', Plan: 'ran' });
/** Longer names, in characters, would hide what differs. */
const MAX_NAME = 32;

/**
 * Says a difference on a page: what few runs have stands first, and most are 'the others'.
 * @param {Difference} difference @param {readonly string[]} names of all runs, by their number from 1 on
 * @returns {{ lead: string, words: string }} such as 'Bonn' and 'used Firefox 152; the others used Chrome 156.'
 */
export function tellDifference({ name, values }, names) {
  const nameAll = (/** @type {readonly number[]} */ numbers) => {
    const own = numbers.map((number) => names[number - 1] ?? '');
    const isClear = own.every(
      (one) => one !== '' && one.length <= MAX_NAME && names.indexOf(one) === names.lastIndexOf(one),
    );
    return isClear ? listOf(own) : nameRuns(numbers.map(String));
  };
  const groups = groupByValue(values);
  const usual = groups.find(({ numbers }) => numbers.length > values.length / 2 && numbers.length > 1);
  const said = [
    ...groups.filter((one) => one !== usual).map(({ value, numbers }) => ({ value, who: nameAll(numbers) })),
    ...(usual ? [{ value: usual.value, who: 'the others' }] : []),
  ];
  const verb = VERBS[name];
  if (!verb) return { lead: `${name}:`, words: `${said.map(({ value, who }) => `${value} (${who})`).join('; ')}.` };
  const [first, ...rest] = said;
  const clauses = [`${verb} ${first.value}`, ...rest.map(({ value, who }) => `${who} ${verb} ${value}`)];
  return { lead: capitalize(first.who), words: `${clauses.join('; ')}.` };
}

/** @param {Difference['values']} values @returns {{ value: string, numbers: number[] }[]} `numbers`: of the runs that have it */
const groupByValue = (values) =>
  [...new Set(values.map(({ value }) => value))].map((value) => ({
    value,
    numbers: values.filter((one) => one.value === value).map(({ number }) => number),
  }));

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

/** @typedef {Opening & { fields?: Fields, fullTest?: FullTestPart }} WithSettings an experiment, or the full test */

/** What earlier releases did not ask for was as it is if nothing else is chosen. @param {Fields} fields @returns {Fields} */
function withDefaults(fields) {
  const entries = Object.entries(fields).map(([name, field]) => [name, { before: field.default, ...field }]);
  return Object.freeze(Object.fromEntries(entries));
}

/** Some labels continue the sentence of a form, which nothing does here. @type {Fields} */
const SITUATION = withDefaults({
  ...SITUATION_FIELDS,
  does: { ...SITUATION_FIELDS.does, label: 'The page' },
  uses: { ...SITUATION_FIELDS.uses, label: 'It uses' },
  considers: { ...SITUATION_FIELDS.considers, label: 'Compared with' },
  messageMattersMs: { ...SITUATION_FIELDS.messageMattersMs, label: 'Users notice, per message' },
  newsMattersMs: { ...SITUATION_FIELDS.newsMattersMs, label: 'Users notice, for news' },
  lateMs: { ...SITUATION_FIELDS.lateMs, label: 'News may be late by' },
});

/**
 * @param {WithSettings} experiment @param {any} whole its document
 * @returns {Record<string, string>} by label, of those that a form shows
 */
function settingsOf(experiment, whole) {
  const { parts } = openRun(experiment, whole);
  const { situation } = whole;
  if (!experiment.members) return describePlan(parts[0].experiment, parts[0].plan);
  const tests = parts.map(({ experiment: { fullTest } }) => String(fullTest?.question));
  return Object.assign(
    { ...describe(SITUATION, situation), Tests: tests.join(', ') },
    ...parts.map(({ experiment: member, plan }, i) =>
      describePlan({ fields: withoutFitted(member, situation) }, plan, `${tests[i]}: `),
    ),
  );
}

/**
 * What a full test fits to the round-trip time differs with the place. @param {Experiment} member @param {any} situation
 * @returns {Fields}
 */
function withoutFitted({ fields, fullTest }, situation) {
  const [near, far] = [1, 1000].map((roundTripMs) => fullTest?.quickPlan(situation, { roundTripMs, seed: 1 }));
  const isKept = (/** @type {string} */ name) => String(near?.[name]) === String(far?.[name]);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)));
}

/** @param {{ fields?: Fields }} experiment @param {any} [plan] @param {string} [before] its labels */
const describePlan = ({ fields = {} }, plan = {}, before = '') => ({
  ...(plan.preset && { [`${before}Preset`]: String(plan.preset) }),
  ...describe(fields, plan, before),
});

/** @param {Fields} fields @param {any} values @param {string} [start] of labels @returns {Record<string, string>} */
const describe = (fields, values, start = '') =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = values[name] ?? field.before;
      return field.label && value !== undefined ? [[start + field.label, formatValue(field, value)]] : [];
    }),
  );

/** @param {Field} field @param {any} value @returns {string} */
function formatValue(field, value) {
  const values = [value].flat();
  if ('choices' in field) return values.map((name) => field.choices[name] ?? name).join(', ');
  if (field.unit === 'ms') return values.map(formatSpan).join(', ');
  return [values.map((one) => one.toLocaleString('en')).join(', '), field.unit].filter(Boolean).join(' ');
}
