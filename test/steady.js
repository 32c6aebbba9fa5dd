/**
 * Runs one test file again and again beside busy loops, and says how often it failed.
 *
 * usage: npm run test:steady -- FILE [--times 20] [--load 4]
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createCommand, integerOption, parseArguments } from '../cli/program/command.js';
import { EXIT, runProgram, UsageError } from '../cli/program/program.js';
import { listFiles } from './runner/pack.js';
import { findMissing, remedyFor } from './runner/parts.js';
import { runFiles } from './runner/process.js';
import { runOptionsOf } from './runner/suite.js';
import { SUITES } from './runner/suites.js';

/** It ends by itself where this process was killed. */
const BUSY_LOOP = 'const { ppid } = process; while (process.ppid === ppid) for (let i = 0; i < 1e8; i++);';

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const command = createCommand('npm run test:steady --', 'Runs one test file again and again beside busy loops.')
    .argument('<file>')
    .addOption(integerOption('times', 'how often it runs', { max: 10_000, default: 20 }))
    .addOption(integerOption('load', 'busy loops', { min: 0, max: 1000, default: 4 }));
  const { times, load } = parseArguments(command, args);
  const [file] = command.args;
  if (!existsSync(file)) throw new UsageError(`file: expected one test file, got “${file}”`);
  const suite = Object.values(SUITES).find((one) => listFiles(one).includes(file));
  const missing = await findMissing(suite?.parts ?? []);
  if (suite && missing.length > 0)
    throw new UsageError(`${file} needs ${missing.join(', ')}: ${remedyFor(missing, suite.command)}`);

  const loops = Array.from({ length: load }, () => spawn(process.execPath, ['-e', BUSY_LOOP], { stdio: 'ignore' }));
  let failedCount = 0;
  try {
    for (let i = 1; i <= times; i++) {
      const { isPassed, seconds, failure = '', output } = await runFiles([file], runOptionsOf(suite, [file]));
      if (!isPassed && failedCount++ === 0) process.stdout.write(`${output}\n`);
      process.stdout.write(`${isPassed ? '✔' : '✖'} ${i}/${times} ${seconds.toFixed(1)} s ${failure}`.trimEnd() + '\n');
    }
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
  process.stdout.write(`${file} failed ${failedCount} of ${times} times beside ${load} busy loops\n`);
  return failedCount > 0 ? EXIT.failed : EXIT.done;
}

await runProgram(main);
