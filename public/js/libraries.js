/** Loads the libraries of a run, without delaying the page, and only those that its plan needs. */
import { abortable, sleep } from '../../core/base/async.js';
import { createTransport, transports } from '../../core/net/echo/index.js';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { isPackage } from '../../core/net/libraries.js';
import { createTransfer, transfers } from '../../core/net/transfer/index.js';
import { siteUrl } from './site-url.js';

/** @import { Transport } from '../../core/net/echo/index.js' */
/** @import { TransferMethod } from '../../core/net/transfer/index.js' */

/** The time limit of a run for loading libraries: a library that is missing then fails its trials. */
const PRELOAD_LIMIT_MS = 10_000;

/** @typedef {Readonly<Record<string, any>>} Libraries by the names that rows of transports and transfer methods have for them */

/** @param {string} name of a package @returns {string} of the module that server/bundle.js makes of it */
const urlOf = (name) => new URL(`../vendor/${name}.js`, import.meta.url).href;

/** @param {string} name of a package @returns {Promise<any>} its default export */
export const importPackage = async (name) => (await import(urlOf(name))).default;

/**
 * @param {readonly string[]} packages of a run @param {AbortSignal} [signal] ends the wait, with its reason
 * @returns {Promise<Libraries>} @throws {ExchangeError} if the server did not send one that a run needs
 */
export function loadLibraries(packages, signal) {
  return abortable(signal, (resolve, reject) => {
    importLibraries(packages).then(resolve, reject);
  });
}

/** @param {readonly string[]} packages @returns {Promise<Libraries>} */
async function importLibraries(packages) {
  try {
    return Object.fromEntries(await Promise.all(packages.map(async (name) => [name, await importPackage(name)])));
  } catch (cause) {
    throw Object.assign(new ExchangeError('closed', 'A library could not be loaded.'), { cause });
  }
}

/**
 * Loads them while the visitor reads. Those that cannot be had are missed by the run that needs them.
 * @param {readonly string[]} packages of the plan that the page shows
 */
export async function preloadLibraries(packages) {
  await Promise.race([Promise.allSettled(packages.map(importPackage)), sleep(PRELOAD_LIMIT_MS)]);
}

/**
 * Creates the transports whose library the page has, by name.
 * @param {Libraries} libraries @param {string} [baseUrl] of the server @returns {Record<string, Transport>}
 */
export const createTransports = (libraries, baseUrl = siteUrl) =>
  createAll(transports, libraries, ({ name, endpoint }, library) =>
    createTransport(name, { library, url: baseUrl + endpoint }),
  );

/**
 * Creates the transfer methods to the page's own server whose library the page has, by name.
 * @param {Libraries} libraries @returns {Record<string, TransferMethod>}
 */
export const createTransfers = (libraries) =>
  createAll(transfers, libraries, ({ name }, library) => createTransfer(name, { library, baseUrl: siteUrl }));

/**
 * @template {{ name: string, library: string }} R @template T
 * @param {Readonly<Record<string, R>>} rows @param {Libraries} libraries @param {(row: R, library: any) => T} create
 * @returns {Record<string, T>}
 */
function createAll(rows, libraries, create) {
  const usable = Object.values(rows).filter(({ library }) => !isPackage(library) || library in libraries);
  return Object.fromEntries(usable.map((row) => [row.name, create(row, libraries[row.library])]));
}
