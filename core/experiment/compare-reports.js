/** Shared runs of one experiment side by side: rows about the same subject below each other, one picture for all. */
import { escape } from '../base/foreign-text.js';
import { formatBeside, titlesOf } from './names.js';
import { linesOfTable, reportOf } from './report.js';
import { headOf, toCsv } from './table.js';

/**
 * @import { Axis, Chart, Column, Described, Experiment, Line, Report, Table, TableLook } from './contract.js'
 * @import { ListedRun } from './names.js'
 * @typedef {ListedRun & { number: number, document: any }} WholeRun `number` is how the page counts it
 * @typedef {{ number: number, title: string, report: Report }} Side one run
 * @typedef {Pick<Described, 'summarize' | 'report' | 'countsOf' | 'planPath'> & Partial<Pick<Experiment, 'describePlan'>>} Compared
 * @typedef {{ side: Side, table: Table<any> & TableLook, row: any, index: number, key: string }} Entry a row of a run's table
 * @typedef {ReturnType<typeof compareReports>} ReportComparison
 * @typedef {{ name: string, values: { number: number, value: string }[] }} Difference the value of each run that has one
 */

/** @param {Compared} experiment @param {readonly WholeRun[]} runs one or more */
export function compareReports(experiment, runs) {
  const titles = titlesOf(runs);
  const sides = runs.map(({ number, document }, i) => ({
    number,
    title: titles[i],
    report: reportOf(experiment, document),
  }));
  const headings = new Set(sides.flatMap(({ report: { tables } }) => tables.map(({ heading }) => heading)));
  const tables = [...headings].map((heading) => mergeTables(sides, heading));
  return {
    sides,
    tables: [...joinHeatMaps(tables.filter(({ isHeatMap }) => isHeatMap)), ...tables.filter((one) => !one.isHeatMap)],
    charts: mergeCharts(sides),
    differences: findDifferences(factsOf(runs, experiment)),
    warnings: runs.flatMap(({ number, document: { ending } }) =>
      ending ? [`Run ${number} is invalid: ${ending.reason}`] : [],
    ),
  };
}

/** @param {Side} side */
const nameOf = ({ number, title }) => `${number}. ${title}`;

/** @type {Column<Entry>} */
const RUN = { title: 'Run', isText: true, value: ({ side }) => nameOf(side) };

/** All their columns. @param {readonly Side[]} sides @param {string} [heading] @returns {Table<Entry> & TableLook} */
function mergeTables(sides, heading) {
  const own = sides.flatMap((side) =>
    side.report.tables.filter((table) => table.heading === heading).map((table) => ({ side, table })),
  );
  const entries = own.flatMap(({ side, table }) =>
    table.rows.map((row, index) => ({ side, table, row, index, key: keyOf(table, row, index) })),
  );
  const keys = [...new Set(entries.map(({ key }) => key))];
  const all = entries.flatMap(({ table }) => table.columns);
  const columns = [...new Set(all.map(headOf))].map((head) => mergeColumns(head, all));
  // After what its rows are about.
  columns.splice(columns.findLastIndex(({ isKey }) => isKey) + 1, 0, RUN);
  const { isDetail, isHeatMap } = own[0].table;
  const rows = keys.flatMap((key) => entries.filter((one) => one.key === key));
  return { heading, isDetail, isHeatMap, columns, rows, parts: partsOf(entries, { columns, rows }) };
}

/** Folded: what no run's own table shows. @param {readonly Entry[]} entries @param {Table<Entry>} table */
function partsOf(entries, { columns, rows }) {
  if (!entries.some(({ table }) => table.parts)) return undefined;
  const isShown = (/** @type {Entry} */ { table, row }) =>
    table.parts?.some((part) => !part.isFolded && part.rows.includes(row));
  const shownKeys = new Set(entries.filter(isShown).map(({ key }) => key));
  const [shown, folded] = [true, false].map((has) => rows.filter(({ key }) => shownKeys.has(key) === has));
  return [
    { columns, rows: shown },
    { heading: 'Rows without a failure', isFolded: true, columns, rows: folded },
  ].filter((part) => part.rows.length > 0);
}

/** Each by its own run. @param {string} head @param {readonly Column<any>[]} all @returns {Column<Entry>} */
function mergeColumns(head, all) {
  const has = (/** @type {Column<any>} */ column) => headOf(column) === head;
  const { title, unit, isText, isKey } = /** @type {Column<any>} */ (all.find(has));
  /** @type {Column<Entry>['value']} */
  const value = ({ table, row, index }) => {
    const own = table.columns.find(has);
    const given = own?.value(row, index) ?? undefined;
    return given === undefined ? undefined : (own?.format ?? String)(given);
  };
  return { title, unit, isText, isKey, value, mark: ({ table, row }) => table.columns.find(has)?.mark?.(row) };
}

