/** Which files of a suite share a process, and which processes run at the same time. */
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** @import { Suite } from './suites.js' */

/**
 * @typedef {object} Queue
 * @property {string[][]} parcels the files of each process, in the order in which these start
 * @property {number} workers how many of them at a time
 */

/**
 * @param {Suite} suite
 * @returns {string[]} its files by folder, then by name
 */
export function listFiles({ folders, except = [] }) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file).split(path.sep).join('/'))
      .sort(),
  );
  return [...new Set(files)].filter(
    (file) => file.endsWith('.test.js') && !except.some((folder) => file.startsWith(`${folder}/`)),
  );
}

/**
 * @param {Suite} suite
 * @returns {Queue[][]} one stage after the other; the queues of a stage at the same time
 * @throws {Error} where the suite names a file that it has not
 */
export function pack(suite) {
  const { workers, alone = [], first = [], waiting = [], waitingWorkers = 1, filesPerProcess = 1 } = suite;
  const files = listFiles(suite);
  const named = [...alone, ...first, ...waiting];
  const unknown = [...named, ...(suite.apart ?? [])].find((file) => !files.includes(file));
  if (unknown !== undefined) throw new Error(`test/runner/suites.js: expected a test file, got '${unknown}'`);
  const others = files.filter((file) => !named.includes(file));
  const single = (/** @type {readonly string[]} */ those) => those.map((file) => [file]);
  const dealt = (/** @type {readonly string[]} */ those, /** @type {number} */ least) =>
    deal(those, Math.max(least, Math.ceil(those.length / filesPerProcess)));
  const stages = [
    [{ parcels: single(alone), workers: 1 }],
    [
      { parcels: [...single(first), ...dealt(others, workers)], workers },
      { parcels: dealt(waiting, waitingWorkers), workers: waitingWorkers },
    ],
  ];
  return stages
    .map((queues) => queues.filter(({ parcels }) => parcels.length > 0))
    .filter((queues) => queues.length > 0);
}

/**
 * Like cards: what takes long lies in the same folders.
 *
 * @param {readonly string[]} files
 * @param {number} count of parcels
 * @returns {string[][]} none that is empty
 */
function deal(files, count) {
  /** @type {string[][]} */
  const parcels = Array.from({ length: Math.min(count, files.length) }, () => []);
  for (const [index, file] of files.entries()) parcels[index % parcels.length].push(file);
  return parcels;
}
