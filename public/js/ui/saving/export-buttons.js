import { element } from '../element.js';

/** @import { Planned } from '../../../../core/experiment/contract.js' */

/**
 * Buttons that take a result along. Each source is asked when its button is pressed; what came of it is said in
 * `#export-status`, or where a button's own status is.
 */
const STATUS = '#export-status';

/**
 * @param {string} selector of the button
 * @param {() => string} source
 * @param {string} [status] selector of where to say what came of it
 */
export function mountCopyButton(selector, source, status = STATUS) {
  const otherwise = status === STATUS ? ' Download the JSON instead.' : '';
  element(selector, HTMLButtonElement).addEventListener('click', async () => {
    say((await copy(source())) ? 'Copied.' : `This browser does not let the page copy.${otherwise}`, status);
  });
}

/**
 * @param {string} selector of the button
 * @param {{ type: string, text: () => string, fileName: () => string }} source
 */
export function mountDownloadButton(selector, { type, text, fileName }) {
  element(selector, HTMLButtonElement).addEventListener('click', () => {
    const url = URL.createObjectURL(new Blob([text()], { type }));
    const link = Object.assign(document.createElement('a'), { href: url, download: fileName() });
    link.click();
    URL.revokeObjectURL(url);
    say(`Saved as ${link.download}.`);
  });
}

/**
 * The buttons of `views/partials/experiment-exports.ejs`.
 *
 * @param {Planned} experiment
 * @param {() => any} shown the document on the page
 */
export function mountExports({ name, formatCsv, formatMarkdown, formatPlan }, shown) {
  const fileName = (/** @type {string} */ ending) => () =>
    `sockshootout-${name}-${shown().startedAt.replace(/[:.]/g, '-')}.${ending}`;
  const json = () => `${JSON.stringify(shown())}\n`;
  mountDownloadButton('#download-json', { type: 'application/json', text: json, fileName: fileName('json') });
  mountDownloadButton('#download-csv', { type: 'text/csv', text: () => formatCsv(shown()), fileName: fileName('csv') });
  mountCopyButton('#copy-markdown', () => formatMarkdown(shown()));
  mountCopyButton('#copy-link', () => `${shown().environment.url}?${formatPlan(shown().plan)}`);
}

/** @param {string} words @param {string} [status] */
function say(words, status = STATUS) {
  element(status, HTMLElement).textContent = words;
}

/** @param {string} text @returns {Promise<boolean>} whether it is on the clipboard now */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain http away from localhost there is no clipboard object; the old command still works there.
    return copyBySelection(text);
  }
}

/** @param {string} text */
function copyBySelection(text) {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
