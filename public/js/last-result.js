/** This tab’s last run: Back and reload lead to it again. Where it is not kept, or broken, the page begins anew. */
import { keep, readKept } from './storage.js';

const KEY = 'sockshootout/last-run/1';
const SHARED_KEY = 'sockshootout/last-run/shared/1';

/**
 * @typedef {object} LastRun
 * @property {Result[]} results one of each server
 * @property {readonly MeasuredServer[]} servers
 * @property {string} [origin] where it comes from, if it was not made here
 *
 * @typedef {{ id: string, server: string }} SharedRun its delete token is kept in this browser’s list alone
 */

/**
 * @import { Result } from '../../core/experiments/shootout/measure.js'
 * @import { MeasuredServer } from './run/measure-here.js'
 */

/** @param {LastRun} run */
export function keepLastRun(run) {
  // Where this one is too large to keep, an older one must not come back in its place.
  for (const key of [KEY, SHARED_KEY]) keep('sessionStorage', key, undefined);
  keep('sessionStorage', KEY, { ...run, link: linkOf(location.href) });
}

/** @param {readonly SharedRun[]} shared one for each result of the last run */
export function keepShared(shared) {
  keep('sessionStorage', SHARED_KEY, shared);
}

/** @returns {SharedRun[]} none where the last run was not shared */
export function readShared() {
  const kept = readKept('sessionStorage', SHARED_KEY);
  return Array.isArray(kept) ? kept.map((shared) => ({ id: String(shared?.id), server: String(shared?.server) })) : [];
}

/** @returns {Promise<LastRun | undefined>} none on a new visit */
export async function readLastRun() {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  if (!['reload', 'back_forward'].includes(navigation?.type)) return undefined;
  const kept = readKept('sessionStorage', KEY);
  // At another address the page is what it is there.
  if (kept?.link !== linkOf(location.href)) return undefined;
  try {
    const { readRun } = await import('./later/read-run.js');
    const results = kept.results.map((/** @type {unknown} */ one) => readRun(JSON.stringify(one)).result);
    const servers = kept.servers.map((/** @type {any} */ { name, origin }) => ({
      name: String(name),
      origin: String(origin),
    }));
    const origin = kept.origin === undefined ? undefined : String(kept.origin);
    return results.length > 0 && results.length === servers.length ? { results, servers, origin } : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} href @returns {string} without what may change while a result is read */
function linkOf(href) {
  const url = new URL(href);
  url.searchParams.delete('rtt');
  return url.pathname + url.search;
}
