/** The folded parts of a result, by the page’s address. */

/** Links the folded parts: one that is opened is in the page’s address, and one that the address names is open. */
export function mountLinkedDetails() {
  const openNamed = () => {
    const named = document.getElementById(location.hash.slice(1));
    if (named instanceof HTMLDetailsElement) named.open = true;
  };
  // Events of folded parts do not bubble.
  const onToggle = (/** @type {Event} */ { target }) => {
    const { id, open } = /** @type {HTMLDetailsElement} */ (target);
    if (!id) return;
    if (open) history.replaceState(history.state, '', `#${id}`);
    else if (location.hash === `#${id}`) history.replaceState(history.state, '', location.pathname + location.search);
  };
  document.querySelector('#details')?.addEventListener('toggle', onToggle, { capture: true });
  window.addEventListener('hashchange', openNamed);
  openNamed();
}
