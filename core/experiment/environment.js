/**
 * A run to take along: all that was measured, and nothing that can be computed from it.
 *
 * docs/results-format.md describes it; the schema's name changes with every change that an old reader would misread.
 */
/**
 * @typedef {object} Environment where and with what it was measured
 * @property {string} url of the page that was measured, or of the site where there was none
 * @property {string} [pageOrigin] of the page that measured, where it came from another server
 * @property {string} userAgent the browser's, or `Node.js` with its version
 * @property {number} [stepMs] of the clock; absent where it could not be measured
 * @property {boolean} isCrossOriginIsolated
 *
 * @typedef {object} WorkerStatus figures that only grow, but for openSessions: two readings tell what was in between
 * @property {number} worker
 * @property {string} startedAt ISO 8601
 * @property {number} openSessions now
 * @property {number} echoCount
 * @property {{ lagCount: number, lagTotalMs: number }} eventLoop
 *
 * @typedef {object} Status what `/status` answers
 * @property {string} server
 * @property {string} location
 * @property {string} version
 * @property {number} worker that answered
 * @property {number} [ipFamily] 4 or 6: by what the visitor came; absent where a proxy hides it
 * @property {WorkerStatus[]} workers
 * @property {number} silentWorkerCount that did not answer
 *
 * @typedef {object} Result
 * @property {string} schema sockshootout/run/1
 * @property {string} startedAt ISO 8601, by the visitor's clock
 * @property {import('../experiments/shootout/plan.js').Plan} plan
 * @property {Environment} environment
 * @property {Status} [statusBefore] absent where the server could not be asked
 * @property {Status} [statusAfter]
 * @property {import('../net/echo/trial.js').RunTrial[]} trials in the order in which they were made
 * @property {Record<string, number>} coldSetUpMs by transport
 * @property {import('../net/preflight.js').Preflight} [preflight] only where the page came from another server
 * @property {import('./run.js').Ending} [ending] absent where the plan was carried out
 */

/**
 * @param {Result} result
 * @returns {string} JSON
 */
export function formatResult(result) {
  return `${JSON.stringify(result)}\n`;
}
