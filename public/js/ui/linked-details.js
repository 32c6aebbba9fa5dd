/**
 * Folded parts of a page that links lead to: one that is opened is in the page’s address, and one that the address
 * names is open.
 */
export function mountLinkedDetails() {
  const openNamed = () => {
    const named = document.getElementById(location.hash.slice(1));
    if (named instanceof HTMLDetailsElement) named.open = true;
  };
  for (const part of document.querySelectorAll('#details > details')) {
    part.addEventListener('toggle', () => {
      const { id, open } = /** @type {HTMLDetailsElement} */ (part);
      if (open) history.replaceState(history.state, '', `#${id}`);
      else if (location.hash === `#${id}`) history.replaceState(history.state, '', location.pathname + location.search);
    });
  }
  window.addEventListener('hashchange', openNamed);
  openNamed();
}
