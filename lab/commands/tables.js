/**
 * `lab tables`: the tables of 2012 from one command, localhost beside an emulated distance.
 */
import { findChromium } from '../../cli/program/chromium.js';
import {
  cancelOnSignals,
  checkWritable,
  EXIT,
  FLAG,
  readArgs,
  RunError,
  TEXT,
  writeOutput,
} from '../../cli/program/program.js';
import { measureOnPage } from '../../cli/run/measure.js';
import { abortable } from '../../core/base/async.js';
import { classic } from '../../core/experiments/classic/index.js';
import { formatClassic, parseIterations } from '../../core/experiments/classic/measure.js';
import { withFarSite } from '../far-site.js';
import { requireMachine, say, throwUnlessCancelled } from '../machine.js';
import { LINK_HELP, LINK_OPTIONS, parseConditions } from '../options.js';
import { formatJson, formatMarkdown, listFaults } from '../tables.js';

/**
 * @import { Conditions } from '../../core/experiment/emulated-link.js'
 * @import { Place, Places } from '../tables.js'
 */

const FORMATTERS = { json: formatJson, markdown: formatMarkdown };
const DEFAULT_ITERATIONS = '10,100,1000';

const OPTIONS = {
  ...LINK_OPTIONS,
  ...{ iterations: TEXT, out: TEXT, json: FLAG },
  help: { ...FLAG, short: 'h' },
};

export const HELP = `usage: sudo npm run lab -- --rtt MS [options]
       sudo npm run lab -- --profile NAME [options]

Repeats the tests of 2012 on this machine: opens /ajaxtest and /socktest in Chromium, first without and then with the
emulated link between browser and server. Prints the results beside the published figures. Needs root, for network
namespaces, and the dev dependencies (npm ci).

${LINK_HELP}

Tests and output
  --iterations A,B,...  messages per run; default: ${DEFAULT_ITERATIONS} (1000 messages at 230 ms take about 4 minutes per page)
  --json                print JSON with every sample instead of Markdown
  --out FILE            write to a file
  --help                print this text

Exit codes
  0  every run is complete
  1  a run is not complete
  2  the lab could not start
Ctrl-C stops everything and prints nothing.
`;

/** @typedef {NonNullable<ReturnType<typeof parseOptions>>} Options */

/** @param {string[]} args absent where help was asked for @throws {InvalidInputError} what, expected, got */
export function parseOptions(args) {
  const { help, iterations = DEFAULT_ITERATIONS, json, out, ...values } = readArgs(args, OPTIONS);
  if (help) return undefined;
  return {
    conditions: parseConditions(values),
    profile: values.profile,
    iterations: iterations.split(',').map(parseIterations),
    format: /** @type {'json' | 'markdown'} */ (json ? 'json' : 'markdown'),
    out,
  };
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const options = parseOptions(args);
  if (!options) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  await requireMachine();
  await findChromium();
  await checkWritable(options.out);

  const places = await measure(options, cancelOnSignals({ mustTidyUp: true }));
  await writeOutput(FORMATTERS[options.format](places, options), options.out);
  const faults = listFaults(places);
  for (const fault of faults) say(fault);
  return faults.length > 0 ? EXIT.failed : EXIT.done;
}

/** @param {Options} options @param {AbortSignal} signal @returns {Promise<Places>} */
async function measure({ conditions, iterations }, signal) {
  try {
    const { cpus, memoryMib } = conditions;
    const localhost = await measurePlace({ rttMs: 0, cpus, memoryMib }, iterations, signal);
    const distance = await measurePlace(conditions, iterations, signal);
    return { localhost, distance };
  } catch (error) {
    throwUnlessCancelled(error, signal);
    throw new RunError('Stopped. The link and the site were removed.');
  }
}

/**
 * Both classic pages over one link: a table of the 2012 post.
 *
 * @param {Conditions} conditions
 * @param {number[]} iterations of each run
 * @param {AbortSignal} signal ends it early; everything is taken down all the same
 * @returns {Promise<Place>}
 */
function measurePlace(conditions, iterations, signal) {
  signal.throwIfAborted();
  return withFarSite(conditions, async ({ link, browser, origin }) => {
    signal.throwIfAborted();
    const ping = await link.ping();
    link.startChanges();
    const pages = /** @type {Place['pages']} */ ({});
    for (const transport of /** @type {const} */ (['ajax', 'sockjs'])) {
      const plan = { transport, iterations };
      const { pathname } = new URL(classic.linkPath(plan), origin);
      say(
        `${conditions.rttMs} ms: ${pathname} with ${iterations.join(', ')} iterations${formatLeast(conditions, iterations)}`,
      );
      const document = await abortable(signal, (resolve, reject) => {
        measureOnPage(browser, classic, { plan, origin }).then(resolve, reject);
      });
      pages[transport] = classic.summarize(document);
      for (const run of pages[transport].runs) say(`  ${formatClassic(run)}`);
    }
    return { conditions, kind: link.kind, ping, browserVersion: browser.version(), pages };
  });
}

/** @param {Conditions} conditions @param {number[]} iterations */
function formatLeast({ changes = [], ...first }, iterations) {
  const messageCount = iterations.reduce((sum, count) => sum + count, 0);
  const leastMs = Math.min(...[first, ...changes].map(({ rttMs, jitterMs = 0 }) => rttMs - jitterMs));
  const seconds = Math.round((messageCount * leastMs) / 1000);
  return seconds > 0 ? `, at least ${seconds} s` : '';
}
