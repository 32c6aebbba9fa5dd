/**
 * What the carriers over HTTP have in common: where a message goes, and that connections are the browser's. How a request is
 * sent is each one's own.
 */
import { abortable } from '../../base/abortable.js';
import { watchRequests } from '../echo/resource-timing.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { ExchangeError } from '../exchange-error.js'
 * @import { Carrier, Direction, Form } from './index.js'
 * @import { Message } from './message.js'
 */

/**
 * @typedef {object} CarrierRequest
 * @property {'GET' | 'POST'} method
 * @property {string} url
 * @property {string | Uint8Array} [body] only of a POST
 *
 * @typedef {object} Outlet where a request's end goes
 * @property {(answer: string | ArrayBuffer) => void} resolve to be called as soon as the answer is whole
 * @property {(error: ExchangeError) => void} reject
 */

/**
 * @param {object} options
 * @param {string} options.name
 * @param {Form} options.form
 * @param {string} options.origin
 * @param {Performance} options.performance
 * @param {Now} options.now
 * @param {(request: CarrierRequest, outlet: Outlet, direction: Direction) => { abort(): void }} options.send returns
 *   before the request has ended
 * @returns {Carrier}
 */
export function createHttpCarrier({ name, form, origin, performance, now, send }) {
  return {
    name,
    form,

    /** Sends nothing: the browser's pool opens connections when it needs them. */
    async connect(direction) {
      const url = `${origin}/payload/${direction}`;
      const requests = watchRequests(performance, url);
      /** @type {string | undefined} */
      let protocol;
      return {
        get protocol() {
          // Kept, as whoever looks at requests next takes this one's entries away.
          protocol ??= requests.protocol();
          return protocol;
        },
        get setUpMs() {
          return requests.setUpMs();
        },
        send: (message, { signal }) =>
          abortable(signal, (resolve, reject) => {
            const startedAtMs = now();
            const outlet = {
              /** @param {string | ArrayBuffer} answer */
              resolve: (answer) => resolve({ startedAtMs, endedAtMs: now(), answer }),
              reject,
            };
            const request = send(requestOf(message, url), outlet, direction);
            return () => request.abort();
          }),
        close() {},
      };
    },
  };
}

/** @param {Message} message @param {string} url @returns {CarrierRequest} */
function requestOf({ direction, bytes, offset, binary, text }, url) {
  if (direction === 'down') return { method: 'GET', url: `${url}?bytes=${bytes}&offset=${offset}` };
  return { method: 'POST', url, body: text ?? binary };
}
