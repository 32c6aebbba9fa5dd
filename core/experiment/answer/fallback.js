/** Decides whether a transport fell back from WebSocket, and names it with what it fell back to. */
import { transports } from '../../net/echo/index.js';
import { labelOf } from './labels.js';

/** @import { UsedFallback } from './answer.js' */

/**
 * Checks whether SockJS used another transport than a WebSocket, by choice or not.
 * @param {string} transport @param {string | undefined} protocol
 */
export function isFallback(transport, protocol) {
  const canBe = transports[transport]?.fallback !== undefined;
  return canBe && protocol !== undefined && protocol !== 'websocket';
}

/**
 * Checks whether a transport fell back from WebSocket by itself.
 * @param {{ transport: string, protocols: readonly string[] }} row
 */
export function didFallBack({ transport, protocols }) {
  return (
    transports[transport]?.fallback === 'possible' && protocols.some((protocol) => isFallback(transport, protocol))
  );
}

/** @param {{ transport: string, protocols: readonly string[] }} row @returns {UsedFallback | undefined} */
export function fallbackOf({ transport, protocols }) {
  if (!didFallBack({ transport, protocols })) return undefined;
  return { protocol: protocols.join(' and '), cost: transports[transport].fallbackCost };
}

/** A fallback is named as such. @param {{ subject: string, fallback?: UsedFallback }} answer @returns {string} */
export const nameSubject = ({ subject, fallback }) =>
  fallback ? `${labelOf(subject)} over ${fallback.protocol}` : labelOf(subject);
