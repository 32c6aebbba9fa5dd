/** Answers that the home page shows again: of the last run, and of one in a file. */
import { decodeJsonFile, InvalidInputError } from '../../../../core/base/foreign-text.js';
import { createKeptRun } from '../kept-run.js';
import { element } from '../../base/page.js';

/** @import { Measured } from '../../run/home-parts.js' */
/** @import { MeasuredServer } from './servers.js' */

export const keptRun = createKeptRun('home');

const MIB = 1024 * 1024;
/** The maximum size of a file: a result of 200,000 samples has some 10 MB. */
const MAX_MIB = 64;

/**
 * @typedef {{ results: Measured[], servers: readonly MeasuredServer[], origin?: string }} LastRun of this tab: one
 *   result of each server; `origin`: where it comes from, if it was not measured here
 */

/** @returns {Promise<LastRun | undefined>} none on a new visit, or if it was not kept, or is broken */
export async function readLastRun() {
  const kept = keptRun.read();
  if (!kept) return undefined;
  try {
    const read = await loadReader();
    const results = kept.results.map((/** @type {unknown} */ one) => read(JSON.stringify(one)).result);
    /** @type {MeasuredServer[]} */
    const servers = kept.servers.map((/** @type {MeasuredServer} */ { name, url }) => ({ name, url }));
    const { origin } = kept;
    return results.length > 0 && results.length === servers.length ? { results, servers, origin } : undefined;
  } catch {
    return undefined;
  }
}

/** @param {(result: Measured, origin: string) => Promise<void>} show `origin`: where the result comes from */
export function mountSavedFile(show) {
  const input = element('#saved', HTMLInputElement);
  const problem = element('#saved-error');
  input.addEventListener('change', async () => {
    const [file] = input.files ?? [];
    if (!file) return;
    problem.textContent = '';
    try {
      const { result, contradictions } = await readFile(file);
      const { url } = result.environment;
      const source = `Read from ${file.name}: measured at ${url} on ${result.startedAt}, as reported by the file.`;
      await show(result, [source, contradictions].filter(Boolean).join(' '));
    } catch (error) {
      problem.textContent = `${error instanceof InvalidInputError ? error.message : 'The file cannot be shown'}. Choose another file.`;
      if (!(error instanceof InvalidInputError)) reportError(error);
    }
    // The same file may then be chosen again.
    input.value = '';
  });
}

/** @returns {Promise<(text: string) => { result: Measured, contradictions: string }>} throws an InvalidInputError */
async function loadReader() {
  const { readRun } = await import('../../later/read-run.js');
  return (text) => {
    const read = readRun(text);
    if ('problem' in read) throw new InvalidInputError(read.problem);
    return read;
  };
}

/** @param {File} file */
async function readFile(file) {
  const mib = Math.ceil(file.size / MIB);
  if (mib > MAX_MIB) {
    throw new InvalidInputError(`This file is not a SockShootout run: expected at most ${MAX_MIB} MiB, got ${mib} MiB`);
  }
  const [read, bytes] = await Promise.all([loadReader(), file.arrayBuffer()]);
  return read(decodeJsonFile(new Uint8Array(bytes)));
}
