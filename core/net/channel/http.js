/** The kind of HTTP: each message is a request, and gets its own answer. */
import { parseJson } from '../../base/foreign-text.js';
import { failureOf, fetchAnswer } from '../http.js';
import { HTTP } from '../protocols.js';

/**
 * @import { Outlet } from '../http.js'
 * @import { Kind } from './index.js'
 * @typedef {object} Request
 * @property {string} url
 * @property {'GET' | 'POST'} [method] GET by default
 * @property {Record<string, any>} [query]
 * @property {string} [type] of the body
 * @property {string | Uint8Array} [body]
 * @typedef {{ abort(): void }} SentRequest
 * @typedef {(request: Request, outlet: Outlet & { end?: () => void }) => SentRequest} Ask returns before the request has ended;
 *   resolves the outlet with the whole answer; `end` is called when it has ended, in either case
 * @typedef {{ json: Ask, text: Ask, binary?: Ask }} Asking by the form of the answer; `binary`: only by fetch
 */

/** @type {Kind} */
export const http = {
  name: 'http',
  label: 'HTTP',
  paths: { echo: '/ajaxecho', payload: '/payload', jobs: '/job', feed: '/feed', stream: '/pieces' },
  library: 'fetch',
  protocols: HTTP,
  isSocket: false,
  carries: ['text', 'binary'],
};

/** How each library asks. @type {Record<string, (implementation: any) => Asking>} */
const ASKERS = {
  jquery: ($) => ({ json: askByJquery($, 'json'), text: askByJquery($, 'text') }),
  XMLHttpRequest: (Xhr) => ({ json: askByXhr(Xhr, 'json'), text: askByXhr(Xhr, 'text') }),
  fetch: (fetch) => ({
    json: askByFetch(fetch, (response) => response.json()),
    text: askByFetch(fetch, (response) => response.text()),
    binary: askByFetch(fetch, (response) => response.arrayBuffer()),
  }),
};

/**
 * @param {string} library @param {any} [implementation] absent where the platform has it @returns {Asking}
 */
export const openHttp = (library, implementation) => ASKERS[library](implementation);

/**
 * jQuery sends text, as all its versions can.
 * @param {JQueryStatic} $ @param {'json' | 'text'} form @returns {Ask}
 */
const askByJquery =
  ($, form) =>
  ({ url, method, query, type, body }, { resolve, reject, end }) =>
    $.ajax({
      url,
      method,
      data: query ?? body,
      processData: query !== undefined,
      contentType: type,
      dataType: form,
      success: resolve,
      error: ({ status, responseText }) => reject(failureOf(status, parseJson(responseText ?? ''))),
      complete: end,
    });

/** @param {typeof XMLHttpRequest | undefined} Xhr @param {'json' | 'text'} form @returns {Ask} */
function askByXhr(Xhr = globalThis.XMLHttpRequest, form) {
  return ({ url, method = 'GET', query, type, body }, { resolve, reject, end }) => {
    const request = new Xhr();
    request.onload = () => {
      end?.();
      const { status, responseText } = request;
      const answer = form === 'json' || status >= 400 ? parseJson(responseText) : responseText;
      if (status >= 400 || answer === undefined) reject(failureOf(status, answer));
      else resolve(answer);
    };
    request.onerror = () => {
      end?.();
      reject(failureOf(0));
    };
    request.open(method, addressOf(url, query));
    if (type !== undefined) request.setRequestHeader('Content-Type', type);
    request.send(/** @type {XMLHttpRequestBodyInit | undefined} */ (body));
    return request;
  };
}

/** @param {typeof globalThis.fetch | undefined} fetch @param {(response: Response) => Promise<any>} read @returns {Ask} */
function askByFetch(fetch = globalThis.fetch, read) {
  return ({ url, method = 'GET', query, type, body }, { resolve, reject, end }) => {
    const controller = new AbortController();
    const headers = type === undefined ? undefined : { 'Content-Type': type };
    const init = { method, headers, body: /** @type {BodyInit | undefined} */ (body), signal: controller.signal };
    const answer = fetchAnswer(fetch, addressOf(url, query), init, read).then(resolve, reject);
    if (end) answer.finally(end);
    return controller;
  };
}

/** @param {string} url @param {Record<string, any>} [query] */
const addressOf = (url, query) => (query ? `${url}?${new URLSearchParams(query)}` : url);
