import { carriers } from '../../../core/net/transfer/index.js';

/** @import { Carrier } from '../../../core/net/transfer/index.js' */

/**
 * All carriers, to the page's own server.
 * @param {{ $?: JQueryStatic, SockJS?: typeof import('sockjs-client') }} libraries
 * @returns {Record<string, Carrier>} by name
 */
export function createCarriers({ $, SockJS }) {
  /** @type {Record<string, unknown>} the others are the browser's own */
  const libraries = { ajax: $, sockjs: SockJS };
  return Object.fromEntries(
    Object.entries(carriers).map(([name, create]) => [
      name,
      create({ library: libraries[name], origin: location.origin }),
    ]),
  );
}
