/** `sockshootout page`: what a page polls, and what to do about it, from a recording of its requests. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Option } from 'commander';
import { decodeJsonFile } from '../core/base/foreign-text.js';
import { quote } from '../core/experiment/plan/fields.js';
import { adviseRecording, USERS } from '../core/recording/advice.js';
import {
  formatRecordingCsv,
  formatRecordingJson,
  formatRecordingMarkdown,
  formatRecordingText,
} from '../core/recording/export.js';
import { problemOfSize } from '../core/recording/file-size.js';
import { readRecording } from '../core/recording/recording.js';
import { createCommand, integerOption, parseArguments } from './program/command.js';
import {
  cancelOnSignals,
  checkWritable,
  createProgress,
  EXIT,
  RunError,
  UsageError,
  writeOutput,
} from './program/program.js';

const FORMATS = Object.freeze({
  text: formatRecordingText,
  json: formatRecordingJson,
  markdown: formatRecordingMarkdown,
  csv: formatRecordingCsv,
});

/**
 * @typedef {keyof typeof FORMATS} Format
 * @typedef {{ file: string, users: number, format: Format, out?: string, isQuiet: boolean }} PageOptions
 */

/** @param {(file: string) => void} onFile */
const createPage = (onFile) =>
  createCommand(
    'npx sockshootout page',
    'Says what a page polls, how often for nothing, and what push would save. Reads a HAR file, which browsers save in the Network panel of their developer tools. Nothing of it is sent anywhere.',
  )
    .argument('<file>', 'HAR file; - for standard input')
    .action(onFile)
    .addOption(integerOption('users', 'users with the page open', { max: USERS.max, default: USERS.default }))
    .addOption(new Option('--json', 'print JSON instead of text').conflicts(['markdown', 'csv']))
    .addOption(new Option('--markdown', 'print Markdown instead of text').conflicts('csv'))
    .option('--csv', 'print CSV of the polls instead of text')
    .option('--out <file>', 'write to a file')
    .option('-q, --quiet', 'print no progress')
    .addHelpText(
      'after',
      `
The output has no origin, header or body. In addresses, values of parameters are *,
and so are parts of a path with digits, and long ones; other parts stay.

Exit codes:
  0  the file was read, whole or in part
  1  the output could not be written
  2  the arguments are wrong, or the file is no HAR file`,
    );

/**
 * @param {string[]} args @returns {PageOptions}
 * @throws {InvalidInputError | CommanderError} what, expected, got; the latter after its help
 */
export function parsePageOptions(args) {
  let file = '';
  const { users, json, markdown, csv, out, quiet } = parseArguments(
    createPage((given) => void (file = given)),
    args,
  );
  /** @type {Format} */
  const format = json ? 'json' : markdown ? 'markdown' : csv ? 'csv' : 'text';
  return { file, users: Number(users), format, out: /** @type {string | undefined} */ (out), isQuiet: quiet === true };
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const { file, users, format, out, isQuiet } = parsePageOptions(args);
  await checkWritable(out);
  const text = await readInput(file);
  const progress = createProgress(isQuiet);
  const state = { completedCount: 0 };
  /** @param {number} share of the file; small ones are read before anybody could look */
  const onProgress = (share) => {
    if (share < 1) progress.start({ title: 'Reading', percent: Math.round(100 * share), state, messageCount: 1 });
  };
  const until = cancelOnSignals();
  const recording = await readRecording(text, { onProgress, until })
    .catch((error) => {
      throw until.aborted ? new RunError('The reading was stopped.') : error;
    })
    .finally(progress.end);
  const advice = adviseRecording(recording, { users });
  await writeOutput(FORMATS[format]({ recording, advice }), out);
  return EXIT.done;
}

/** @param {string} file @returns {Promise<string>} @throws {UsageError} if it cannot be read, or is too large */
async function readInput(file) {
  try {
    return decodeJsonFile(await (file === '-' ? readBytes(process.stdin) : readFile(file)));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `page: expected a HAR file that can be read, got ${quote(file)} (${/** @type {Error} */ (error).message})`,
    );
  }
}

/** @param {string} file */
async function readFile(file) {
  checkSize((await stat(file)).size);
  return readBytes(createReadStream(file));
}

/** Ends early where there is too much. @param {AsyncIterable<Buffer>} stream */
async function readBytes(stream) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    checkSize((size += chunk.length));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @param {number} bytes @throws {UsageError} */
function checkSize(bytes) {
  const problem = problemOfSize(bytes);
  if (problem) throw new UsageError(`page: ${problem}`);
}
