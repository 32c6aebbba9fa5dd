/**
 * What a process of test files says: what the spec reporter says, for people, with a line where a file begins or has failed, and a
 * last line with the facts, for the runner.
 */
import path from 'node:path';
import { Readable } from 'node:stream';
import { spec as Spec } from 'node:test/reporters';
import { readCpuSeconds } from './cpu.js';

/**
 * @typedef {object} Facts
 * @property {number} passedCount of tests; suites are not counted
 * @property {number} failedCount of tests that failed, were cancelled, or were not run: skipped, or to be written
 * @property {string} [failure] the first: which test, and why
 * @property {string[]} failedFiles
 * @property {Record<string, number>} secondsByFile
 * @property {number} [cpuSeconds] of the process and of those that it started; absent where the system does not say
 */

const MARK = 'facts of this process: ';
const BEGINS = 'file: ';
const FAILS = 'failed: ';
/** Characters of an error's message: all of it is in what people read. */
const MAX_REASON = 300;

/**
 * @param {AsyncIterable<any>} events of the test runner of Node.js
 * @returns {AsyncGenerator<string>}
 */
export default async function* report(events) {
  /** @type {Facts} */
  const facts = { passedCount: 0, failedCount: 0, failedFiles: [], secondsByFile: {} };
  const spec = new Spec();
  const counted = async function* () {
    let current = '';
    for await (const event of events) {
      const { type, data } = event;
      if (type === 'test:dequeue' && data.nesting === 0 && fileOf(data) !== current) {
        current = fileOf(data);
        spec.push(`${BEGINS}${current}\n`);
      }
      const known = facts.failedFiles.length;
      count(event, facts);
      for (const file of facts.failedFiles.slice(known)) spec.push(`${FAILS}${file}\n`);
      yield event;
    }
  };
  yield* Readable.from(counted()).pipe(spec);
  yield `${MARK}${JSON.stringify({ ...facts, cpuSeconds: readCpuSeconds() })}\n`;
}

/** @param {any} event @param {Facts} facts */
function count({ type, data }, facts) {
  if (type !== 'test:pass' && type !== 'test:fail') return;
  const { name, nesting, details, skip, todo } = data;
  const isSuite = details.type === 'suite';
  const relative = fileOf(data);
  if (nesting === 0) {
    facts.secondsByFile[relative] = (facts.secondsByFile[relative] ?? 0) + details.duration_ms / 1000;
  }
  if (type === 'test:fail' || skip !== undefined || todo !== undefined) {
    facts.failedCount++;
    if (!facts.failedFiles.includes(relative)) facts.failedFiles.push(relative);
    // A suite fails after the test in it that did.
    facts.failure ??= `${name}: ${inOneLine(details.error?.cause?.message ?? details.error?.message ?? 'not run')}`;
  } else if (!isSuite) {
    facts.passedCount++;
  }
}

/** @param {{ file?: string }} data of an event */
const fileOf = ({ file = '' }) => path.relative(process.cwd(), file);

/** @param {string} text */
const inOneLine = (text) => text.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_REASON);

/**
 * @param {string} line of what a process says
 * @returns {string | undefined} the file that begins there; one whose first test blocks the process is never named
 */
export const readBeginning = (line) => (line.startsWith(BEGINS) ? line.slice(BEGINS.length) : undefined);

/** @param {string} line of what a process says @returns {string | undefined} the file of which a test has failed */
export const readFailure = (line) => (line.startsWith(FAILS) ? line.slice(FAILS.length) : undefined);

/**
 * @param {string} output of a process
 * @returns {{ text: string, facts?: Facts }} what it said to people, and to the runner; no facts where it broke off
 */
export function readOutput(output) {
  const at = output.lastIndexOf(MARK);
  if (at < 0) return { text: output };
  const [line, ...others] = output.slice(at + MARK.length).split('\n');
  return { text: output.slice(0, at) + others.join('\n'), facts: JSON.parse(line) };
}
