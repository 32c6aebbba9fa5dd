import { CSV_FILE_START } from '../../../core/base/foreign-text.js';
import { exportOf } from '../../../core/experiment/documents/export.js';
import { planPath } from '../../../core/experiment/run/open-run.js';
import { formatMarkdown } from '../../../core/experiment/report/report.js';
import { create, element } from '../base/page.js';
import { at, linkOrigin } from '../site-url.js';

/** @import { Experiment } from '../../../core/experiment/contract.js' */
/** @import { Summarized } from '../../../core/experiment/report/findings.js' */

/** The place that shows the outcome of a press, unless a button has its own status. */
const STATUS = '#export-status';
const TYPES = {
  json: { type: 'application/json', start: '' },
  csv: { type: 'text/csv', start: CSV_FILE_START },
  md: { type: 'text/markdown', start: '' },
};

/**
 * @param {string} selector of the button @param {() => string} source
 * @param {string} [status] selector of the place that shows the outcome
 */
export function mountCopyButton(selector, source, status = STATUS) {
  const otherwise = status === STATUS ? ' Download the JSON instead.' : ' Select the text and copy it.';
  element(selector).addEventListener('click', async () => {
    element(status).textContent = (await copy(source())) ? 'Copied.' : `This browser blocks copying.${otherwise}`;
  });
}

/** Shows a button that only a script can serve. @type {typeof mountCopyButton} */
export function showCopyButton(selector, source, status) {
  mountCopyButton(selector, source, status);
  element(selector).hidden = false;
}

/** Shows each button that copies the code beneath it. */
export function showCodeButtons() {
  for (const { id } of document.querySelectorAll('.code-sides > [id]'))
    showCopyButton(`#${id} button`, () => String(element(`#${id} pre`).textContent), `#${id} [role='status']`);
}

/**
 * @param {string} selector of the button
 * @param {{ type: keyof typeof TYPES, name: () => string, text: () => string, startedAt?: () => string }} source `name`
 *   and `startedAt`, in ISO 8601, go into the file's name
 */
export function mountFileButton(selector, { type, name, text, startedAt = () => '' }) {
  element(selector).addEventListener('click', () => {
    const { start, ...options } = TYPES[type];
    const url = URL.createObjectURL(new Blob([start, text()], options));
    const parts = ['sockshootout', name(), startedAt().replace(/[:.]/g, '-')];
    const link = create('a', { href: url, download: `${parts.filter(Boolean).join('-')}.${type}` });
    link.click();
    URL.revokeObjectURL(url);
    element(STATUS).textContent = `Downloaded ${link.download}.`;
  });
}

/** Closes the menu of the buttons when one is pressed, or anything outside it, or Escape. */
export function mountMenu() {
  const menu = element('#exports', HTMLDetailsElement);
  const summary = element('#exports > summary');
  const close = (/** @type {Event} */ { target }) => {
    if (!menu.open || summary.contains(/** @type {Node} */ (target))) return;
    if (menu.contains(/** @type {Node} */ (target))) summary.focus();
    menu.open = false;
  };
  document.addEventListener('click', close);
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    summary.focus();
    menu.open = false;
  });
}

/**
 * The buttons that export a run with a plan.
 * @param {object} exported
 * @param {() => Experiment} exported.described what describes the document
 * @param {() => any} exported.shown the document on the page
 * @param {string} [exported.fileName] in the names of files; by default the experiment's name
 */
export function mountExports({ described, shown, fileName }) {
  mountMenu();
  const file = { name: () => fileName ?? described().name, startedAt: () => shown().startedAt };
  mountFileButton('#download-json', { ...file, type: 'json', text: () => formatJson(described(), shown()) });
  mountFileButton('#download-csv', { ...file, type: 'csv', text: () => described().formatCsv(shown()) });
  mountCopyButton('#copy-markdown', () => formatMarkdown(described(), shown()));
  mountCopyButton('#copy-link', () => linkOrigin() + at(planPath(described(), shown())));
}

/** @param {Summarized} experiment @param {any} document @returns {string} JSON */
export const formatJson = (experiment, document) => `${JSON.stringify(exportOf(experiment, document))}\n`;

/** @param {string} text @returns {Promise<boolean>} whether it is on the clipboard now */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The Clipboard API does not exist over plain http away from localhost; the old command still works there.
    return copyBySelection(text);
  }
}

/** @param {string} text */
function copyBySelection(text) {
  const area = create('textarea', {}, text);
  // What is not in an open sheet cannot be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
