/**
 * What the lab has to say: a table for each place, with the published figures beside it.
 */
import { formatMarkdown as formatClassicMarkdown } from '../core/experiments/classic/export.js';
import { COLUMNS } from '../core/experiments/classic/comparison-export.js';
import { rateOf, withRatio } from '../core/experiments/classic/rates.js';
import { formatClassic } from '../core/experiments/classic/measure.js';
import { PUBLISHED } from '../core/experiments/classic/published-2012.js';
import { toMarkdown } from '../core/experiment/table.js';
import { formatConditions } from './format-conditions.js';
import { PROFILES } from './profiles.js';

/**
 * @import { Published } from '../core/experiments/classic/published-2012.js'
 * @import { Figures } from '../core/experiments/classic/rates.js'
 * @import { Place } from './measure-place.js'
 */

const KINDS = {
  netem: 'the kernel’s netem between two virtual Ethernet devices',
  tun: 'a bridge between two TUN devices (lab/tun-bridge.py), as netem could not be used here',
};

/**
 * @typedef {{ localhost: Place, distance: Place }} Places
 *
 * @typedef {{ iterations: number, measured: Figures, published: Figures }} Row
 */

/**
 * @param {Place} place
 * @param {{ iterations: number[], published: Published }} options
 * @returns {Row[]}
 */
function createRows({ pages: { ajax, sockjs } }, { iterations, published }) {
  return iterations.map((count, index) => ({
    iterations: count,
    measured: withRatio({ ajax: rateOf(ajax.runs[index]), sockjs: rateOf(sockjs.runs[index]) }),
    published: withRatio(published.rates[count] ?? {}),
  }));
}

/**
 * @param {Places} places
 * @returns {string[]} a sentence for each run that did not come to its end
 */
export function listFaults(places) {
  return Object.values(places).flatMap(({ conditions, pages }) =>
    Object.entries(pages).flatMap(([transport, { runs }]) =>
      runs
        .filter(({ elapsedMs }) => elapsedMs === undefined)
        .map((run) => `${conditions.rttMs} ms, ${transport}: ${formatClassic(run)}`),
    ),
  );
}

/**
 * @param {Places} places
 * @param {{ iterations: number[], profile?: string }} options
 * @returns {string} JSON, with all that the pages told, every sample included
 */
export function formatJson(places, { iterations, profile }) {
  /** @param {'localhost' | 'distance'} name */
  const describe = (name) => ({
    ...places[name],
    publishedOf: PUBLISHED[name].name,
    rows: createRows(places[name], { iterations, published: PUBLISHED[name] }),
  });
  const document = {
    schema: 'sockshootout/lab/1',
    profile,
    faults: listFaults(places),
    localhost: describe('localhost'),
    distance: describe('distance'),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

/**
 * @param {Places} places
 * @param {{ iterations: number[], profile?: string }} options
 * @returns {string}
 */
export function formatMarkdown(places, { iterations, profile }) {
  const { localhost, distance } = places;
  const profileLine = profile === undefined ? [] : ['', `Profile ${profile}: ${PROFILES[profile].source}.`];
  return [
    '# SockShootout lab: the tables of 2012',
    '',
    'Messages/second from the click to the last answer, SockJS’s connection included, as in 2012.',
    '',
    '## Localhost',
    '',
    ...formatTable(localhost, { iterations, published: PUBLISHED.localhost }),
    '',
    formatLink(localhost),
    '',
    '## The distance',
    '',
    ...formatTable(distance, { iterations, published: PUBLISHED.distance }),
    '',
    formatLink(distance),
    ...profileLine,
    '',
    formatPrograms(localhost),
    '',
    ...listFaults(places).map((fault) => `**Not finished:** ${fault}\n`),
    '## The runs on localhost',
    '',
    ...formatPages(localhost),
    '## The runs over the distance',
    '',
    ...formatPages(distance),
  ].join('\n');
}

/**
 * @param {Place} place
 * @param {{ iterations: number[], published: Published }} options
 */
function formatTable(place, { iterations, published }) {
  return [
    ...toMarkdown({ columns: COLUMNS, rows: createRows(place, { iterations, published }) }),
    '',
    `2012: ${published.name}, as published.`,
  ];
}

/** @param {Place} place */
function formatLink({ conditions, kind, ping: { count, minMs, meanMs } }) {
  return (
    `The link: ${formatConditions(conditions)}, by ${KINDS[kind]}. ` +
    `${count} pings before the runs: least ${minMs.toFixed(3)} ms, mean ${meanMs.toFixed(3)} ms.`
  );
}

/** @param {Place} place */
function formatPrograms({ browserVersion, pages }) {
  const version = pages.ajax.runs[0].trial.server?.version ?? 'not known';
  return `Server: SockShootout ${version}, Node ${process.version}. Browser: Chromium ${browserVersion}.`;
}

/** @param {Place} place */
function formatPages({ pages: { ajax, sockjs } }) {
  return [formatClassicMarkdown(ajax), formatClassicMarkdown(sockjs)];
}
