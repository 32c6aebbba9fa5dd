/**
 * A picture as a tree, so that the server writes it as text and a page builds it as elements: in neither can a name that
 * somebody typed become markup.
 */

/**
 * @typedef {object} SvgNode
 * @property {string} tag
 * @property {Record<string, string | number>} attributes
 * @property {(SvgNode | string)[]} children
 */

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(SvgNode | string)} children
 * @returns {SvgNode}
 */
export function node(tag, attributes = {}, ...children) {
  return { tag, attributes, children };
}

/** @param {SvgNode | string} tree @returns {string} its markup */
export function toMarkup(tree) {
  if (typeof tree === 'string') return escape(tree);
  const attributes = Object.entries(tree.attributes).map(([name, value]) => ` ${name}="${escape(String(value))}"`);
  return `<${tree.tag}${attributes.join('')}>${tree.children.map(toMarkup).join('')}</${tree.tag}>`;
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