/** The same for the same subject in another run. @param {Table<any>} table @param {any} row @param {number} index */
const keyOf = ({ columns }, row, index) =>
  JSON.stringify(columns.filter(({ isKey }) => isKey).map(({ value }) => value(row, index)));

/**
 * Those headed 'Upload: time relative to AJAX' and the like become one picture, with the columns of all.
 * @param {readonly (Table<Entry> & TableLook)[]} maps @returns {(Table<Entry> & TableLook)[]}
 */
function joinHeatMaps(maps) {
  const parts = maps.map((map) => ({ map, names: String(map.heading).split(': ') }));
  return [...new Set(parts.map(({ names }) => names[1]))].map((about) => {
    const own = parts.filter(({ names }) => names[1] === about);
    const rows = new Map(own.flatMap(({ map }) => map.rows.map((row) => [rowOf(row), row])));
    return {
      heading: about[0].toUpperCase() + about.slice(1),
      isHeatMap: true,
      columns: [ROW, ...own.flatMap(({ map, names }) => columnsOf(map, names[0]))],
      rows: [...rows.values()],
    };
  });
}

/** @param {Entry} entry @returns {string} like '100 kB, run 2' */
const rowOf = ({ key, side: { number } }) => `${JSON.parse(key).join(' ')}, run ${number}`;

/** @type {Column<Entry>} */
const ROW = { title: 'Size', isText: true, isKey: true, value: rowOf };

/** Its figures, by any map's row. @param {Table<Entry>} map @param {string} name @returns {Column<Entry>[]} */
function columnsOf({ columns, rows }, name) {
  const own = new Map(rows.map((row) => [rowOf(row), row]));
  /** @template T @param {(row: Entry) => T} use */
  const of = (use) => (/** @type {Entry} */ row) => {
    const found = own.get(rowOf(row));
    return found && use(found);
  };
  return columns
    .filter((column) => column !== RUN && !column.isKey)
    .map(({ title, value, mark }) => ({
      title: `${name}: ${title}`,
      value: of((row) => value(row, 0)),
      mark: of((row) => mark?.(row)),
    }));
}

/** How the lines of one run differ from those of the next, which have the same colours. */
export const DASHES = [undefined, [6, 4], [2, 3], [10, 3, 2, 3], [14, 6]];

/** One for those about the same, each name with its run's number. @param {readonly Side[]} sides @returns {Chart[]} */
function mergeCharts(sides) {
  const all = sides.flatMap((side) => side.report.charts.map((chart) => ({ side, chart })));
  return [...new Set(all.map(({ chart }) => chart.heading))].map((heading) => {
    const own = all.filter(({ chart }) => chart.heading === heading);
    const charts = own.map(({ chart }) => chart);
    const [first] = charts;
    const values = [...new Set(charts.flatMap((chart) => chart.values))].sort((a, b) => a - b);
    const lines = own.flatMap(({ side, chart }, run) =>
      chart.lines.map((line) => mergeLine(line, { label: labelIn(side, line), run, from: chart.values, to: values })),
    );
    const dots = own.flatMap(({ side, chart: { dots = [] } }) =>
      dots.map((dot) => ({ ...dot, label: labelIn(side, dot) })),
    );
    const marks = new Map(charts.flatMap(({ marks = [] }) => marks.map((mark) => [mark.label, mark])));
    return {
      ...first,
      caption: `${first.caption}. ${own.map(({ side }) => nameOf(side)).join('; ')}`,
      sentences: own.flatMap(({ side, chart: { sentences = [] } }) =>
        sentences.map((text) => `${nameOf(side)}: ${text}`),
      ),
      x: withRange(first.x, [...values, ...dots.map(({ x }) => x)]),
      y: withRange(first.y, [...lines.flatMap((line) => line.values), ...dots.map(({ y }) => y)]),
      values,
      lines,
      dots: first.dots && dots,
      marks: [...marks.values()],
    };
  });
}

/** @param {Side} side @param {{ label: string }} mark */
const labelIn = ({ number }, { label }) => `${label}, ${number}`;

/**
 * Over the values `to`.
 * @param {Line} line of a chart over the values `from`
 * @param {{ label: string, run: number, from: readonly number[], to: readonly number[] }} place @returns {Line}
 */
