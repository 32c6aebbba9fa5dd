import { describeMarks, openDocument } from '../../core/documents/open-document.js';
import { element } from './element.js';

/** A result of 200,000 samples has some 10 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * @param {HTMLInputElement} input
 * @param {(result: import('../../core/result.js').Result, origin: string) => Promise<void>} show `origin` says where the
 *   result comes from
 */
export function mountSavedFile(input, show) {
  const problem = element('#saved-error', HTMLElement);

  input.addEventListener('change', async () => {
    const [file] = input.files ?? [];
    if (!file) return;
    problem.textContent = '';
    try {
      const { document: result, marks } = openDocument(await read(file), { nowMs: Date.now() });
      const { url } = result.environment;
      const source = `Read from ${file.name}: measured at ${url} on ${result.startedAt}, as reported by the file.`;
      await show(result, [source, describeMarks(marks)].filter(Boolean).join(' '));
    } catch (error) {
      problem.textContent = error instanceof RangeError ? error.message : `The file could not be shown: ${error}`;
    }
    // So that the same file may be chosen again.
    input.value = '';
  });
}

/**
 * @param {File} file
 * @returns {Promise<import('../../core/result.js').Result>}
 * @throws {RangeError} why it is none
 */
async function read(file) {
  if (file.size > MAX_BYTES) {
    throw new RangeError(`This is no run of SockShootout: expected at most ${MAX_BYTES} bytes, got ${file.size}`);
  }
  const [{ parseResult }, valibot] = await Promise.all([
    import('../../core/documents/parse-result.js'),
    import('../../vendor/valibot.js'),
  ]);
  return parseResult(await file.text(), valibot);
}
