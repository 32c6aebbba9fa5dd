import { transfers } from '../../../core/net/transfer/index.js';

/** @import { TransferMethod } from '../../../core/net/transfer/index.js' */

/**
 * All transfer methods, to the page's own server.
 * @param {{ $?: JQueryStatic, SockJS?: typeof import('sockjs-client') }} libraries
 * @returns {Record<string, TransferMethod>} by name
 */
export function createTransfers({ $, SockJS }) {
  /** @type {Record<string, unknown>} the others are the browser's own */
  const libraries = { ajax: $, sockjs: SockJS };
  return Object.fromEntries(
    Object.entries(transfers).map(([name, create]) => [
      name,
      create({ library: libraries[name], origin: location.origin }),
    ]),
  );
}
