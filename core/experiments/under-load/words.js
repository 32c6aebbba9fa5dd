/** Says in sentences how long messages wait during a load, and what helps, as far as it was measured. */
import { capitalize, formatBytes, formatSpan, listOf } from '../../base/format.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { labelOfProtocol } from '../../experiment/answer/labels.js';
import { bytesOf, formatRate, LOADS, MIN_LOAD_MS, nameProbe, SAME } from './plan.js';
import { isInOnePiece, rowOf } from './summary.js';

/**
 * @import { LoadRowSummary, ProbeRow, UnderLoadSummary } from './summary.js'
 * @import { UnderLoadPlan } from './plan.js'
 */

/** A remedy takes away at least half of the wait. */
const HELPS = 0.5;

/** Of the rate of one message: below, what chunks lose is a part of the advice. */
const SAME_RATE = 0.9;

/** A page sends so late that it is a part of the figures: at least this, and this share of what the load adds. */
const MIN_SEND_DELAY_MS = 10;
const SEND_DELAY_SHARE = 0.1;

/** More than the two chunks that are under way. */
const BUFFERED_CHUNKS = 3;

/** @param {ProbeRow | undefined} row @returns {number} ms; NaN if it was not measured */
const addedMsOf = (row) => row?.addedMax?.median ?? NaN;

/** @param {UnderLoadSummary} summary @returns {LoadRowSummary[]} those that transferred too fast to load anything */
const unreachedOf = ({ loads }) => loads.filter(({ unreachedCount }) => unreachedCount > 0);

/** @param {UnderLoadSummary} summary @returns {boolean} did no transfer last long enough for a verdict? */
export const isTooFast = (summary) => !summary.about && unreachedOf(summary).length > 0;

/** @param {UnderLoadSummary} summary @returns {string} a sentence: why it has no figures */
function describeNothing(summary) {
  if (isTooFast(summary)) {
    const [direction, ...others] = new Set(unreachedOf(summary).map(({ load }) => LOADS[load].direction));
    const transfer = others.length > 0 ? 'transfer' : `${direction}load`;
    return `No verdict: no ${transfer} lasted ${MIN_LOAD_MS / 1000} s. Choose a larger one, or measure over a slower link.`;
  }
  return summary.loads.some(({ blockCount }) => blockCount > 0)
    ? 'No comparison: no message was answered without load.'
    : 'No transfer was completed.';
}

/** Answers how much latency a load adds to each probe. @param {UnderLoadSummary} summary @returns {string} sentences */
export function conclusionOf(summary) {
  const { plan, about } = summary;
  if (!about) return describeNothing(summary);
  const same = isInOnePiece(about) ? rowOf(about, SAME) : undefined;
  if (same) {
    const wait = `While ${nameLoad(about, plan)}, a message on the same socket ${formatWait(about, addedMsOf(same))}.`;
    return [wait, ...describeRemedies(summary, about, same)].join(' ');
  }
  const waits = about.rows
    .filter(({ addedMax }) => addedMax)
    .map((row) => `${nameProbe(row.transport)} ${formatAdded(addedMsOf(row))}`);
  return `While ${nameLoad(about, plan)}, small messages wait up to this much more: ${listOf(waits)}.`;
}

/** @param {LoadRowSummary} summary @param {UnderLoadPlan} plan @returns {string} such as 'one message of 10 MB downloads' */
function nameLoad({ load }, plan) {
  const { direction, requestCount, chunkBytes } = LOADS[load];
  const size = formatBytes(bytesOf(load, plan));
  const verb = direction === 'up' ? 'upload' : 'download';
  if (requestCount) {
    return requestCount === 1 ? `${size} ${verb} over HTTP` : `${size} ${verb} over HTTP in ${requestCount} requests`;
  }
  if (chunkBytes) return `${size} ${verb} over a WebSocket in chunks of ${chunkBytes / 1024} KiB`;
  return `one message of ${size} ${verb}s`;
}

/** @param {LoadRowSummary} summary @param {number} ms @returns {string} its length is the plan's, so it stands with its cause */
const formatWait = (summary, ms) =>
  ms < 0.5 ? 'does not wait longer' : `waits up to ${formatSpan(ms)} for ${formatAhead(summary, ms)}`;

/** @param {LoadRowSummary} summary @param {number} waitedMs @returns {number} bytes that arrived in that time */
const bytesIn = ({ megabits }, waitedMs) => (waitedMs * 1000 * (megabits?.median ?? 0)) / 8;

/** @param {LoadRowSummary} summary @param {number} waitedMs @returns {string} such as '2.8 MB at 8 Mbit/s' */
export const formatAhead = (summary, waitedMs) =>
  `${formatBytes(bytesIn(summary, waitedMs))} at ${formatRate(summary.megabits?.median ?? 0)}`;

/** @param {number} ms @returns {string} such as '+91 ms' */
const formatAdded = (ms) => (ms < 0 ? `−${formatSpan(-ms)}` : `+${formatSpan(ms)}`);

/**
 * @param {UnderLoadSummary} summary @param {LoadRowSummary} about @param {ProbeRow} same its socket's probe
 * @returns {string[]} a sentence, or none
 */
