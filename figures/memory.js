/** Reads what `--stress` prints of the server's memory, so that the site has it as data, too. */
import { RunError } from '../cli/program/program.js';

/**
 * @typedef {{ command: string, usersCount: number, mbPerThousand: number }} MeasuredMemory of the connections of 1,000 users
 */

const PRINTED = /: ([\d.]+) MB \(measured with (\d+) users\)/;

/**
 * @param {string} command with one delivery method @param {string} output
 * @returns {[delivery: string, MeasuredMemory]} @throws {RunError} if the output has no memory
 */
export function memoryIn(command, output) {
  const [, delivery] = / --deliveries (\S+)/.exec(command) ?? [];
  const [, mb, usersCount] = PRINTED.exec(output) ?? [];
  if (!delivery || !mb) throw new RunError(`${command}: expected the memory of one delivery method, got none`);
  return [delivery, { command, usersCount: Number(usersCount), mbPerThousand: Number(mb) }];
}
