/** The line of HTML that a page needs to have its users measured. */

/**
 * @param {string} site its URL without a slash @param {{ label: string, sample: number }} study
 * @returns {string} HTML
 */
export const formatLine = (site, { label, sample }) =>
  `<script type="module" src="${escapeHtml(site)}/field.js" data-study="${escapeHtml(label)}" data-sample="${formatSample(sample)}"></script>`;

/** @param {number} sample above 0 to 1 @returns {string} like '1%' */
export const formatSample = (sample) => `${Number((100 * sample).toPrecision(6))}%`;

/**
 * @param {string | undefined} text like '1%' or '0.01' @returns {number | undefined} a share of browsers from 0 to 1; absent for
 *   anything else
 */
export function parseSample(text) {
  const [, digits, percent] = /^\s*(\d{1,3}(?:\.\d{1,9})?)\s*(%?)\s*$/.exec(text ?? '') ?? [];
  if (digits === undefined) return undefined;
  const share = Number(digits) / (percent ? 100 : 1);
  return share <= 1 ? share : undefined;
}

/** @param {string} text @returns {string} for an attribute between double quotes */
const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
