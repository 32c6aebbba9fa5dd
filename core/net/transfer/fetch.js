/** fetch, in bytes: an ArrayBuffer to and fro. */
import { failureOf } from '../echo/http-transport.js';
import { createHttpCarrier } from './http-carrier.js';

/**
 * @import { CarrierRequest } from './http-carrier.js'
 * @import { Carrier, CarrierOptions, Direction } from './index.js'
 */

/** @param {CarrierOptions} options @returns {Carrier} */
export function createFetchCarrier({
  library: fetch = globalThis.fetch,
  origin,
  now = () => performance.now(),
  performance = globalThis.performance,
}) {
  return createHttpCarrier({
    name: 'fetch',
    form: 'binary',
    origin,
    performance,
    now,
    send(request, { resolve, reject }, direction) {
      const controller = new AbortController();
      ask(fetch, request, direction, controller.signal).then(resolve, reject);
      return controller;
    },
  });
}

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {CarrierRequest} request
 * @param {Direction} direction
 * @param {AbortSignal} signal
 * @returns {Promise<string | ArrayBuffer>}
 */
async function ask(fetch, { method, url, body }, direction, signal) {
  let status = 0;
  let error;
  try {
    // Bytes go without a type, so another origin is sent them without being asked first.
    const response = await fetch(url, { method, body: /** @type {BodyInit | undefined} */ (body), signal });
    status = response.status;
    if (status < 400) return await (direction === 'up' ? response.text() : response.arrayBuffer());
    error = await response.json();
  } catch {
    // No answer, half of one, or an error without a word.
    if (status < 400) status = 0;
  }
  throw failureOf(status, error);
}
