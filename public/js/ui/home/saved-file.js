import { element } from '../element.js';

/** @import { Result } from '../../../../core/experiments/shootout/measure.js' */

/** A result of 200,000 samples has some 10 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * @param {(result: Result, origin: string) => Promise<void>} show `origin` says where the result comes from
 */
export function mountSavedFile(show) {
  const input = element('#saved', HTMLInputElement);
  const problem = element('#saved-error');

  input.addEventListener('change', async () => {
    const [file] = input.files ?? [];
    if (!file) return;
    problem.textContent = '';
    try {
      const { result, contradictions } = await read(file);
      const { url } = result.environment;
      const source = `Read from ${file.name}: measured at ${url} on ${result.startedAt}, as reported by the file.`;
      await show(result, [source, contradictions].filter(Boolean).join(' '));
    } catch (error) {
      problem.textContent = error instanceof RangeError ? error.message : `The file could not be shown: ${error}`;
    }
    // So that the same file may be chosen again.
    input.value = '';
  });
}

/**
 * @param {File} file
 * @returns {Promise<{ result: Result, contradictions: string }>} what cannot be true of it, in words; empty where it
 *   may be
 * @throws {RangeError} why it is none
 */
async function read(file) {
  if (file.size > MAX_BYTES) {
    throw new RangeError(`This is no run of SockShootout: expected at most ${MAX_BYTES} bytes, got ${file.size}`);
  }
  const [{ readRun }, text] = await Promise.all([import('../../later/read-run.js'), file.text()]);
  return readRun(text);
}
