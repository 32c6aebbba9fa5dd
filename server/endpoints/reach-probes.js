/**
 * Records what reached the server of each probe. A page cannot see why a WebSocket could not be opened, or what
 * happened to its messages; so it chooses a name for each connection, and reads the record by it.
 */
import { createRecords } from '../telemetry/records.js';

/**
 * @import { ReachTrial } from '../../core/experiments/reach/schema.js'
 * @import { Records } from '../telemetry/records.js'
 *
 * @typedef {NonNullable<ReachTrial['seen']>} Seen what one worker saw of a probe: requests without and with an Upgrade header,
 *   upgrades that were accepted, messages; `httpVersion` of the last request; `refusal`: the code that the last refused upgrade
 *   was answered with; `closeCode` by RFC 6455, 1006 where the connection broke off; `openMs`: how long it had been open
 *
 * @typedef {Records<Seen>} Probes
 */

/** @type {Seen} */
const NONE = { plainCount: 0, upgradeCount: 0, openCount: 0, textCount: 0, binaryCount: 0 };
const COUNT_NAMES = /** @type {(keyof Seen)[]} */ (Object.keys(NONE));

/**
 * @param {{ limits: { probeCount: number, probeKeptMs: number }, now?: () => number }} options `now`: ms
 * @returns {Probes}
 */
export const createProbes = ({
  limits: { probeKeptMs: keptMs, probeCount: maxCount },
  now = () => performance.now(),
}) => createRecords(NONE, { keptMs, maxCount, now });

/** @param {readonly Seen[]} parts by each worker @returns {Seen} of all together */
export function joinSeen(parts) {
  const counts = COUNT_NAMES.map((name) => [name, parts.reduce((sum, part) => sum + Number(part[name]), 0)]);
  return Object.assign({}, ...parts, Object.fromEntries(counts));
}
