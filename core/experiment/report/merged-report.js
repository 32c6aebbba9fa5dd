/** The reports of several runs of one experiment as one: rows about the same below each other, and their charts beside each other, with the same axes. */
import { capitalize } from '../../base/format.js';
import { heightsOf } from '../../picture/plot.js';
import { headOf } from './table.js';

/**
 * @import { Side } from '../contract.js'
 * @import { Axis, Chart, Line } from '../../picture/plot.js'
 * @import { Column, Table, TableLook } from './table.js'
 * @typedef {{ side: Side, table: Table<any> & TableLook, row: any, index: number, key: string }} Entry a row of a
 *   run's table
 */

/**
 * Merges the reports of runs: tables of the same heading become one, and charts of one line each.
 * @param {readonly Side[]} sides @returns {{ tables: (Table<Entry> & TableLook)[], charts: Chart[], csv: Table<any> }}
 */
export function mergeReports(sides) {
  const headings = new Set(sides.flatMap(({ report: { tables } }) => tables.map(({ heading }) => heading)));
  const all = [...headings].map((heading) => mergeTables(sides, heading));
  const tables = [...joinHeatMaps(all.filter(({ heatMap }) => heatMap)), ...all.filter(({ heatMap }) => !heatMap)];
  return { tables, charts: mergeCharts(sides), csv: { columns: CSV_COLUMNS, rows: tables.flatMap(figuresIn) } };
}

/** @param {{ number: number, name: string }} side @returns {string} like '2. Bonn' */
export const nameOf = ({ number, name }) => `${number}. ${name}`;

/** @type {Column<Entry>} */
const RUN = { title: 'Run', isText: true, value: ({ side }) => nameOf(side) };

/**
 * Merges tables with all their columns.
 * @param {readonly Side[]} sides @param {string} [heading] @returns {Table<Entry> & TableLook}
 */
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
  // The run stands after the subject of the row.
  columns.splice(columns.findLastIndex(({ isKey }) => isKey) + 1, 0, RUN);
  const { isDetail, heatMap } = own[0].table;
  const rows = keys.flatMap((key) => entries.filter((one) => one.key === key));
  return { heading, isDetail, heatMap, columns, rows, parts: partsOf(entries, { columns, rows }) };
}

/**
 * Returns the folded parts, which no run's own table shows.
 * @param {readonly Entry[]} entries @param {Table<Entry>} table
 */
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

/**
 * Merges columns; each run formats its own values.
 * @param {string} head @param {readonly Column<any>[]} all @returns {Column<Entry>}
 */
function mergeColumns(head, all) {
  const has = (/** @type {Column<any>} */ column) => headOf(column) === head;
  const { title, unit, isText, isKey } = /** @type {Column<any>} */ (all.find(has));
  const ownOf = (/** @type {Entry} */ { table }) => table.columns.find(has);
  return {
    ...{ title, unit, isText, isKey },
    value(entry) {
      const own = ownOf(entry);
      const given = own?.value(entry.row, entry.index) ?? undefined;
      return given === undefined ? undefined : (own?.format ?? String)(given);
    },
    mark: (entry) => ownOf(entry)?.mark?.(entry.row),
    judgedOf: (entry) => ownOf(entry)?.judgedOf?.(entry.row),
    answerMark: (entry) => ownOf(entry)?.answerMark?.(entry.row),
  };
}

/**
 * Returns the key of a row: equal for the same subject in another run.
 * @param {Table<any>} table @param {any} row @param {number} index
 */
const keyOf = ({ columns }, row, index) =>
  JSON.stringify(columns.filter(({ isKey }) => isKey).map(({ value }) => value(row, index)));

/**
 * Joins the heat maps about the same into one, with the columns of each group.
 * @param {readonly (Table<Entry> & TableLook)[]} maps @returns {(Table<Entry> & TableLook)[]}
 */
function joinHeatMaps(maps) {
  const abouts = [...new Set(maps.map(({ heatMap }) => heatMap?.about ?? ''))];
  return abouts.map((about) => {
    const own = maps.filter(({ heatMap }) => heatMap?.about === about);
    const rows = new Map(own.flatMap((map) => map.rows.map((row) => [rowOf(row), row])));
    return {
      heading: capitalize(about),
      heatMap: own[0].heatMap,
      columns: [headOfRows(own[0]), ...own.flatMap((map) => columnsOf(map, String(map.heatMap?.group)))],
      rows: [...rows.values()],
    };
  });
}

/** @param {Entry} entry @returns {string} like '100 kB, run 2' */
const rowOf = ({ key, side: { number } }) => `${JSON.parse(key).join(' ')}, run ${number}`;

/** @param {Table<Entry>} map @returns {Column<Entry>} the subject of each row, and its run */
const headOfRows = ({ columns: [{ title }] }) => ({ title, isText: true, isKey: true, value: rowOf });

/**
 * Returns the columns of a heat map, whose figures are found by any map's row.
 * @param {Table<Entry>} map @param {string} name @returns {Column<Entry>[]}
 */
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
      group: { name, head: title },
      value: of((row) => value(row, 0)),
      mark: of((row) => mark?.(row)),
    }));
}