function describeRemedies({ loads }, about, same) {
  const wholeMs = addedMsOf(same);
  const helps = (/** @type {ProbeRow | undefined} */ row) =>
    row !== undefined &&
    same.blockCount >= MIN_BLOCKS &&
    row.blockCount >= MIN_BLOCKS &&
    addedMsOf(row) < HELPS * wholeMs;
  const { direction } = LOADS[about.load];
  const other = rowOf(about, 'ws');
  const chunked = loads.filter(
    (one) => LOADS[one.load].direction === direction && LOADS[one.load].chunkBytes && helps(rowOf(one, SAME)),
  );
  // Larger chunks cost less, so the largest that helps is enough.
  const best = chunked.toSorted((a, b) => chunkBytesOf(b) - chunkBytesOf(a))[0];
  // Both sockets were probed side by side, so their blocks are compared.
  const laterMs = same.wait?.later?.median;
  const remedies = [
    ...(helps(other) && laterMs !== undefined ? [`a second socket saves ${formatSpan(laterMs)}`] : []),
    ...(best
      ? [
          `acknowledged chunks of ${chunkBytesOf(best) / 1024} KiB save ${formatSpan(wholeMs - addedMsOf(rowOf(best, SAME)))}${describePrice(best, about)}`,
        ]
      : []),
  ];
  return remedies.length === 0 ? [] : [`${capitalize(listOf(remedies))}.`];
}

/** @param {LoadRowSummary} summary */
const chunkBytesOf = ({ load }) => Number(LOADS[load].chunkBytes);

/** @param {LoadRowSummary} chunked @param {LoadRowSummary} whole @returns {string} in brackets, if chunks were clearly slower */
function describePrice({ megabits: own }, { megabits: whole }) {
  if (!own || !whole || own.median > SAME_RATE * whole.median) return '';
  return ` (at ${formatRate(own.median)} instead of ${formatRate(whole.median)})`;
}

/** @param {UnderLoadSummary} summary @returns {string[]} what limits the figures, and what confounds them */
export function notesOf(summary) {
  return [...describeUnreached(summary), ...summary.loads.flatMap(notesOfLoad)];
}

/**
 * Says in one sentence which loads transferred too fast to load anything.
 * @param {UnderLoadSummary} summary @returns {string[]} none where the conclusion says it of all
 */
function describeUnreached(summary) {
  const unreached = unreachedOf(summary);
  if (unreached.length === 0 || !summary.about) return [];
  const counts = unreached.map(
    ({ load, unreachedCount, blockCount }) =>
      `${LOADS[load].label} in ${unreachedCount} of ${unreachedCount + blockCount} blocks`,
  );
  return [`Load not reached, as the transfer took less than ${MIN_LOAD_MS / 1000} s: ${counts.join(', ')}.`];
}

/** @param {LoadRowSummary} one @returns {string[]} */
function notesOfLoad(one) {
  const { load, failures, maxUnsentBytes, rows } = one;
  const { label, direction, chunkBytes = 0 } = LOADS[load];
  const waiting = rows
    .filter(({ waitsForConnection }) => waitsForConnection)
    .map(({ transport }) => nameProbe(transport));
  const isUnsent = direction === 'up' && maxUnsentBytes > Math.max(2 * chunkBytes, 1);
  return [
    ...(failures.length > 0 ? [`${label}: ${failures.length} failed. ${failures[0].message}`] : []),
    ...(waiting.length > 0
      ? [`${label}: it took all six connections of HTTP/1.1, so ${listOf(waiting)} waited for one of them.`]
      : []),
    ...describeSharing(one),
    ...describeBuffers(one),
    ...describeSendDelay(one),
    ...(isUnsent ? [`${label}: up to ${formatBytes(maxUnsentBytes)} waited in the page before they were sent.`] : []),
  ];
}

/** @param {LoadRowSummary} summary @returns {string[]} a sentence, or none */
function describeSharing({ load, rows }) {
  const sharing = rows.filter(({ sharesConnection }) => sharesConnection);
  if (sharing.length === 0) return [];
  const protocols = [...new Set(sharing.flatMap((row) => row.protocols.map(labelOfProtocol)))];
  const names = listOf(sharing.map(({ transport }) => nameProbe(transport)));
  const withSockets = sharing.some((row) => row.protocols.includes('h2')) ? '; WebSockets may have, too' : '';
  return [`${LOADS[load].label}: over ${listOf(protocols)}, ${names} shared its connection${withSockets}.`];
}

/** Names what the page itself adds, where it is a part of the figures. @param {LoadRowSummary} summary @returns {string[]} a sentence, or none */
function describeSendDelay({ load, rows }) {
  const late = rows.filter(
    (row) => (row.sendDelay?.median ?? 0) > Math.max(MIN_SEND_DELAY_MS, SEND_DELAY_SHARE * addedMsOf(row)),
  );
  if (late.length === 0) return [];
  const most = Math.max(...late.map(({ sendDelay }) => Number(sendDelay?.median)));
  const names = listOf(late.map(({ transport }) => nameProbe(transport)));
  return [`${LOADS[load].label}: this device was busy, and sent messages by ${names} up to ${formatSpan(most)} late.`];
}

/**
 * Names what waits ahead of a message besides a chunk: whoever buffers on the path makes chunks useless.
 * @param {LoadRowSummary} summary @returns {string[]} a sentence, or none
 */
function describeBuffers(summary) {
  const { label, chunkBytes } = LOADS[summary.load];
  const [same, other] = [SAME, 'ws'].map((probe) => addedMsOf(rowOf(summary, probe)));
  if (!chunkBytes || !summary.megabits || Number.isNaN(same)) return [];
  // What a second socket waits for is in the link's queue.
  const waitedMs = same - Math.max(0, other || 0);
  const bytes = bytesIn(summary, waitedMs);
  if (bytes < BUFFERED_CHUNKS * chunkBytes) return [];
  return [
    `${label}: about ${formatBytes(bytes)} were ahead of a message, more than a chunk: in the buffers of the systems, or of a proxy.`,
  ];
}
