/** The page that makes a link for several people, or a line for one's own pages: its buttons that copy them. */
import { mountCopyButton } from '../ui/export-buttons.js';
import { element } from '../base/page.js';

/** @param {string} selector of the button @param {() => string} source @param {string} status */
function show(selector, source, status) {
  mountCopyButton(selector, source, status);
  element(selector).hidden = false;
}

const textOf = (/** @type {string} */ selector) => String(element(selector).textContent);

if (document.querySelector('#copy-link'))
  show('#copy-link', () => element('#study-link a', HTMLAnchorElement).href, '#link-status');
if (document.querySelector('#copy-key')) {
  show('#copy-line', () => textOf('#users-made'), '#made-status');
  show('#copy-key', () => textOf('#users-key'), '#made-status');
}
