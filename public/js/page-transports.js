import { transports } from '../core/transports/index.js';

/**
 * All transports, to this site.
 *
 * @param {{ $?: JQueryStatic, SockJS?: typeof import('sockjs-client') }} libraries
 * @returns {Record<string, import('../core/transports/index.js').Transport>} by name
 */
export function createTransports({ $, SockJS }) {
  return Object.fromEntries(
    Object.entries(transports).map(([name, { create, endpoint }]) => {
      const library = name === 'ajax' ? $ : name.startsWith('sockjs') ? SockJS : undefined;
      return [name, create({ library, url: new URL(endpoint, location.href).href })];
    }),
  );
}
