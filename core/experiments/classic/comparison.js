/** Compares tests of 2012: their rates by place, with those that were published. */
import { formatMs } from '../../base/format.js';
import { isLoopback, titlesOf } from '../../experiment/run/names.js';
import { fixed, words } from '../../experiment/report/table.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { PUBLISHED, withRatio } from '../../net/echo/published.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { formatClassic } from './report.js';
import { rateOf } from './summary.js';

/**
 * @import { ComparisonPart, Side } from '../../experiment/contract.js'
 * @import { Column } from '../../experiment/report/table.js'
 * @import { Figures } from '../../net/echo/published.js'
 * @import { ClassicResult } from './schema.js'
 * @typedef {Omit<Side, 'summary'> & { summary: ClassicResult }} Run
 * @typedef {{ path: string, ajax?: Run, sockjs?: Run }} Group the runs of one path
 * @typedef {{ iterations: number, measured: Figures, published: Figures }} Rates
 * @typedef {Rates & { title: string, server: string, numbers: number[], publishedOf: string }} Row a place's, for one
 *   number of iterations
 */

/** Compares the rates of runs with those of 2012. @param {readonly Side[]} runs @returns {ComparisonPart} */
export function comparisonPart(runs) {
  const groups = groupRuns(runs);
  const titles = titlesOf(groups.map((group) => membersOf(group)[0]));
  const rows = groups.flatMap((group, i) => rowsOf(group, titles[i]));
  return {
    facts: runs.map(factsOf),
    warnings: runs.flatMap(listFaults),
    tables: [{ heading: 'Beside the figures of 2012', note: RATES_NOTE, columns: [...PLACE, ...COLUMNS], rows }],
    csv: { columns: CSV_COLUMNS, rows },
  };
}

/**
 * Groups a run by AJAX with one by SockJS over the same path; a second one by the same transport begins another group.
 * @param {readonly Run[]} runs
 */
function groupRuns(runs) {
  /** @type {Group[]} */
  const groups = [];
  for (const run of runs) {
    const { server, origin, link } = run.digest;
    const path = JSON.stringify([server, link, isLoopback(origin), run.place?.name]);
    const transport = run.summary.transport === 'ajax' ? 'ajax' : 'sockjs';
    const group = groups.find((one) => one.path === path && !one[transport]);
    if (group) group[transport] = run;
    else groups.push({ path, [transport]: run });
  }
  return groups;
}

/** @param {Group} group @returns {Run[]} */
const membersOf = ({ ajax, sockjs }) => [ajax, sockjs].filter((run) => run !== undefined);

/**
 * Returns a row for each number of iterations, as often as it was measured.
 * @param {Group} group @param {string} title @returns {Row[]}
 */
function rowsOf(group, title) {
  const members = membersOf(group);
  const [{ digest }] = members;
  const { name, rates } = isLoopback(digest.origin) ? PUBLISHED.localhost : PUBLISHED.distance;
  const counts = new Set(members.flatMap(({ summary }) => summary.runs.map(({ trial }) => trial.iterations)));
  return [...counts]
    .sort((a, b) => a - b)
    .flatMap((iterations) => {
      const [ajax, sockjs] = [group.ajax, group.sockjs].map((run) => ratesOf(run, iterations));
      return Array.from({ length: Math.max(ajax.length, sockjs.length) }, (_, i) => ({
        title,
        server: digest.server,
        numbers: members.map(({ number }) => number),
        publishedOf: name,
        iterations,
        measured: withRatio({ ajax: ajax[i], sockjs: sockjs[i] }),
        published: withRatio(rates[iterations] ?? {}),
      }));
    });
}

/**
 * Returns the rates in the order in which they were measured.
 * @param {Run | undefined} run @param {number} iterations
 */
const ratesOf = (run, iterations) =>
  (run?.summary.runs ?? []).filter(({ trial }) => trial.iterations === iterations).map(rateOf);

/** Returns the facts that should be the same in all runs. @param {Run} run */
function factsOf({ summary: { transport, runs } }) {
  const trials = runs.map(({ trial }) => trial);
  return {
    [`Protocol of ${labelOf(transport)}`]: protocolsOf(trials).join(' and ') || 'none',
    Iterations: trials.map(({ iterations }) => iterations).join(', '),
  };
}

/** Lists why a run is invalid. @param {Run} run */
function listFaults({ number, summary: { transport, runs } }) {
  const who = `${number}, ${labelOf(transport)}`;
  return runs.flatMap((run) => [
    ...(run.elapsedMs === undefined ? [`${who}: ${formatClassic(run)}`] : []),
    ...(run.wasHidden ? [`${who}: the tab was hidden during its ${run.trial.iterations} iterations.`] : []),
  ]);
}

/** @type {readonly Column<Row>[]} */
const PLACE = [
  words('Place', ({ title }) => title),
  words('Runs', ({ numbers }) => numbers.join(' and ')),
  words('Server', ({ server }) => server),
  words('Place in 2012', ({ publishedOf }) => publishedOf),
];

const RATES_NOTE =
  'Messages per second, from the click to the last answer. SockJS includes its connection setup, as in 2012.';

const format = formatMs;
/** @param {number} ratio @returns {string} like '1.80x' */
const formatTimes = (ratio) => `${formatMs(ratio)}x`;

/** @type {readonly Column<Rates>[]} */
const COLUMNS = [
  { title: 'Iterations', value: ({ iterations }) => iterations },
  { title: 'AJAX', value: ({ measured }) => measured.ajax, format },
  { title: 'SockJS', value: ({ measured }) => measured.sockjs, format },
  { title: 'Ratio', value: ({ measured }) => measured.ratio, format: formatTimes },
  { title: 'AJAX in 2012', value: ({ published }) => published.ajax, format },
  { title: 'SockJS in 2012', value: ({ published }) => published.sockjs, format },
  { title: 'Ratio in 2012', value: ({ published }) => published.ratio, format: formatTimes },
];

/** @type {readonly Column<Row>[]} */
const CSV_COLUMNS = [
  { title: 'title', value: ({ title }) => title },
  { title: 'server', value: ({ server }) => server },
  { title: 'runs', value: ({ numbers }) => numbers.join(' ') },
  { title: 'iterations', value: ({ iterations }) => iterations },
  { title: 'ajax_messages_per_second', value: ({ measured }) => measured.ajax, format: fixed(3) },
  { title: 'sockjs_messages_per_second', value: ({ measured }) => measured.sockjs, format: fixed(3) },
  { title: 'ajax_published_messages_per_second', value: ({ published }) => published.ajax, format: fixed(3) },
  { title: 'sockjs_published_messages_per_second', value: ({ published }) => published.sockjs, format: fixed(3) },
];