function mergeLine({ dash, ...line }, { label, run, from, to }) {
  const at = to.map((value) => from.indexOf(value));
  return {
    ...line,
    label,
    dash: DASHES[run % DASHES.length] ?? dash,
    values: at.map((i) => line.values[i] ?? null),
    band: line.band && at.map((i) => line.band?.[i] ?? null),
  };
}

/**
 * From one power of its base to another, where it has one; its own range goes before that.
 * @param {Axis} axis @param {readonly (number | null)[]} values of all runs @returns {Axis}
 */
function withRange(axis, values) {
  const { logBase, range } = axis;
  const known = values.filter((value) => value !== null && value > 0).map(Number);
  if (range || known.length === 0) return axis;
  const [low, high] = known.reduce(([min, max], value) => [Math.min(min, value), Math.max(max, value)], [Infinity, 0]);
  if (!logBase) return { ...axis, range: [low, Math.max(low + 1, high)] };
  const log = (/** @type {number} */ value) => Math.log(value) / Math.log(logBase);
  const from = Math.floor(log(low));
  return { ...axis, range: [logBase ** from, logBase ** Math.max(from + 1, Math.ceil(log(high)))] };
}

/** What should be the same in all runs. @param {readonly WholeRun[]} runs @param {Compared} experiment */
function factsOf(runs, { planPath, describePlan }) {
  // Another order of the trials is no other plan.
  const paths = runs.map(({ document }) => planPath(document).replace(/&seed=\d+/, ''));
  const words = runs.map(({ document: { plan } }, i) => (plan && describePlan ? describePlan(plan) : paths[i]));
  // Words may leave out what differs.
  const plans = new Set(words).size < new Set(paths).size ? paths : words;
  return runs.map(({ number, digest, document: { environment } }, i) => ({
    number,
    facts: { Plan: plans[i], 'Server version': digest.version, 'User agent': environment?.userAgent },
  }));
}

/**
 * Each fact that is not the same in all runs that have it.
 * @param {readonly { number: number, facts: Record<string, string | undefined> }[]} runs undefined: unknown
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
  const clauses = [...new Set(values.map(({ value }) => value))].map((value) => {
    const numbers = values.filter((one) => one.value === value).map(({ number }) => number);
    return `${value} (${numbers.join(', ')})`;
  });
  return `${name}: ${clauses.join('; ')}.`;
}

/** @param {string} label of the experiment @param {ReportComparison} comparison @param {string} link to its page */
export function formatComparisonMarkdown(label, { sides, tables, charts, differences, warnings }, link) {
  const ofCharts = charts.flatMap(({ heading, sentences = [] }) =>
    sentences.map((text) => (heading ? `${heading}, ${text}` : text)),
  );
  const title = `${label}: ${formatBeside(sides.map((side) => side.title))}`;
  const found = [...ofCharts, ...differences.map(describeDifference), ...warnings];
  return toPage(title, [...tables.flatMap(linesOfTable), ...itemsOf(found)], link);
}

/** @param {string} title @param {readonly string[]} lines of Markdown @param {string} link to the page @returns {string} */
export const toPage = (title, lines, link) =>
  [`### ${escape(title)}`, '', ...lines, '', encodeMarks(link), ''].join('\n');

/** Whoever made the link may have put anything into its query. @param {string} link @returns {string} without Markdown */
const encodeMarks = (link) =>
  link.replace(/[\\|<>`*[\]\s]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** @param {readonly string[]} sentences @returns {string[]} a list in Markdown */
export const itemsOf = (sentences) => sentences.map((sentence) => `- ${escape(sentence)}`);

/** @type {readonly Column<{ entry: Entry, table: Table<Entry> & TableLook, column: Column<Entry> }>[]} */
const CSV_COLUMNS = [
  { title: 'run', value: ({ entry }) => entry.side.number },
  { title: 'title', value: ({ entry }) => entry.side.title },
  { title: 'table', value: ({ table }) => table.heading },
  { title: 'row', value: ({ entry }) => JSON.parse(entry.key).join(' ') },
  { title: 'figure', value: ({ column }) => headOf(column) },
  { title: 'value', value: ({ column, entry }) => column.value(entry, 0) },
];

/** @param {ReportComparison} comparison @returns {string} a line for each figure of each run */
export function formatComparisonCsv({ tables }) {
  const rows = tables.flatMap((table) => {
    const columns = table.columns.filter((column) => column !== RUN && column !== ROW);
    return table.rows.flatMap((entry) => columns.map((column) => ({ entry, table, column })));
  });
  return toCsv({ columns: CSV_COLUMNS, rows });
}
