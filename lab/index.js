/**
 * `npm run lab`: the tables of 2012 from one command, localhost beside an emulated distance.
 */
import { open, writeFile } from 'node:fs/promises';
import { findChromium } from '../cli/program/chromium.js';
import { RunError, UsageError } from '../cli/program/errors.js';
import { requireMachine } from './link.js';
import { HELP, parseOptions } from './options.js';
import { formatJson, formatMarkdown, listFaults } from './tables.js';

/**
 * @import { Options } from './options.js'
 * @import { Places } from './tables.js'
 */

const EXIT = { done: 0, failed: 1, wrong: 2 };
const FORMATTERS = { json: formatJson, markdown: formatMarkdown };

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(words) {
  const options = parseOptions(words);
  if (options.isHelp) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  await checkMachine();
  if (options.out !== undefined) await checkWritable(options.out);

  const places = await measure(options, cancelOnSignals());
  const text = FORMATTERS[options.format](places, options);
  if (options.out === undefined) process.stdout.write(text);
  else await writeFile(options.out, text);
  const faults = listFaults(places);
  for (const fault of faults) say(fault);
  return faults.length > 0 ? EXIT.failed : EXIT.done;
}

/**
 * @param {Options} options
 * @param {AbortSignal} signal
 * @returns {Promise<Places>}
 */
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

/** @throws {UsageError} what is missing, and how to get it */
async function checkMachine() {
  try {
    await requireMachine();
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
  await findChromium();
}

/** @param {string} file */
async function checkWritable(file) {
  try {
    await (await open(file, 'a')).close();
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UsageError(`--out: expected a file that can be written, got “${file}”: ${message}`);
  }
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

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof RangeError;
  const { message, stack } = /** @type {Error} */ (error);
  say(String(isUsage || error instanceof RunError ? message : stack));
  process.exitCode = isUsage ? EXIT.wrong : EXIT.failed;
}
