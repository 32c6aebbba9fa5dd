/**
 * The results of this tab’s last run: Back and reload lead to them again.
 *
 * What is kept may be broken, and a browser may refuse to keep anything: then the page begins anew.
 */
const KEY = 'sockshootout/last-run/1';

/** @param {readonly import('../../core/result.js').Result[]} results one of each server */
export function keepLastResults(results) {
  try {
    sessionStorage.removeItem(KEY);
    sessionStorage.setItem(KEY, JSON.stringify(results));
  } catch {
    // Forbidden, or too large. An older one, which would come back in its place, is gone.
  }
}

/** @returns {Promise<import('../../core/result.js').Result[]>} none on a new visit */
export async function readLastResults() {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  if (!['reload', 'back_forward'].includes(navigation?.type)) return [];
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    if (kept.length === 0) return [];
    const { readRun } = await import('./later/read-run.js');
    return kept.map((/** @type {unknown} */ one) => readRun(JSON.stringify(one)).result);
  } catch {
    return [];
  }
}
