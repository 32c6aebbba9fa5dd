/**
 * `npm run lab`: the tables of 2012 from one command, localhost beside an emulated distance.
 */
import { findChromium } from '../cli/program/chromium.js';
import { checkWritable, EXIT, RunError, runProgram, UsageError, writeOutput } from '../cli/program/program.js';
import { measureOnPage } from '../cli/run/measure.js';
import { abortable } from '../core/base/async.js';
import { classic } from '../core/experiments/classic/index.js';
import { formatClassic } from '../core/experiments/classic/measure.js';
import { withFarSite } from './far-site.js';
import { requireMachine } from './link.js';
import { HELP, parseOptions } from './options.js';
import { formatJson, formatMarkdown, listFaults } from './tables.js';

/**
 * @import { Conditions } from './link.js'
 * @import { Options } from './options.js'
 * @import { Place, Places } from './tables.js'
 */

const FORMATTERS = { json: formatJson, markdown: formatMarkdown };
const PING_COUNT = 10;

/** @param {string[]} words @returns {Promise<number>} the exit code */
async function main(words) {
  const options = parseOptions(words);
  if (!options) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  await requireMachine().catch(({ message }) => {
    throw new UsageError(message);
  });
  await findChromium();
  await checkWritable(options.out);

  const places = await measure(options, cancelOnSignals());
  await writeOutput(FORMATTERS[options.format](places, options), options.out);
  const faults = listFaults(places);
  for (const fault of faults) say(fault);
  return faults.length > 0 ? EXIT.failed : EXIT.done;
}

/** @param {Options} options @param {AbortSignal} signal @returns {Promise<Places>} */
async function measure({ conditions, iterations }, signal) {
  try {
    const localhost = await measurePlace({ rttMs: 0 }, iterations, signal);
    const distance = await measurePlace(conditions, iterations, signal);
    return { localhost, distance };
  } catch (error) {
    // A terminal's Ctrl-C reaches what was started, too: whatever fails after it is no cause.
    if (signal.aborted) throw new RunError('Cancelled; all that was started is taken down.');
    throw error;
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
    const ping = { count: PING_COUNT, ...(await link.ping({ count: PING_COUNT })) };
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
function formatLeast({ rttMs, jitterMs = 0 }, iterations) {
  const messageCount = iterations.reduce((sum, count) => sum + count, 0);
  const seconds = Math.round((messageCount * (rttMs - jitterMs)) / 1000);
  return seconds > 0 ? `, at least ${seconds} s` : '';
}

/**
 * @returns {AbortSignal} any more signals change nothing: npm hands a terminal's Ctrl-C on a second time, and what is being
 *   taken down must not stay behind
 */
function cancelOnSignals() {
  const controller = new AbortController();
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, () => controller.abort());
  return controller.signal;
}

/** @param {string} words */
const say = (words) => process.stderr.write(`${words}\n`);

await runProgram(main);
