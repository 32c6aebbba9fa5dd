/**
 * The element that a page's script cannot do without.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector @param {new () => T} [type] @returns {T}
 */
export function element(selector, type = /** @type {any} */ (HTMLElement)) {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new TypeError(`Expected a ${type.name} at ${selector}, got ${found}`);
  return found;
}

/** @param {string} selector @returns {HTMLInputElement[]} all inputs that it finds */
export const inputs = (selector) => [
  .../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(selector)),
];

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, string>} [attributes] @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]} on no page yet
 */
export function create(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @param {readonly string[]} texts @returns {HTMLLIElement[]} an item of a list for each */
export const createItems = (texts) => texts.map((text) => create('li', {}, text));

/** @param {string} form selector @param {() => void} submit is called in place of sending the form */
export function onSubmit(form, submit) {
  element(form).addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
}
