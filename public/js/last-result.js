/**
 * This tab’s last run: Back and reload lead to it again.
 *
 * What is kept may be broken, and a browser may refuse to keep anything: then the page begins anew.
 */
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
 * @import { Result } from '../../core/experiments/shootout/result.js'
 * @import { MeasuredServer } from './run/measure-here.js'
 */

/** @param {LastRun} run */
export function keepLastRun(run) {
  try {
    for (const key of [KEY, SHARED_KEY]) sessionStorage.removeItem(key);
    sessionStorage.setItem(KEY, JSON.stringify({ ...run, link: linkOf(location.href) }));
  } catch {
    // Forbidden, or too large. An older one, which would come back in its place, is gone.
  }
}

/** @param {readonly SharedRun[]} shared one for each result of the last run */
export function keepShared(shared) {
  try {
    sessionStorage.setItem(SHARED_KEY, JSON.stringify(shared));
  } catch {
    // Forbidden, or full: then Share is offered again.
  }
}

/** @returns {SharedRun[]} none where the last run was not shared */
export function readShared() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(SHARED_KEY) ?? '[]');
    return kept.map((/** @type {any} */ { id, server }) => ({ id: String(id), server: String(server) }));
  } catch {
    return [];
  }
}

/** @returns {Promise<LastRun | undefined>} none on a new visit */
export async function readLastRun() {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  if (!['reload', 'back_forward'].includes(navigation?.type)) return undefined;
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    // At another address the page is what it is there.
    if (kept?.link !== linkOf(location.href)) return undefined;
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
