/**
 * A file that fails once and then passes twice, by itself, is unsteady: the suite passes, and says so. Where many fail, none
 * is excused.
 */

/** @import { Result } from './process.js' */

const MAX_UNSTEADY = 3;
/** How often a file must pass by itself, after it failed among others. */
const PASSES = 2;

/**
 * @typedef {{ file: string, failure: string }} Unsteady `failure`: the first
 */

/**
 * Runs each file that failed again, by itself.
 *
 * @param {readonly Pick<Result, 'failedFiles' | 'failure'>[]} failed
 * @param {(file: string) => Promise<Result>} runAgain
 * @returns {Promise<{ unsteady: Unsteady[], broken: string[] }>} the files by what they are; where more failed than may be
 *   unsteady, none is run again
 */
export async function sortFailed(failed, runAgain) {
  /** @type {Unsteady[]} */
  const unsteady = [];
  /** @type {string[]} */
  const broken = [];
  const files = failed.flatMap(withFailure);
  const isHopeless = files.length > MAX_UNSTEADY;
  for (const [file, failure] of files) {
    if (!isHopeless && (await passesAgain(file, runAgain))) unsteady.push({ file, failure });
    else broken.push(file);
  }
  return { unsteady, broken };
}

/** @param {Pick<Result, 'failedFiles' | 'failure'>} process @returns {(readonly [file: string, failure: string])[]} */
const withFailure = ({ failedFiles, failure = '' }) =>
  failedFiles.map((file) => /** @type {const} */ ([file, failure]));

/** @param {string} file @param {(file: string) => Promise<Result>} runAgain */
async function passesAgain(file, runAgain) {
  for (let i = 0; i < PASSES; i++) {
    if (!(await runAgain(file)).isPassed) return false;
  }
  return true;
}
