/**
 * `npm run lab`: the tables of 2012 from one command, localhost beside an emulated distance.
 */
import { open } from 'node:fs/promises';
import { findChromium } from '../cli/program/chromium.js';
import { RunError, UsageError, EXIT, runProgram, writeOutput } from '../cli/program/program.js';
import { requireMachine } from './link.js';
import { HELP, parseOptions } from './options.js';
import { formatJson, formatMarkdown, listFaults } from './tables.js';

/**
 * @import { Options } from './options.js'
 * @import { Places } from './tables.js'
 */

const FORMATTERS = { json: formatJson, markdown: formatMarkdown };

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(words) {
  const options = parseOptions(words);
  if (!options) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  await requireMachine().catch(refuse);
  await findChromium();
  if (options.out !== undefined) await checkWritable(options.out);

  const places = await measure(options, cancelOnSignals());
  await writeOutput(FORMATTERS[options.format](places, options), options.out);
  const faults = listFaults(places);
  for (const fault of faults) say(fault);
  return faults.length > 0 ? EXIT.failed : EXIT.done;
}

/** @param {Options} options @param {AbortSignal} signal @returns {Promise<Places>} */
async function measure({ conditions, iterations }, signal) {
  // Loaded here, as a browser's driver takes longer to load than to say which word is wrong.
  const { measurePlace } = await import('./measure-place.js');
  try {
    const localhost = await measurePlace({ rttMs: 0 }, { iterations, signal, say });
    const distance = await measurePlace(conditions, { iterations, signal, say });
    return { localhost, distance };
  } catch (error) {
    // A terminal's Ctrl-C reaches what was started, too: whatever fails after it is no cause.
    if (signal.aborted) throw new RunError('Cancelled; all that was started is taken down.');
    throw error;
  }
}

/** @param {string} file */
async function checkWritable(file) {
  const handle = await open(file, 'a').catch(({ message }) =>
    refuse(new Error(`--out: expected a file that can be written, got “${file}”: ${message}`)),
  );
  await handle.close();
}

/** @param {Error} error @returns {never} */
function refuse({ message }) {
  throw new UsageError(message);
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
function say(words) {
  process.stderr.write(`${words}\n`);
}

await runProgram(main);