/** The dashes that distinguish the lines of several runs, which have the same colours. */
const DASHES = [undefined, [6, 4], [2, 3], [10, 3, 2, 3], [14, 6]];

/** @typedef {{ side: Side, chart: Chart }} Own a chart of a run */

/**
 * Merges the charts of the same subject.
 * @param {readonly Side[]} sides @returns {Chart[]}
 */
function mergeCharts(sides) {
  const all = sides.flatMap((side) => side.report.charts.map((chart) => ({ side, chart })));
  return [...new Set(all.map(({ chart }) => chart.heading))].flatMap((heading) => {
    const own = all.filter(({ chart }) => chart.heading === heading);
    return own.length > 1 && own.every(({ chart: { lines, dots = [] } }) => lines.length + dots.length <= 1)
      ? [joinLines(own)]
      : setSideBySide(own);
  });
}

/**
 * Of several names each run has its own chart, with the names and colours of a single run; all have the same axes.
 * @param {readonly Own[]} own @returns {Chart[]}
 */
function setSideBySide(own) {
  const { xs, ys } = valuesIn(own);
  return own.map(({ side, chart }) => ({
    ...chart,
    heading: [nameOf(side), chart.heading].filter(Boolean).join(': '),
    x: withRange(chart.x, xs),
    y: withRange(chart.y, ys),
  }));
}

/**
 * Runs of one line or dot each share a chart; a name has its run's number.
 * @param {readonly Own[]} own @returns {Chart}
 */
function joinLines(own) {
  const [{ chart: first }] = own;
  const { xs, ys } = valuesIn(own);
  const values = [...new Set(own.flatMap(({ chart }) => chart.values))].sort((a, b) => a - b);
  return {
    ...first,
    caption: `${first.caption}. ${own.map(({ side }) => nameOf(side)).join('; ')}`,
    x: withRange(first.x, xs),
    y: withRange(first.y, ys),
    values,
    dots: own.flatMap(({ side: { number }, chart: { dots = [] } }) =>
      dots.map((dot) => ({ ...dot, label: `${dot.label}, ${number}` })),
    ),
    // Of each run alone.
    bandName: undefined,
    span: undefined,
    lines: own.flatMap(({ side: { number }, chart }, run) =>
      chart.lines.map((line) =>
        mergeLine(line, { label: `${line.label}, ${number}`, run, from: chart.values, to: values }),
      ),
    ),
  };
}

/** @param {readonly Own[]} own */
function valuesIn(own) {
  const charts = own.map(({ chart }) => chart);
  const dots = charts.flatMap((chart) => chart.dots ?? []);
  return {
    xs: [...charts.flatMap(({ values }) => values), ...dots.map(({ x }) => x)],
    ys: [
      ...charts.flatMap(({ lines }) => lines.flatMap(heightsOf)),
      ...dots.flatMap(({ y, interval }) => (interval ? [interval.low, y, interval.high] : [y])),
    ],
  };
}

/**
 * Moves a line, without its band, to the values `to`.
 * @param {Line} line of a chart over the values `from`
 * @param {{ label: string, run: number, from: readonly number[], to: readonly number[] }} place @returns {Line}
 */
function mergeLine({ dash, band: _, ...line }, { label, run, from, to }) {
  const at = to.map((value) => from.indexOf(value));
  return {
    ...line,
    label,
    dash: DASHES[run % DASHES.length] ?? dash,
    values: at.map((i) => line.values[i] ?? null),
  };
}

/**
 * Extends an axis to powers of its base, if it is logarithmic and has neither range nor ticks of its own.
 * @param {Axis} axis @param {readonly (number | null)[]} values of all runs @returns {Axis}
 */
function withRange(axis, values) {
  const { logBase, range, ticks } = axis;
  const known = values.filter((value) => value !== null && value > 0).map(Number);
  if (range || known.length === 0) return axis;
  const [low, high] = known.reduce(([min, max], value) => [Math.min(min, value), Math.max(max, value)], [Infinity, 0]);
  if (!logBase || ticks) return { ...axis, range: [low, Math.max(low + 1, high)] };
  const log = (/** @type {number} */ value) => Math.log(value) / Math.log(logBase);
  const from = Math.floor(log(low));
  return { ...axis, range: [logBase ** from, logBase ** Math.max(from + 1, Math.ceil(log(high)))] };
}

/** @typedef {{ entry: Entry, heading?: string, column: Column<Entry> }} Figure of a run */

/**
 * Lists the figures of a table, without the columns that identify the run.
 * @param {Table<Entry> & TableLook} table @returns {Figure[]}
 */
function figuresIn({ heading, columns, rows }) {
  const figures = columns.filter((column) => column !== RUN && column.value !== rowOf);
  return rows.flatMap((entry) => figures.map((column) => ({ entry, heading, column })));
}

/** @type {readonly Column<Figure>[]} */
const CSV_COLUMNS = [
  { title: 'run', value: ({ entry }) => entry.side.number },
  { title: 'title', value: ({ entry }) => entry.side.title },
  { title: 'table', value: ({ heading }) => heading },
  { title: 'row', value: ({ entry }) => JSON.parse(entry.key).join(' ') },
  { title: 'figure', value: ({ column }) => headOf(column) },
  { title: 'value', value: ({ column, entry }) => column.value(entry, 0) },
];
