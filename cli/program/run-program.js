/**
 * How a program of the command line ends: by its exit code, with a sentence where it could not do what was asked, and with a
 * stack only where the fault is its own.
 */
import { writeFile } from 'node:fs/promises';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { RunError, UsageError } from './errors.js';

export const EXIT = Object.freeze({ done: 0, failed: 1, wrong: 2 });

/**
 * @param {(args: string[]) => Promise<number | undefined>} main gives the exit code; nothing where it is set already
 * @returns {Promise<void>}
 */
export async function runProgram(main) {
  try {
    const code = await main(process.argv.slice(2));
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof RangeError;
    const isExpected = isUsage || error instanceof RunError || error instanceof ExchangeError;
    const { message, stack } = /** @type {Error} */ (error);
    process.stderr.write(`${isExpected ? message : stack}\n`);
    process.exitCode = isUsage ? EXIT.wrong : EXIT.failed;
  }
}

/**
 * @param {string} text
 * @param {string} [file] standard output, where there is none
 */
export async function writeOutput(text, file) {
  if (file === undefined) process.stdout.write(text);
  else await writeFile(file, text);
}
