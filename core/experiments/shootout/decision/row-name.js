import { isFallback, labelOf } from '../../../net/echo/labels.js';

/** @import { Row } from '../report.js' */

/**
 * A fallback is never called what it is not; one that was asked for has its own name.
 *
 * @param {Row} row
 * @returns {string}
 */
export function nameOf({ transport, protocols }) {
  return transport === 'sockjs' && protocols.some((protocol) => isFallback(transport, protocol))
    ? `${labelOf(transport)} over ${protocols.join(' and ')}`
    : labelOf(transport);
}
