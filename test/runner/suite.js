/** Runs a suite (suites.js): a line for each process, all that it said where it failed, and what came of all. */
import { loadAssets } from '../../server/assets.js';
import { COMPILE_CACHE, mayKeepCompiled } from '../../server/compile-cache.js';
import { readCpuSeconds } from './cpu.js';
import { listFiles, pack } from './pack.js';
import { findMissing, remedyFor } from './parts.js';
import { runFiles } from './process.js';
import { sortFailed } from './unsteady.js';

/**
 * @import { Queue } from './pack.js'
 * @import { Result } from './process.js'
 * @import { Suite } from './suites.js'
 * @import { Unsteady } from './unsteady.js'
 *
 * @typedef {(text: string) => unknown} Write
 */

const SLOWEST = 5;
/**
 * @param {Suite} suite
 * @param {{ updatesGolden?: boolean, write?: Write }} [options] `updatesGolden`: writes the golden files anew
 * @returns {Promise<boolean>} whether all passed, those that are unsteady at last; it has said so
 */
export async function runSuite(suite, { updatesGolden = false, write = (text) => process.stdout.write(text) } = {}) {
  const missing = await findMissing(suite.parts);
  if (missing.length > 0) {
    const remedy = remedyFor(missing, suite.command);
    process.stderr.write(`${suite.command} needs ${missing.join(', ')}. To get it:\n\n  ${remedy}\n\n`);
    return false;
  }
  const [startedAtMs, cpuBefore] = [performance.now(), readCpuSeconds()];
  // Once, and not by each of the servers that start at the same moment.
  await loadAssets();
  // A golden file is written by one test file after the other, in the order of their names.
  const stages = updatesGolden
    ? [[{ parcels: listFiles(suite).sort().map((file) => [file]), workers: 1 }]] // prettier-ignore
    : pack(suite);
  const env = {
    // All processes share it, those of test files, too.
    ...(mayKeepCompiled() && { NODE_COMPILE_CACHE: COMPILE_CACHE }),
    ...process.env,
    ...(updatesGolden && { UPDATE_GOLDEN: '1' }),
  };
  const results = await runStages(suite, stages, { env, write });
  const failed = results.filter(({ isPassed }) => !isPassed);
  const { unsteady, broken } = suite.isFacts
    ? { unsteady: [], broken: failed.flatMap(({ failedFiles }) => failedFiles) }
    : await sortFailed(failed, async (file) => {
        const again = await runFiles([file], runOptionsOf(suite, [file]));
        write(describeResult(again, 'again'));
        return again;
      });
  const seconds = (performance.now() - startedAtMs) / 1000;
  const cpuAfter = readCpuSeconds();
  const cpuSeconds = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  write(summarize(suite, { results, unsteady, broken, seconds, cpuSeconds }));
  return results.length > 0 && broken.length === 0;
}

/**
 * @param {Suite | undefined} suite
 * @param {readonly string[]} files of it, for one process
 */
export const runOptionsOf = (suite, files) => ({
  limitMs: suite?.limitMs,
  isApart: files.some((file) => suite?.apart?.includes(file)),
});

/**
 * @param {Suite} suite
 * @param {readonly Queue[][]} stages
 * @param {{ env: NodeJS.ProcessEnv, write: Write }} options
 * @returns {Promise<Result[]>}
 */
async function runStages(suite, stages, { env, write }) {
  const count = stages.flat().reduce((sum, { parcels }) => sum + parcels.length, 0);
  /** @type {Result[]} */
  const results = [];
  const work = async (/** @type {string[][]} */ parcels) => {
    const site = suite.hasBrowser ? await (await import('./shared-site.js')).openSharedSite() : undefined;
    try {
      for (let files = parcels.shift(); files !== undefined; files = parcels.shift()) {
        const result = await runFiles(files, { env: { ...env, ...site?.env }, ...runOptionsOf(suite, files) });
        results.push(result);
        write(describeResult(result, `${results.length}/${count}`));
      }
    } finally {
      await site?.close();
    }
  };
  for (const queues of stages) {
    const workers = queues.flatMap(({ parcels, workers: most }) =>
      Array.from({ length: Math.min(most, parcels.length) }, () => work(parcels)),
    );
    await Promise.all(workers);
  }
  return results;
}

/**
 * @param {Result} result
 * @param {string} place which of how many
 * @returns {string} a line, and where it failed all that it said
 */
function describeResult({ files, isPassed, testCount, seconds, cpuSeconds, output }, place) {
  const label = files.length === 1 ? files[0] : `${files.length} files, ${files[0]} to ${files.at(-1)}`;
  const time = `${seconds.toFixed(1)} s${cpuSeconds === undefined ? '' : `, ${cpuSeconds.toFixed(1)} s of CPU`}`;
  const line = `${isPassed ? '✔' : '✖'} ${place} ${label}: ${testCount} tests, ${time}\n`;
  return isPassed ? line : `${line}${output}\n`;
}

/**
 * @param {Pick<Suite, 'command'>} suite
 * @param {{ results: readonly Result[], unsteady: readonly Unsteady[], broken: readonly string[], seconds: number, cpuSeconds?:
 *   number }} outcome
 * @returns {string} lines
 */
function summarize({ command }, { results, unsteady, broken, seconds, cpuSeconds }) {
  const testCount = results.reduce((sum, result) => sum + result.testCount, 0);
  const fileCount = results.reduce((sum, { files }) => sum + files.length, 0);
  const slowest = results
    .flatMap(({ secondsByFile }) => Object.entries(secondsByFile))
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([file, time]) => `  ${time.toFixed(1)} s  ${file}`);
  const cpu = cpuSeconds === undefined ? '' : `, ${cpuSeconds.toFixed(0)} s of CPU`;
  const failures = broken.length > 0 ? `; failures in: ${broken.join(', ')}` : '';
  return [
    '\nThe slowest files:',
    ...slowest,
    `${command}: ${testCount} tests of ${fileCount} files passed in ${seconds.toFixed(0)} s${cpu}${failures}`,
    ...unsteady.map(({ file, failure }) => `unsteady: ${file}: ${failure}`),
    '',
  ].join('\n');
}
