import { element } from './element.js';

/**
 * The buttons that take a result along.
 *
 * @param {{ markdown: () => string, json: () => string, fileName: () => string }} sources asked when a button is pressed
 */
export function mountExportButtons({ markdown, json, fileName }) {
  const status = element('#export-status', HTMLElement);

  element('#copy', HTMLButtonElement).addEventListener('click', async () => {
    status.textContent = (await copy(markdown()))
      ? 'Copied.'
      : 'This browser does not let the page copy. Download the JSON instead.';
  });

  element('#download', HTMLButtonElement).addEventListener('click', () => {
    const url = URL.createObjectURL(new Blob([json()], { type: 'application/json' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: fileName() });
    link.click();
    URL.revokeObjectURL(url);
    status.textContent = `Saved as ${link.download}.`;
  });
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it is on the clipboard now
 */
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
