/** The libraries of a run. They must not hold up what comes before the page can be used. */
import { abortable, sleep } from '../../core/base/async.js';
import { transports } from '../../core/net/echo/index.js';
import { ExchangeError } from '../../core/net/exchange-error.js';

/** @import { Transport } from '../../core/net/echo/index.js' */
/** @import { UPlot } from './charts/chart.js' */

/** A run does not wait for longer: what is missing then is missed by it. */
const PRELOAD_LIMIT_MS = 10_000;

/** @typedef {{ $?: JQueryStatic, SockJS?: typeof import('sockjs-client') }} Libraries those that transports need */

/**
 * @param {AbortSignal} [signal] ends the wait, with its reason
 * @returns {Promise<Required<Libraries> & { uPlot: UPlot }>} a run goes on without its charts, so `uPlot` may be absent
 * @throws {ExchangeError} where the server did not give one that a run cannot do without
 */
export function loadLibraries(signal) {
  return abortable(signal, (resolve, reject) => {
    importLibraries().then(resolve, reject);
  });
}

async function importLibraries() {
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
 * which the page would not react. Those that cannot be had are missed by the run that needs them.
 */
export async function preloadLibraries() {
  const fetched = document.createElement('link');
  fetched.rel = 'modulepreload';
  fetched.href = new URL('../vendor/uplot.js', import.meta.url).href;
  document.head.append(fetched);
  const all = Promise.allSettled([import('jquery'), import('sockjs-client')]);
  await Promise.race([all, sleep(PRELOAD_LIMIT_MS)]);
}

/** All, by name. @param {Libraries} libraries @param {string} [origin] of the server @returns {Record<string, Transport>} */
export function createTransports({ $, SockJS }, origin = location.origin) {
  return Object.fromEntries(
    Object.entries(transports).map(([name, { create, endpoint }]) => {
      const library = name === 'ajax' ? $ : name.startsWith('sockjs') ? SockJS : undefined;
      return [name, create({ library, url: origin + endpoint })];
    }),
  );
}
