/**
 * `npm run figures`: measures the figures of the documents again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { choiceOption, createCommand, parseArguments } from '../cli/program/command.js';
import { cancelOnSignals, EXIT, RunError, runProgram } from '../cli/program/program.js';
import { formatSeconds } from '../core/base/format.js';
import { excerptOf } from './excerpt.js';
import { FIGURES, needsRoot } from './list.js';
import { replaceFigure } from './markers.js';
import { memoryIn } from './memory.js';

/** @import { Figure } from './list.js' */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** No command takes nearly as long. */
const LIMIT_MS = 1_800_000;

const createFigures = () =>
  createCommand(
    'npm run figures --',
    'Runs the commands of the figures in docs/ again, and replaces what they printed there. On an idle machine, all figures take about 30 minutes. Figures over emulated links need root.',
  )
    .addOption(
      choiceOption(
        '--only <name...>',
        'measure only this figure; repeatable',
        FIGURES.map(({ name }) => name),
      ),
    )
    .option('--list', 'print the figures, with their documents and commands')
    .option('--dry-run', 'print the figures, and change no file')
    .addHelpText(
      'after',
      `
Exit codes:
  0  every figure was made
  1  a figure could not be made
  2  the arguments are wrong`,
    );

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const { only, list, dryRun: isDry = false } = parseArguments(createFigures(), args);
  const chosen = FIGURES.filter(({ name }) => only?.includes(name) ?? true);
  if (list) {
    process.stdout.write(chosen.map(formatFigure).join(''));
    return EXIT.done;
  }
  const signal = cancelOnSignals({ mustTidyUp: true });
  /** @type {number} */
  let exitCode = EXIT.done;
  for (const figure of chosen) {
    if (signal.aborted) throw new RunError(`Stopped before ${figure.name}.`);
    const begunMs = performance.now();
    const line = await renew(figure, { signal, isDry }).catch((/** @type {Error} */ error) => {
      exitCode = EXIT.failed;
      return `not made: ${error.message}`;
    });
    process.stdout.write(
      `${figure.name} (${formatSeconds(Math.round((performance.now() - begunMs) / 1000))}): ${line}\n`,
    );
  }
  return exitCode;
}

/** @param {Figure} figure */
const formatFigure = ({ name, file, commands }) =>
  commands.map((command) => `${name.padEnd(14)}${file.padEnd(25)}${command}\n`).join('');

/**
 * @param {Figure} figure
 * @param {{ signal: AbortSignal, isDry: boolean }} options @returns {Promise<string>} its outcome
 */
async function renew(figure, { signal, isDry }) {
  const { name, file, commands, memoryFile } = figure;
  if (needsRoot(figure) && process.getuid?.() !== 0) throw new Error('needs root, for network namespaces');
  /** @type {[command: string, excerpt: string][]} */
  const made = [];
  for (const command of commands) {
    made.push([command, excerptOf(await run(command, figure), figure)]);
    if (signal.aborted) throw new RunError('stopped');
  }
  const excerpts = made.flatMap(([command, excerpt]) => [`\`${command}\`:`, excerpt]);
  const markdown = [describeMachine(), ...excerpts].join('\n\n');
  const memories = memoryFile && Object.fromEntries(made.map(([command, excerpt]) => memoryIn(command, excerpt)));
  if (isDry) process.stdout.write(`${markdown}\n`);
  else {
    await writeFormatted(file, replaceFigure(await readFile(file, 'utf8'), name, markdown));
    if (memoryFile) await writeFormatted(memoryFile, JSON.stringify(memories));
  }
  return 'made';
}

/** @param {string} command @param {Figure} figure @returns {Promise<string>} its output @throws {RunError} if it fails */
async function run(command, { text: isText }) {
  const args = command.replace(/^(sudo )?npx sockshootout /, '').split(' ');
  const format = isText === undefined ? ['--markdown'] : [];
  const child = spawn(process.execPath, ['cli/sockshootout.js', ...args, ...format], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: LIMIT_MS,
  });
  const exited = once(child, 'exit');
  const [output, [code]] = await Promise.all([text(child.stdout), exited]);
  if (code !== 0) throw new RunError(`${command}: expected to end with 0, got ${code}`);
  return output;
}

/** @returns {string} the line above a figure */
function describeMachine() {
  const day = new Date().toISOString().slice(0, 10);
  const processor = os
    .cpus()[0]
    .model.replaceAll(/\((R|TM)\)|Processor/g, '')
    .trim();
  return `Made on ${day} with Node.js ${process.version} and ${os.availableParallelism()} CPUs (${processor}).`;
}

/** @param {string} file @param {string} content */
async function writeFormatted(file, content) {
  await writeFile(file, await format(content, { ...(await resolveConfig(file)), filepath: file }));
}

await runProgram(main);
