/** @import { MeasuredServer } from '../../run/measure-here.js' */

/**
 * Which servers are measured: the page's own, and others that its operator lists.
 *
 * @param {{ onChange: () => void }} options
 * @returns {{ isOffered: boolean, chosen(): MeasuredServer[], leaveOut(server: MeasuredServer, reason: string): void }} `isOffered` where
 *   there is more than the page's own
 */
export function createServerChoice({ onChange }) {
  const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[name=server]'))];
  for (const box of boxes) {
    const reason = reasonAgainst(originOf(box));
    box.disabled = reason !== '';
    note(box, reason);
    box.addEventListener('change', () => {
      note(box, '');
      onChange();
    });
  }

  return {
    isOffered: boxes.length > 0,
    chosen() {
      if (boxes.length === 0) return [{ name: 'The server', origin: location.origin }];
      return boxes
        .filter(({ checked, disabled }) => checked && !disabled)
        .map((box) => ({ name: String(box.dataset.name), origin: originOf(box) }));
    },
    leaveOut({ origin }, reason) {
      for (const box of boxes.filter((one) => originOf(one) === origin)) {
        box.checked = false;
        note(box, reason);
      }
    },
  };
}

/**
 * @param {HTMLInputElement} box
 * @param {string} reason why it cannot be chosen, or was left out; stays until it is tried again
 */
function note(box, reason) {
  const small = box.parentElement?.querySelector('small');
  if (small) small.textContent = reason && ` (${reason})`;
}

/** @param {HTMLInputElement} box whose value is empty for the page's own server */
function originOf({ value }) {
  return value || location.origin;
}

/** @param {string} origin @returns {string} why a browser forbids the combination; empty where it does not */
function reasonAgainst(origin) {
  const { protocol, hostname } = new URL(origin);
  // What is on the visitor's own machine may be asked without TLS: https://w3c.github.io/webappsec-secure-contexts/#localhost
  const isLocal = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
  if (location.protocol === 'https:' && protocol === 'http:' && !isLocal) {
    return 'this page came by https, from which browsers ask no server without it';
  }
  return '';
}
