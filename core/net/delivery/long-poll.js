/**
 * Long polling: a request that is answered when the job is done, or asked again where that took the server too long.
 */
import { createAsking } from './asking.js';

/** @import { WayOptions, WayUser } from './index.js' */

/** What lies between two machines tends to give up a request that is silent for 30 s or 60 s. */
const WAIT_MS = 25_000;

/** @param {WayOptions} options @returns {WayUser} */
export function createLongPoll(options) {
  return createAsking(options, { query: `?wait=${WAIT_MS}` });
}
