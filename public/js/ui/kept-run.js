/** Keeps the last run of this tab on a page, which a reload and Back show again. */
import { keep, readKept } from '../storage.js';

/** @typedef {{ id: string, server: string }} SharedRun its delete token is kept only in this browser’s list */

const PLACE = 'sessionStorage';

/** @param {string} page */
const keyOf = (page) => `sockshootout/last-run/${page}/1`;

/** @param {string} page @returns {any} the last run of this tab there, not checked; absent if there is none */
export const readLastRun = (page) => readKept(PLACE, keyOf(page))?.run;

/** @param {string} page its name, unlike those of other pages */
export function createKeptRun(page) {
  const key = keyOf(page);
  const sharedKey = `sockshootout/last-run/${page}/shared/1`;
  const forget = () => [key, sharedKey].forEach((old) => keep(PLACE, old, undefined));
  return {
    /** @param {object} run that the page can show */
    keep(run) {
      // An older answer must not come back if this one is too large to keep.
      forget();
      keep(PLACE, key, { run, link: linkOf(location.href) });
    },

    forget,

    /** @param {readonly SharedRun[]} shared one for each result of the last run */
    keepShared(shared) {
      keep(PLACE, sharedKey, shared);
    },

    /** @returns {SharedRun[]} none if the last run was not shared */
    readShared() {
      const kept = readKept(PLACE, sharedKey);
      if (!Array.isArray(kept)) return [];
      return kept.map((shared) => ({ id: String(shared?.id), server: String(shared?.server) }));
    },

    /** @returns {any} not checked; absent on a new visit, or if there is none */
    read() {
      const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
      if (!['reload', 'back_forward'].includes(navigation?.type)) return undefined;
      const kept = readKept(PLACE, key);
      // A page at another address shows its own content.
      return kept?.link === linkOf(location.href) ? kept.run : undefined;
    },
  };
}

/** @param {string} href @returns {string} without the parts that may change while a result is read */
function linkOf(href) {
  const url = new URL(href);
  for (const name of ['rtt', 'every', 'distances']) url.searchParams.delete(name);
  return url.pathname + url.search;
}
