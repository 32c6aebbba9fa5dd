/**
 * `npm run figures`: measures the figures of the documents again.
 */
import os from 'node:os';
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import {
  cancelOnSignals,
  EXIT,
  FLAG,
  parseNames,
  readArgs,
  RunError,
  runProgram,
  TEXT,
} from '../cli/program/program.js';
import { formatSeconds } from '../core/base/format.js';
import { FIGURES } from './list.js';
import { replaceFigure } from './markers.js';

/** @import { Figure, Made } from './list.js' */

const HELP = `usage: npm run figures -- [options]

Measures the figures in the README and in docs/ again, and replaces them there. On an idle machine, all figures take about
30 minutes. Figures over emulated links need root.

  --only NAME   measure only this figure; repeatable
  --list        print the figures, with their documents and commands
  --dry-run     print the figures, and change no file
  --help        print this text

Exit codes
  0  every figure was made
  1  a figure could not be made
  2  the arguments are wrong
`;

const OPTIONS = {
  only: { ...TEXT, multiple: /** @type {const} */ (true) },
  ...{ list: FLAG, 'dry-run': FLAG, help: { ...FLAG, short: 'h' } },
};

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const { only, list, help, 'dry-run': isDry = false } = readArgs(args, OPTIONS);
  const names = parseNames(
    'only',
    only,
    FIGURES.map(({ name }) => name),
  );
  const chosen = FIGURES.filter(({ name }) => names.includes(name));
  if (help || list) {
    process.stdout.write(help ? HELP : chosen.map(formatFigure).join(''));
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
const formatFigure = ({ name, file, command, needsRoot }) =>
  `${name.padEnd(13)}${file.padEnd(16)}${needsRoot ? 'root  ' : '      '}${command}\n`;

/**
 * @param {Figure} figure
 * @param {{ signal: AbortSignal, isDry: boolean }} options @returns {Promise<string>} its outcome
 */
async function renew(figure, { signal, isDry }) {
  const { name, file, make, needsRoot } = figure;
  if (needsRoot && process.getuid?.() !== 0) throw new Error('needs root, for network namespaces');
  const made = await make(signal);
  if (signal.aborted) throw new RunError('stopped');
  const markdown = `${describeConditions(figure, made)}\n\n${made.markdown}`;
  if (isDry) process.stdout.write(`${markdown}\n`);
  else await writeFormatted(file, replaceFigure(await readFile(file, 'utf8'), name, markdown));
  return 'made';
}

/** @param {Figure} figure @param {Made} made @returns {string} the line above the figure */
function describeConditions({ command }, { client, conditions }) {
  const day = new Date().toISOString().slice(0, 10);
  const processor = os
    .cpus()[0]
    .model.replaceAll(/\((R|TM)\)|Processor/g, '')
    .trim();
  const programs = new Set([client, `Node.js ${process.version}`]);
  const machine = `${[...programs].join(', ')}, ${os.availableParallelism()} CPUs (${processor})`;
  return [`\`${command}\`, ${day}: ${machine}`, conditions].filter(Boolean).join('; ');
}

/** @param {string} file @param {string} text */
async function writeFormatted(file, text) {
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

await runProgram(main);
