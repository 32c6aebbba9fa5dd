/**
 * Saved runs of the classic pages as the two tables of 2012: AJAX and SockJS beside each other, a table for each path from
 * visitor to server, and the published figures beside it.
 */
import { protocolsOf } from '../../experiment/trials.js';
import { listDifferences } from '../../experiment/compare-reports.js';
import { isLoopback, titlesOf } from '../../experiment/names.js';
import { labelOf } from '../../net/echo/labels.js';
import { chartOf } from './chart.js';
import { fromDocument } from './export.js';
import { rateOf, withRatio } from './rates.js';
import { formatClassic } from './measure.js';
import { PUBLISHED } from './published-2012.js';

/**
 * @import { Chart } from '../../experiment/contract.js'
 * @import { ListedRun } from '../../experiment/names.js'
 * @import { ClassicDocument } from './export.js'
 * @import { Figures } from './rates.js'
 */

/**
 * @typedef {ListedRun & { number: number, document: ClassicDocument }} WholeClassic `number` is how the page counts it
 *
 * @typedef {object} ClassicTable
 * @property {string} title
 * @property {string} server
 * @property {number[]} numbers of its runs
 * @property {string} publishedOf what the published figures are of
 * @property {{ iterations: number, measured: Figures, published: Figures }[]} rows
 *
 * @typedef {object} ClassicComparison
 * @property {ClassicTable[]} tables in the order of the runs
 * @property {Chart} chart
 * @property {string[]} differences besides the places, in sentences
 */

/** @param {readonly WholeClassic[]} runs one or more @returns {ClassicComparison} */
export function createClassicComparison(runs) {
  const groups = groupRuns(runs);
  const titles = titlesOf(groups.map(({ ajax, sockjs }) => /** @type {WholeClassic} */ (ajax ?? sockjs)));
  return {
    tables: groups.map((group, index) => createTable(group, titles[index])),
    chart: chartOf(
      groups.map(({ ajax, sockjs }, index) => ({
        words: groups.length > 1 ? titles[index] : '',
        runs: [ajax, sockjs].flatMap((run) => (run ? fromDocument(run.document).runs : [])),
      })),
    ),
    differences: [...listDifferences(runs.map(factsOf)), ...runs.flatMap(listFaults)],
  };
}

/** @typedef {{ ajax?: WholeClassic, sockjs?: WholeClassic }} Group */

/**
 * A run by AJAX and one by SockJS belong together where the path was the same; a second one by the same transport is another
 * table, as neither their mean nor the better one would be what was measured.
 * @param {readonly WholeClassic[]} runs @returns {Group[]}
 */
function groupRuns(runs) {
  /** @type {Map<string, Group[]>} */
  const byPath = new Map();
  /** @type {Group[]} */
  const groups = [];
  for (const run of runs) {
    const key = keyOf(run);
    const transport = transportOf(run);
    const own = byPath.get(key) ?? [];
    let group = own.find((one) => !one[transport]);
    if (!group) {
      group = {};
      byPath.set(key, [...own, group]);
      groups.push(group);
    }
    group[transport] = run;
  }
  return groups;
}

/** @param {WholeClassic} run @returns {'ajax' | 'sockjs'} */
function transportOf({ document: { transport } }) {
  return transport === 'ajax' ? 'ajax' : 'sockjs';
}

/** @param {WholeClassic} run */
function keyOf({ place = {}, digest: { server, origin } }) {
  return JSON.stringify([server, isLoopback(origin), place.name, place.latitude, place.longitude]);
}

/** @param {Group} group @param {string} title @returns {ClassicTable} */
function createTable(group, title) {
  const members = [group.ajax, group.sockjs].filter((run) => run !== undefined);
  const [{ digest }] = members;
  const published = isLoopback(digest.origin) ? PUBLISHED.localhost : PUBLISHED.distance;
  const [ajax, sockjs] = [group.ajax, group.sockjs].map(ratesByIterations);
  const counts = [...new Set([...ajax.keys(), ...sockjs.keys()])].sort((a, b) => a - b);
  return {
    title,
    server: digest.server,
    numbers: members.map(({ number }) => number),
    publishedOf: published.name,
    rows: counts.flatMap((iterations) => {
      const [a, s] = [ajax, sockjs].map((rates) => rates.get(iterations) ?? []);
      return Array.from({ length: Math.max(a.length, s.length) }, (_, i) => ({
        iterations,
        measured: withRatio({ ajax: a[i], sockjs: s[i] }),
        published: withRatio(published.rates[iterations] ?? {}),
      }));
    }),
  };
}

/**
 * @param {WholeClassic | undefined} run
 * @returns {Map<number, (number | undefined)[]>} messages per second, in the order in which they were made
 */
function ratesByIterations(run) {
  /** @type {Map<number, (number | undefined)[]>} */
  const rates = new Map();
  for (const one of run ? fromDocument(run.document).runs : []) {
    const { iterations } = one.trial;
    rates.set(iterations, [...(rates.get(iterations) ?? []), rateOf(one)]);
  }
  return rates;
}

/** What ought to be the same in all of them. @param {WholeClassic} run */
function factsOf({ number, digest, document: { transport, environment, runs } }) {
  const protocols = protocolsOf(runs.map(({ trial }) => trial));
  return {
    number,
    facts: {
      [`The protocols of ${labelOf(transport)} differ`]: protocols.join(' and ') || 'none',
      'The iterations differ': runs.map(({ trial }) => trial.iterations).join(', '),
      'The servers’ versions differ': digest.version,
      'The browsers differ': `“${environment.userAgent}”`,
    },
  };
}

/** @param {WholeClassic} run @returns {string[]} what makes a run invalid */
function listFaults({ number, document }) {
  const { transport, runs } = fromDocument(document);
  return runs.flatMap((run) => [
    ...(run.elapsedMs === undefined ? [`${number}, ${labelOf(transport)}: ${formatClassic(run)}`] : []),
    ...(run.wasHidden
      ? [`${number}, ${labelOf(transport)}: the tab was hidden during its ${run.trial.iterations} iterations.`]
      : []),
  ]);
}
