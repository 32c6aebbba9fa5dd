/** The page that makes a link for several people, or a line for one's own pages: its buttons that copy them. */
import { showCopyButton } from '../ui/export-buttons.js';
import { element } from '../base/page.js';

const textOf = (/** @type {string} */ selector) => String(element(selector).textContent);

if (document.querySelector('#copy-link'))
  showCopyButton('#copy-link', () => element('#study-link a', HTMLAnchorElement).href, '#link-status');
if (document.querySelector('#copy-key')) {
  showCopyButton('#copy-line', () => textOf('#users-made'), '#made-status');
  showCopyButton('#copy-key', () => textOf('#users-key'), '#made-status');
}
