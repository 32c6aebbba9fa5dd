/**
 * jQuery AJAX, as in 2012: a GET with the count in its query. A payload with a body goes as JSON by POST.
 */
import { createAbortListener } from '../abort-listener.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { measureColdHttpSetUp, watchRequests } from './resource-timing.js';

/**
 * @param {{ library: JQueryStatic, url: string, performance?: Performance }} options `url` of the echo endpoint
 * @returns {import('./index.js').Transport}
 */
export function createAjax({ library: $, url, performance = globalThis.performance }) {
  /** @type {Map<JQuery.jqXHR, (reason: unknown) => void>} requests without an answer, and what gives each up */
  const open = new Map();
  const listen = createAbortListener((reason) => {
    for (const [request, reject] of open) {
      // Rejected first: the abort makes jQuery report a failure, which is not the cause.
      reject(reason);
      request.abort();
    }
  });

  /** @type {import('./index.js').Connection['exchange']} */
  const exchange = (payload, { signal }) =>
    new Promise((resolve, reject) => {
      listen(signal);
      const request = $.ajax({
        ...requestOf(payload, url),
        dataType: 'json',
        success: resolve,
        error: (response, status) => reject(toExchangeError(response, status)),
        complete: () => open.delete(request),
      });
      open.set(request, reject);
    });

  return {
    name: 'ajax',
    capabilities: { socket: false },

    /** Sends nothing: the browser's pool opens connections when it needs them. */
    async connect() {
      const requests = watchRequests(performance, url);
      return {
        get protocol() {
          return requests.protocol();
        },
        get setUpMs() {
          return requests.setUpMs();
        },
        exchange,
        close() {},
      };
    },

    measureColdSetUp: ({ signal }) =>
      measureColdHttpSetUp({
        performance,
        url,
        request: (fields) => exchange(fields, { signal }),
      }),
  };
}

/**
 * @param {Record<string, any>} payload
 * @param {string} url
 * @returns {JQuery.AjaxSettings}
 */
function requestOf(payload, url) {
  if (payload.body === undefined) return { url, data: payload.whoami ? { whoami: 1 } : payload };
  return { url, method: 'POST', contentType: 'application/json', data: JSON.stringify(payload) };
}

/**
 * @param {JQuery.jqXHR} response
 * @param {JQuery.Ajax.ErrorTextStatus} status
 */
function toExchangeError(response, status) {
  if (response.status >= 400) {
    return (
      parseRejection(response.responseJSON) ?? new ExchangeError('rejected', `The server answered ${response.status}.`)
    );
  }
  if (status === 'parsererror') return new ExchangeError('mismatch', 'The answer is not JSON.');
  return new ExchangeError('closed', 'The connection was lost, or could not be opened.');
}
