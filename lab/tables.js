/**
 * What the lab has to say: a table for each place, with the published figures beside it.
 */
import { COLUMNS } from '../core/experiments/classic/comparison.js';
import { formatMarkdown as formatClassicMarkdown } from '../core/experiments/classic/index.js';
import { rateOf, withRatio, PUBLISHED, formatClassic } from '../core/experiments/classic/measure.js';
import { describeConditions } from '../core/experiment/emulated-link.js';
import { toMarkdown } from '../core/experiment/table.js';
import { PROFILES } from './options.js';

/**
 * @import { ClassicResult } from '../core/experiments/classic/index.js'
 * @import { Published } from '../core/experiments/classic/measure.js'
 * @import { Conditions, Ping } from '../core/experiment/emulated-link.js'
 * @import { Link } from './link.js'
 */

const KINDS = {
  netem: 'the kernel’s netem between two virtual Ethernet devices',
  tun: 'a bridge between two TUN devices (lab/tun-bridge.py), because netem is not available here',
};

/**
 * @typedef {object} Place
 * @property {Conditions} conditions as they were asked for
 * @property {Link['kind']} kind of the link
 * @property {Ping} ping measured before the runs
 * @property {string} browserVersion
 * @property {Record<'ajax' | 'sockjs', ClassicResult>} pages
 *
 * @typedef {{ localhost: Place, distance: Place }} Places
 *
 * @typedef {{ iterations: number[], profile?: string }} Options
 */

/** @param {Places} places @returns {string[]} a sentence for each run that did not come to its end */
export function listFaults(places) {
  return Object.values(places).flatMap(({ conditions, pages }) =>
    Object.entries(pages).flatMap(([transport, { runs }]) =>
      runs
        .filter(({ elapsedMs }) => elapsedMs === undefined)
        .map((run) => `${conditions.rttMs} ms, ${transport}: ${formatClassic(run)}`),
    ),
  );
}

/** @param {Places} places @param {Options} options @returns {string} JSON, with every sample that the pages reported */
export function formatJson(places, { iterations, profile }) {
  const describe = (/** @type {keyof Places} */ name) => ({
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

/** @param {Places} places @param {Options} options @returns {string} */
export function formatMarkdown(places, { iterations, profile }) {
  const { localhost, distance } = places;
  const profileLine = profile === undefined ? '' : `\nProfile ${profile}: ${PROFILES[profile].source}.\n`;
  return `# SockShootout lab: the tables of 2012

Messages/second from the click to the last answer, including SockJS’s connection setup, as in 2012.

## Localhost

${formatPlace(localhost, { iterations, published: PUBLISHED.localhost })}
## Over the emulated link

${formatPlace(distance, { iterations, published: PUBLISHED.distance })}${profileLine}
${formatPrograms(localhost)}

${listFaults(places)
  .map((fault) => `**Not finished:** ${fault}\n\n`)
  .join('')}## The runs on localhost

${formatPages(localhost)}
## The runs over the emulated link

${formatPages(distance)}`;
}

/** @param {Place} place @param {{ iterations: number[], published: Published }} options */
function createRows({ pages: { ajax, sockjs } }, { iterations, published }) {
  return iterations.map((count, index) => ({
    iterations: count,
    measured: withRatio({ ajax: rateOf(ajax.runs[index]), sockjs: rateOf(sockjs.runs[index]) }),
    published: withRatio(published.rates[count] ?? {}),
  }));
}

/** @param {Place} place @param {{ iterations: number[], published: Published }} options */
function formatPlace(place, options) {
  const { conditions, kind, ping } = place;
  const { count, minMs, meanMs } = ping;
  return `${toMarkdown({ columns: COLUMNS, rows: createRows(place, options) }).join('\n')}

2012: ${options.published.name}, as published.

The link: ${describeConditions(conditions)}, by ${KINDS[kind]}. ${count} pings before the runs: \
min ${minMs.toFixed(3)} ms, mean ${meanMs.toFixed(3)} ms.
`;
}

/** @param {Place} place */
function formatPrograms({ browserVersion, pages }) {
  const version = pages.ajax.runs[0].trial.server?.version ?? 'unknown';
  return `Server: SockShootout ${version}, Node ${process.version}. Browser: Chromium ${browserVersion}.`;
}

/** @param {Place} place */
const formatPages = ({ pages: { ajax, sockjs } }) => `${formatClassicMarkdown(ajax)}\n${formatClassicMarkdown(sockjs)}`;
