/** jQuery AJAX, as in 2012: a GET with the count in its query. A payload with a body goes as JSON by POST. */
import { failureOf } from '../http.js';
import { createHttpTransport, requestOf } from './http-transport.js';

/** @import { Transport } from './index.js' */

/**
 * @param {{ library: JQueryStatic, url: string, performance?: Performance }} options `url` of the echo endpoint
 * @returns {Transport}
 */
export function createAjax({ library: $, url, performance = globalThis.performance }) {
  return createHttpTransport({
    name: 'ajax',
    url,
    performance,
    send: (payload, { resolve, reject, end }) =>
      $.ajax({
        ...settingsOf(payload, url),
        dataType: 'json',
        success: resolve,
        error: ({ status, responseJSON }) => reject(failureOf(status, responseJSON)),
        complete: end,
      }),
  });
}

/** @param {Record<string, any>} payload @param {string} url @returns {JQuery.AjaxSettings} */
function settingsOf(payload, url) {
  const { fields, json } = requestOf(payload);
  if (fields) return { url, data: fields };
  return { url, method: 'POST', contentType: 'application/json', data: json };
}
