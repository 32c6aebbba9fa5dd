/**
 * The libraries that a run needs, which is known before its button is pressed but after the page can be used: they must
 * not hold up what comes before that.
 */
import { transports } from '../../core/net/echo/index.js';
import { ExchangeError } from '../../core/net/exchange-error.js';

/** @import { Transport } from '../../core/net/echo/index.js' */
/** @import { UPlot } from './charts/chart.js' */

/** @typedef {{ $?: JQueryStatic, SockJS?: typeof import('sockjs-client') }} Libraries those that transports need */

/**
 * @returns {Promise<{ $: JQueryStatic, SockJS: typeof import('sockjs-client'), uPlot: UPlot }>} a run goes on without
 *   its charts, so `uPlot` may be absent
 * @throws {ExchangeError} where the server did not give one that a run cannot do without
 */
export async function loadLibraries() {
  try {
    const [{ default: $ }, uPlot] = await Promise.all([
      import('jquery'),
      import('uplot').then(
        (module) => module.default,
        () => undefined,
      ),
      import('sockjs-client'),
    ]);
    return { $, SockJS: window.SockJS, uPlot };
  } catch (cause) {
    throw Object.assign(new ExchangeError('closed', 'A library could not be loaded.'), { cause });
  }
}

/**
 * Loads them while the visitor reads. Of the charts' library it only fetches the file: to run it takes a phone 200 ms, in
 * which the page would not react.
 * @returns {Promise<void>} when they are there, or cannot be had: then the run says so that needs them
 */
export async function preloadLibraries() {
  const fetched = document.createElement('link');
  fetched.rel = 'modulepreload';
  fetched.href = new URL('../vendor/uplot.js', import.meta.url).href;
  document.head.append(fetched);
  await Promise.allSettled([import('jquery'), import('sockjs-client')]);
}

/**
 * All transports, to a server.
 * @param {Libraries} libraries @param {string} [origin] of the server; default: the page's own
 * @returns {Record<string, Transport>} by name
 */
export function createTransports({ $, SockJS }, origin = location.origin) {
  return Object.fromEntries(
    Object.entries(transports).map(([name, { create, endpoint }]) => {
      const library = name === 'ajax' ? $ : name.startsWith('sockjs') ? SockJS : undefined;
      return [name, create({ library, url: origin + endpoint })];
    }),
  );
}
