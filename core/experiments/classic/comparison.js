/** Saved runs of the classic pages as the two tables of 2012, one for each path, beside the published figures. */
import { escape } from '../../base/foreign-text.js';
import { protocolsOf } from '../../experiment/trials.js';
import { describeDifference, findDifferences, itemsOf, toPage } from '../../experiment/compare-reports.js';
import { formatBeside, isLoopback, titlesOf } from '../../experiment/names.js';
import { linesOfTable } from '../../experiment/report.js';
import { fixed, toCsv } from '../../experiment/table.js';
import { labelOf } from '../../net/labels.js';
import { PUBLISHED, withRatio } from './published.js';
import { formatClassic, chartOf } from './report.js';
import { rateOf, summarize } from './summary.js';

/**
 * @import { Column } from '../../experiment/contract.js'
 * @import { ListedRun } from '../../experiment/names.js'
 * @import { ClassicDocument } from './schema.js'
 * @import { Figures } from './published.js'
 * @typedef {ListedRun & { number: number, document: ClassicDocument }} WholeClassic `number` is how the page counts it
 * @typedef {{ ajax?: WholeClassic, sockjs?: WholeClassic }} Group
 * @typedef {ReturnType<typeof createTable>} ClassicTable
 * @typedef {{ iterations: number, measured: Figures, published: Figures }} Row
 */

/** Tables in the order of the runs; warnings are sentences. @param {readonly WholeClassic[]} runs one or more */
export function createClassicComparison(runs) {
  const groups = groupRuns(runs);
  const titles = titlesOf(groups.map(({ ajax, sockjs }) => /** @type {WholeClassic} */ (ajax ?? sockjs)));
  return {
    tables: groups.map((group, index) => createTable(group, titles[index])),
    chart: chartOf(
      groups.map(({ ajax, sockjs }, index) => ({
        words: groups.length > 1 ? titles[index] : '',
        runs: [...runsOf(ajax), ...runsOf(sockjs)],
      })),
    ),
    differences: findDifferences(runs.map(factsOf)),
    warnings: runs.flatMap(listFaults),
  };
}

/** @param {WholeClassic} [run] */
const runsOf = (run) => (run ? summarize(run.document).runs : []);

/**
 * A run by AJAX and one by SockJS over the same path make one table; a second one by the same transport makes another.
 * @param {readonly WholeClassic[]} runs
 */
function groupRuns(runs) {
  /** @type {(Group & { path: string })[]} */
  const groups = [];
  for (const run of runs) {
    const { server, origin, link } = run.digest;
    const path = JSON.stringify([server, link, isLoopback(origin), run.place?.name]);
    const [{ trial }] = runsOf(run);
    const transport = trial.transport === 'ajax' ? 'ajax' : 'sockjs';
    const group = groups.find((one) => one.path === path && !one[transport]);
    if (group) group[transport] = run;
    else groups.push({ path, [transport]: run });
  }
  return groups;
}

/** @param {Group} group @param {string} title */
function createTable({ ajax, sockjs }, title) {
  const members = [ajax, sockjs].filter((run) => run !== undefined);
  const [{ digest }] = members;
  const published = isLoopback(digest.origin) ? PUBLISHED.localhost : PUBLISHED.distance;
  const counts = members.flatMap(runsOf).map(({ trial }) => trial.iterations);
  return {
    title,
    server: digest.server,
    numbers: members.map(({ number }) => number),
    publishedOf: published.name,
    rows: [...new Set(counts)]
      .sort((a, b) => a - b)
      .flatMap((iterations) => {
        const [a, s] = [ajax, sockjs].map((run) => runsOf(run).filter(({ trial }) => trial.iterations === iterations));
        // As often as it was made, in that order.
        return Array.from({ length: Math.max(a.length, s.length) }, (_, i) => ({
          iterations,
          measured: withRatio({ ajax: rateOf(a[i]), sockjs: rateOf(s[i]) }),
          published: withRatio(published.rates[iterations] ?? {}),
        }));
      }),
  };
}

/** What ought to be the same in all of them. @param {WholeClassic} run */
function factsOf({ number, digest, document: { transport, environment, runs } }) {
  const protocols = protocolsOf(runs.map(({ trial }) => trial));
  return {
    number,
    facts: {
      [`Protocol of ${labelOf(transport)}`]: protocols.join(' and ') || 'none',
      Iterations: runs.map(({ trial }) => trial.iterations).join(', '),
      'Server version': digest.version,
      'User agent': environment.userAgent,
    },
  };
}

/** What makes a run invalid. @param {WholeClassic} whole */
function listFaults(whole) {
  return runsOf(whole).flatMap((run) => {
    const { transport, iterations } = run.trial;
    const who = `${whole.number}, ${labelOf(transport)}`;
    return [
      ...(run.elapsedMs === undefined ? [`${who}: ${formatClassic(run)}`] : []),
      ...(run.wasHidden ? [`${who}: the tab was hidden during its ${iterations} iterations.`] : []),
    ];
  });
}

/** What the rates are of. */
export const RATES_NOTE =
  'Messages per second, from the click to the last answer. SockJS includes its connection setup, as in 2012.';

const format = fixed(3);

/** @type {readonly Column<Row>[]} */
export const COLUMNS = [
  { title: 'Iterations', value: ({ iterations }) => iterations },
  { title: 'AJAX', value: ({ measured }) => measured.ajax, format },
  { title: 'SockJS', value: ({ measured }) => measured.sockjs, format },
  { title: 'Ratio', value: ({ measured }) => measured.ratio, format },
  { title: '2012: AJAX', value: ({ published }) => published.ajax, format },
  { title: '2012: SockJS', value: ({ published }) => published.sockjs, format },
  { title: '2012: ratio', value: ({ published }) => published.ratio, format },
];

/** @type {readonly Column<ClassicTable & Row>[]} */
const CSV_COLUMNS = [
  { title: 'title', value: ({ title }) => title },
  { title: 'server', value: ({ server }) => server },
  { title: 'runs', value: ({ numbers }) => numbers.join(' ') },
  { title: 'iterations', value: ({ iterations }) => iterations },
  { title: 'ajax_messages_per_second', value: ({ measured }) => measured.ajax, format },
  { title: 'sockjs_messages_per_second', value: ({ measured }) => measured.sockjs, format },
  { title: 'ajax_published_messages_per_second', value: ({ published }) => published.ajax, format },
  { title: 'sockjs_published_messages_per_second', value: ({ published }) => published.sockjs, format },
];

/** @param {ReturnType<typeof createClassicComparison>} comparison @param {string} link to its page */
export function formatMarkdown({ tables, differences, warnings }, link) {
  const lines = tables.flatMap(({ title, publishedOf, rows }) => [
    ...linesOfTable({ heading: escape(title), columns: COLUMNS, rows }),
    `2012 figures: ${publishedOf}`,
    '',
  ]);
  const found = [...differences.map(describeDifference), ...warnings];
  const title = formatBeside(tables.map((table) => table.title));
  return toPage(title, [RATES_NOTE, '', ...lines, ...itemsOf(found)], link);
}

/** A line for each row of each table, with a header. @param {ReturnType<typeof createClassicComparison>} comparison */
export function formatCsv({ tables }) {
  const rows = tables.flatMap((table) => table.rows.map((row) => ({ ...table, ...row })));
  return toCsv({ columns: CSV_COLUMNS, rows });
}
