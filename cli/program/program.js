/** The shared parts of programs of the command line: progress, errors, and exit codes. */
import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { escapeInvisible, InvalidInputError } from '../../core/base/foreign-text.js';
import { ExchangeError } from '../../core/net/exchange-error.js';

/**
 * @import { CommanderError } from 'commander'
 * @import { Ending } from '../../core/experiment/contract.js'
 * @typedef {{ title: string, percent?: number, state: { completedCount: number }, messageCount: number }} ShownTrial
 *   `percent` of the run that is done before it; a `state` that the trial updates, and the number up to which it counts
 * @typedef {object} Progress
 * @property {(trial: ShownTrial) => void} start ends the trial before
 * @property {(text: string) => void} say prints a line that stays
 * @property {() => void} end must be called
 */

export const EXIT = Object.freeze({ done: 0, failed: 1, wrong: 2 });

/** An error in what was requested: what, expected, got. The program exits with 2. */
export class UsageError extends InvalidInputError {}

/** An error of a run without a result. The program exits with 1. */
export class RunError extends Error {}

/** The exit code of a shell for a program that ended by Ctrl-C: https://tldp.org/LDP/abs/html/exitcodes.html */
const INTERRUPTED = 130;
/**
 * The time within which a second signal is the same Ctrl-C: npm passes it on to a program that has received it already.
 */
const SAME_PRESS_MS = 500;

/** The interval between updates at a terminal: more frequent ones would affect the measurement. */
const REFRESH_MS = 250;
const BAR_LENGTH = 20;
/** The step between progress lines in a file: a fifth of a run. */
const FILE_STEP_PERCENT = 20;

/**
 * Ends the program with an exit code: with a message if it could not do what was requested, and with a stack trace only
 * for an internal error.
 * @param {(args: string[]) => Promise<number | void>} main returns the exit code; nothing if it is set already
 */
export async function runProgram(main) {
  // Whoever reads it may need only its beginning, as head does.
  process.stdout.on('error', endAtBrokenPipe);
  const code = await main(process.argv.slice(2)).catch(sayError);
  if (typeof code !== 'number') return;
  // The program exits although a run may leave something open, like a WebSocket whose close frame is lost.
  await Promise.all([process.stdout, process.stderr].map(whenWritten));
  process.exit(code);
}

/** @param {NodeJS.ErrnoException} error */
function endAtBrokenPipe(error) {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.failed);
}

/** @param {unknown} error @returns {number} the exit code */
function sayError(error) {
  const { name, exitCode } = /** @type {CommanderError} */ (error);
  // It has printed the help. By its name, as a machine on which nothing is installed yet has this file, but not commander.
  if (name === 'CommanderError') return exitCode;
  const isUsage = error instanceof InvalidInputError;
  const isExpected = isUsage || error instanceof RunError || error instanceof ExchangeError;
  const { message, stack } = /** @type {Error} */ (error);
  // It may quote what was given, such as a terminal's control characters.
  process.stderr.write(`${isExpected ? message.split('\n').map(escapeInvisible).join('\n') : stack}\n`);
  return isUsage ? EXIT.wrong : EXIT.failed;
}

/** @param {NodeJS.WriteStream} stream @returns {Promise<void>} fulfilled when all has been written, or cannot be */
const whenWritten = (stream) => new Promise((resolve) => void stream.write('', () => resolve()));

/**
 * @param {string} text @param {string} [file] given as --out; default: standard output
 * @throws {RunError} if the file cannot be written: the text is printed then, so that no result is lost
 */
export async function writeOutput(text, file) {
  if (file === undefined) return void process.stdout.write(text);
  await writeFile(file, text).catch(({ message }) => {
    process.stdout.write(text);
    throw new RunError(
      `--out: expected a file that can be written, got “${file}” (${message}); standard output has the result instead`,
    );
  });
}

/**
 * Checks before a measurement that a file can be written.
 * @param {string} [file] given as --out @throws {UsageError}
 */
export async function checkWritable(file) {
  if (file === undefined) return;
  const found = await stat(file).catch(() => undefined);
  // A file that is there may be writable although its folder is not, such as /dev/null.
  const fault = await access(found ? file : path.dirname(file), constants.W_OK).catch((error) => error);
  if (!fault && !found?.isDirectory()) return;
  throw new UsageError(`--out: expected a writable file, or a new one in a writable folder, got “${file}”`);
}

/**
 * @param {{ onSignal?: (name: NodeJS.Signals) => void, mustTidyUp?: boolean }} [options] `onSignal` gets each signal;
 *   `mustTidyUp`: a cleanup has to finish first, so a second signal does not end the program
 * @returns {AbortSignal} the first Ctrl-C ends the run, a second one the program, at once
 */
export function cancelOnSignals({ onSignal, mustTidyUp = false } = {}) {
  const controller = new AbortController();
  /** @type {Ending} */
  const reason = { kind: 'cancelled', reason: 'The run was stopped.' };
  /** @type {number | undefined} */
  let pressedAtMs;
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      pressedAtMs ??= performance.now();
      if (!mustTidyUp && performance.now() - pressedAtMs > SAME_PRESS_MS) process.exit(INTERRUPTED);
      controller.abort(reason);
      onSignal?.(name);
    });
  }
  return controller.signal;
}

/**
 * Shows the progress of a run: a terminal gets a line that is rewritten, a file gets some lines.
 * @param {boolean} isQuiet @returns {Progress}
 */
export function createProgress(isQuiet) {
  const stream = process.stderr;
  const stepPercent = stream.isTTY ? 1 : FILE_STEP_PERCENT;
  let shownPercent = -1;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @param {string} text */
  const write = (text) => {
    if (!isQuiet) stream.write(text);
  };
  const end = () => {
    clearInterval(timer);
    if (stream.isTTY) write('\r\u001b[K');
  };

  return {
    start({ title, percent, state, messageCount }) {
      clearInterval(timer);
      const step = percent === undefined ? -1 : Math.floor(percent / stepPercent) * stepPercent;
      const isNew = percent === undefined || step !== shownPercent;
      shownPercent = step;
      if (!stream.isTTY) {
        if (isNew) write(`${percent === undefined ? title : `${step}%  ${title}`}\n`);
        return;
      }
      const show = () => {
        const { completedCount } = state;
        write(`\r\u001b[K${formatProgress({ title, percent, completedCount, messageCount })}`);
      };
      if (isNew) show();
      if (!isQuiet && messageCount > 1) timer = setInterval(show, REFRESH_MS);
    },
    say(text) {
      end();
      write(`${text}\n`);
    },
    end,
  };
}

/**
 * Returns the line of a terminal: the bar is the run's, or the trial's if it is all that there is.
 * @param {{ title: string, percent?: number, completedCount: number, messageCount: number }} trial as in a ShownTrial
 * @example formatProgress({ title: 'AJAX', percent: 40, completedCount: 3, messageCount: 10 })
 *   // '[########------------] 40%  AJAX, 3 of 10'
 */
export function formatProgress({ title, percent, completedCount, messageCount }) {
  // A trial that is over at once has counted nothing when it is looked at.
  const count = completedCount > 0 && messageCount > 1 ? `, ${completedCount} of ${messageCount}` : '';
  const share = percent === undefined ? completedCount / Math.max(1, messageCount) : percent / 100;
  const bar = '#'.repeat(Math.floor(BAR_LENGTH * share)).padEnd(BAR_LENGTH, '-');
  return `[${bar}] ${Math.floor(100 * share)}%  ${title}${count}`;
}
