import { transports } from '../../../core/net/echo/index.js';

/** @import { Transport } from '../../../core/net/echo/index.js' */

/**
 * All transports, to a server.
 * @param {{ $?: JQueryStatic, SockJS?: typeof import('sockjs-client') }} libraries
 * @param {string} [origin] of the server; default: the page's own
 * @returns {Record<string, Transport>} by name
 */
export function createTransports({ $, SockJS }, origin = location.origin) {
  return Object.fromEntries(
    Object.entries(transports).map(([name, { create, endpoint }]) => {
      const library = name === 'ajax' ? $ : name.startsWith('sockjs') ? SockJS : undefined;
      return [name, create({ library, url: origin + endpoint })];
    }),
  );
}
