/** jQuery AJAX, as text: what it has to offer in all its versions. */
import { parseJson } from '../../base/parse-json.js';
import { failureOf } from '../echo/http-transport.js';
import { createHttpCarrier } from './http-carrier.js';

/** @import { Carrier, CarrierOptions } from './index.js' */

/** @param {CarrierOptions} options `library` is jQuery, which needs a browser @returns {Carrier} */
export function createAjaxCarrier({
  library: $,
  origin,
  now = () => performance.now(),
  performance = globalThis.performance,
}) {
  return createHttpCarrier({
    name: 'ajax',
    form: 'text',
    origin,
    performance,
    now,
    send: ({ method, url, body }, { resolve, reject }) =>
      $.ajax({
        url,
        method,
        data: body,
        processData: false,
        // Another origin is sent this without being asked first.
        contentType: 'text/plain',
        dataType: 'text',
        success: resolve,
        error: (/** @type {JQuery.jqXHR} */ { status, responseText }) =>
          reject(failureOf(status, parseJson(responseText))),
      }),
  });
}
