/** Loads the libraries of a run, without delaying the page. */
import { abortable, sleep } from '../../core/base/async.js';
import { createTransport, transports } from '../../core/net/echo/index.js';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { createTransfer, transfers } from '../../core/net/transfer/index.js';

/** @import { Transport } from '../../core/net/echo/index.js' */
/** @import { TransferMethod } from '../../core/net/transfer/index.js' */
/** @import { UPlot } from './charts/chart.js' */

/** The time limit of a run for loading libraries: a library that is missing then fails its trials. */
const PRELOAD_LIMIT_MS = 10_000;

/**
 * @typedef {{ jquery?: JQueryStatic, 'sockjs-client'?: typeof import('sockjs-client'), [name: string]: any }}
 *   Libraries by the names that rows of transports and transfer methods have for them
 */

/**
 * The functions by which a page loads libraries; the others that rows name are built into the browser.
 * @type {Record<string, () => Promise<unknown>>}
 */
const LOADERS = {
  jquery: async () => (await import('jquery')).default,
  async 'sockjs-client'() {
    await import('sockjs-client');
    return window.SockJS;
  },
};

/**
 * @param {AbortSignal} [signal] ends the wait, with its reason
 * @returns {Promise<{ libraries: Required<Libraries>, uPlot: UPlot }>} a run goes on without its charts, so `uPlot`
 *   may be absent
 * @throws {ExchangeError} if the server did not send one that a run needs
 */
export function loadLibraries(signal) {
  return abortable(signal, (resolve, reject) => {
    importLibraries().then(resolve, reject);
  });
}

async function importLibraries() {
  try {
    const [uPlot, ...loaded] = await Promise.all([
      import('uplot').then(
        (module) => module.default,
        () => undefined,
      ),
      ...Object.entries(LOADERS).map(async ([name, load]) => [name, await load()]),
    ]);
    return { libraries: Object.fromEntries(loaded), uPlot };
  } catch (cause) {
    throw Object.assign(new ExchangeError('closed', 'A library could not be loaded.'), { cause });
  }
}

/**
 * Loads them while the visitor reads. Of the charts' library it only fetches the file: to run it takes a phone 200 ms,
 * in which the page would not react. Those that cannot be had are missed by the run that needs them.
 */
export async function preloadLibraries() {
  const fetched = document.createElement('link');
  fetched.rel = 'modulepreload';
  fetched.href = new URL('../vendor/uplot.js', import.meta.url).href;
  document.head.append(fetched);
  const all = Promise.allSettled(Object.values(LOADERS).map((load) => load()));
  await Promise.race([all, sleep(PRELOAD_LIMIT_MS)]);
}

/**
 * Creates all transports, by name.
 * @param {Libraries} libraries @param {string} [origin] of the server @returns {Record<string, Transport>}
 */
export function createTransports(libraries, origin = location.origin) {
  return Object.fromEntries(
    Object.values(transports).map(({ name, library, endpoint }) => {
      return [name, createTransport(name, { library: libraries[library], url: origin + endpoint })];
    }),
  );
}

/**
 * Creates all transfer methods to the page's own server, by name.
 * @param {Libraries} libraries @returns {Record<string, TransferMethod>}
 */
export function createTransfers(libraries) {
  const { origin } = location;
  return Object.fromEntries(
    Object.values(transfers).map(({ name, library }) => {
      return [name, createTransfer(name, { library: libraries[library], origin })];
    }),
  );
}
