/** How a recording comes to the page: dropped, chosen, pasted, or the example; and what is shown while it is read. */
import { InvalidInputError } from '../../../../core/base/foreign-text.js';
import { asClause, capitalize } from '../../../../core/base/format.js';
import { problemOfPasted, problemOfSize } from '../../../../core/recording/file-size.js';
import { element, nextPaint, onSubmit } from '../../base/page.js';
import { createReader } from './reader.js';

/**
 * @import { Asked } from '../../later/recording-worker.js'
 * @import { Recording } from '../../../../core/recording/recording.js'
 */

/** The name of the example, where a file has its own. */
export const EXAMPLE = 'Example';
const PASTED = 'Pasted recording';

/** @param {(recording: Recording, name: string) => void} onRead `name`: of the file */
export function mountOpenForm(onRead) {
  const reader = createReader();
  const input = element('#recording-file', HTMLInputElement);
  const pasted = element('#pasted', HTMLTextAreaElement);
  let readings = 0;

  /** Reads a file in place of one that is being read. @param {Asked} asked @param {string} name @returns {Promise<boolean>} is it shown? */
  const read = async (asked, name) => {
    const reading = ++readings;
    say('');
    showReading(name);
    try {
      const recording = await reader.read(asked, showShare);
      if (recording) onRead(recording, name);
      return recording !== undefined;
    } catch (error) {
      say(
        `${error instanceof InvalidInputError ? asClause(error.message) : 'The file could not be read'}. Choose another file.`,
      );
      if (!(error instanceof InvalidInputError)) reportError(error);
      return false;
    } finally {
      if (reading === readings) showReading();
    }
  };
  /** @param {File | null | undefined} file */
  const readFile = (file) => {
    if (!file) return undefined;
    const problem = problemOfSize(file.size);
    return problem ? say(`${capitalize(problem)}.`) : read({ file }, file.name);
  };
  /** @param {string} text @returns {Promise<boolean>} is it shown? */
  const readText = async (text) => {
    const problem = problemOfPasted(text);
    if (!problem) return read({ text }, PASTED);
    say(`${capitalize(problem)}.`);
    return false;
  };

  input.addEventListener('change', async () => {
    await readFile(input.files?.[0]);
    // The same file may then be chosen again.
    input.value = '';
  });
  element('#choose-file').addEventListener('click', () => input.click());
  element('#try-example').addEventListener('click', () => read({ isExample: true }, EXAMPLE));
  element('#cancel-reading').addEventListener('click', async () => {
    reader.cancel();
    await nextPaint();
    element(isShown() ? '#other-file' : '#choose-file').focus();
  });
  onSubmit('#paste-form', async () => {
    if (pasted.value.trim() === '') return say('Expected the text of a HAR file, got nothing. Paste it, then read it.');
    if (await readText(pasted.value)) pasted.value = '';
  });
  mountDrop(readFile);
  mountPaste({ readFile, readText });
  return { chooseOther: () => input.click() };
}

/** @param {string} words */
function say(words) {
  element('#recording-problem').textContent = words;
  arrange();
}

/** Is a recording shown? */
const isShown = () => !element('#recording').hidden;

/** Where a recording is shown, another is dropped anywhere on the page: the frame is there only while there is more to say. */
function arrange() {
  const hasMore = !element('#reading').hidden || element('#recording-problem').textContent !== '';
  element('#recording-open').hidden = isShown() && !hasMore;
}

/** @param {string} [name] of what is read; absent when nothing is */
function showReading(name) {
  const isReading = name !== undefined;
  element('#reading').hidden = !isReading;
  element('#drop-buttons').hidden = isReading;
  element('#drop').toggleAttribute('aria-busy', isReading);
  element('#other-file', HTMLButtonElement).disabled = isReading;
  arrange();
  if (!isReading) return;
  showShare(0);
  element('#reading-text').textContent = `Reading ${name}`;
  element('#cancel-reading').focus();
}

/** @param {number} share */
function showShare(share) {
  element('#reading-progress', HTMLProgressElement).value = share;
}

/** A file may be dropped anywhere on the page: beside its frame, a browser would open it. @param {(file?: File) => void} readFile */
function mountDrop(readFile) {
  const mark = (/** @type {boolean} */ isOver) => element('#main').classList.toggle('over', isOver);
  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) mark(false);
  });
  document.addEventListener('drop', (event) => {
    mark(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    readFile(file);
  });
}

/**
 * Pasting works on the whole page, but in a field it writes into that.
 * @param {{ readFile: (file: File) => void, readText: (text: string) => void }} readers
 */
function mountPaste({ readFile, readText }) {
  document.addEventListener('paste', ({ target, clipboardData }) => {
    if (target instanceof Element && target.closest('input, textarea')) return;
    const [file] = clipboardData?.files ?? [];
    const text = clipboardData?.getData('text/plain') ?? '';
    if (file) readFile(file);
    else if (text.trim() !== '') readText(text);
  });
}
