/**
 * The element that a page's script cannot do without.
 *
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
export function element(selector, type) {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new TypeError(`Expected a ${type.name} at ${selector}, got ${found}`);
  return found;
}
