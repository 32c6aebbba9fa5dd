/** Opens a saved run on the home page, from a file. */
import { decodeJsonFile, InvalidInputError } from '../../../../core/base/foreign-text.js';
import { element } from '../../base/page.js';
import { siteUrl } from '../../site-url.js';

/** @import { ShownRun } from '../../test-page.js' */

const MIB = 1024 * 1024;
/** The maximum size of a file: a result of 200,000 samples has some 10 MB. */
const MAX_MIB = 64;

/** Lets the visitor open a file that was exported before. @param {(run: ShownRun) => Promise<void>} open */
export function mountSavedFile(open) {
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
      const origin = [source, contradictions].filter(Boolean).join(' ');
      await open({ documents: [result], servers: [{ name: '', url: siteUrl }], origin });
    } catch (error) {
      problem.textContent = `${error instanceof InvalidInputError ? error.message : 'The file cannot be shown'}. Choose another file.`;
      if (!(error instanceof InvalidInputError)) reportError(error);
    }
    // The same file may then be chosen again.
    input.value = '';
  });
}

/** @param {File} file */
async function readFile(file) {
  const mib = Math.ceil(file.size / MIB);
  if (mib > MAX_MIB) {
    throw new InvalidInputError(`This file is not a SockShootout run: expected at most ${MAX_MIB} MiB, got ${mib} MiB`);
  }
  const [{ readRun }, bytes] = await Promise.all([import('../../later/read-run.js'), file.arrayBuffer()]);
  const read = readRun(decodeJsonFile(new Uint8Array(bytes)));
  if ('problem' in read) throw new InvalidInputError(read.problem);
  return read;
}
