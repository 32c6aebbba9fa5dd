/** The answer of a run: do WebSockets work, how long do idle ones live, what does SockJS do instead? */
import { formatLatency, formatSpan, listOf } from '../../base/format.js';
import { isBeyondMargin } from '../../experiment/answer/verdict.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { ReachTrial } from './schema.js'
 * @import { ReachSummary } from './summary.js'
 */

/** @param {ReachSummary} summary @returns {string | undefined} */
export function conclusionOf(summary) {
  const { works, lost } = summary;
  if (works === undefined) return undefined;
  if (!works) return `WebSockets do not work from here: ${describeFault(summary)}`;
  const but = lost.length > 0 ? `, but ${listOf(lost)} messages are lost` : '';
  return [`WebSockets work from here${but}.`, ...describeFallbackCost(summary), ...describeIdle(summary)].join(' ');
}

/** @param {ReachSummary} summary @returns {string[]} a sentence, where a message takes clearly longer or less without WebSocket */
function describeFallbackCost({ latency: { verdict, protocol, baseline, medianMs = 0, baselineMs = 0 } }) {
  if (baseline === 'fetch' || !isBeyondMargin({ verdict })) return [];
  return [
    `Back-to-back SockJS messages take a median of ${formatLatency(medianMs)} over ${protocol}, ${formatLatency(baselineMs)} over WebSocket.`,
  ];
}

/**
 * What holds for users elsewhere, where the run stayed on one machine or network.
 * @param {ReachSummary} summary @returns {OwnReport['elsewhere']} absent if anything failed, which it may there, too
 */
export const elsewhereOf = (summary) =>
  summary.works && summary.lost.length === 0
    ? { headline: NO_FIREWALL, here: describeIdle(summary).join(' ') }
    : undefined;

const NO_FIREWALL = 'WebSockets work here. That says nothing about your users’ firewalls.';

/** @param {ReachSummary} summary @returns {string[]} sentences about connections without messages */
export function describeIdle(summary) {
  const { idle, find } = summary;
  if (!idle) return [];
  const { livedMs, cutMs, isExact, isSearched } = idle;
  if (cutMs === undefined) {
    const isHeartbeatLost = find('heartbeat')?.result === 'fail';
    return [
      `Idle connections stay open for at least ${formatSpan(livedMs)}.`,
      ...(isHeartbeatLost ? ['A connection with a heartbeat was lost.'] : []),
    ];
  }
  const within = isSearched ? `after ${formatSpan(livedMs)} to ${formatSpan(cutMs)}` : `within ${formatSpan(cutMs)}`;
  const end = isExact ? `closed after about ${formatSpan(cutMs)}` : `lost ${within}`;
  return [`Idle connections are ${end}.`, adviseHeartbeat(summary)];
}

/**
 * @param {ReachSummary} summary where WebSockets do not work
 * @returns {string} why, as the end of a sentence; and a sentence: what SockJS does instead
 */
export const describeFault = (summary) => `${reasonOf(summary)}. ${describeFallback(summary)}`;

/** @param {ReachSummary} summary @returns {string} a sentence */
function describeFallback({ find }) {
  const fallback = find('fallback');
  const { protocol, setUpMs } = fallback?.trial ?? {};
  if (setUpMs === undefined) return 'SockJS does not connect either.';
  return fallback?.result === 'fail'
    ? `SockJS connects over ${protocol} but does not notice the failure, so it fails, too.`
    : `SockJS connects over ${protocol} after ${formatSpan(setUpMs)}.`;
}

/** @param {ReachSummary} summary @returns {string} why no WebSocket works; without its full stop */
function reasonOf({ find }) {
  const upgrade = find('upgrade');
  if (upgrade?.result === 'fail') return whyNotOpen(upgrade.trial);
  return `the connection opens, but ${whyNotEchoed(find('text')?.trial)}`;
}

/** @param {ReachTrial} [trial] */
function whyNotEchoed({ roundTripMs = [], failure, livedMs = 0, seen } = /** @type {ReachTrial} */ ({})) {
  if (failure?.outcome === 'closed') return `it is closed after ${formatSpan(livedMs)} in use`;
  if (failure?.outcome === 'mismatch') return 'messages are changed on the way';
  const count = roundTripMs.length;
  const lost = count === 0 ? 'no message is echoed' : `no echo arrives after message ${count}`;
  return `${lost}${seen && seen.textCount > count ? ', although the server received more' : ''}`;
}

/** @param {ReachTrial} [trial] of the upgrade @returns {string} a clause */
export function whyNotOpen({ seen, failure } = /** @type {ReachTrial} */ ({})) {
  if (!seen) return failure?.message.replace(/\.$/, '') ?? 'the connection could not be opened';
  if (seen.openCount > 0) return 'the server accepts the upgrade, but its response does not arrive';
  if (seen.refusal) return `the server refuses the upgrade (${seen.refusal})`;
  if (seen.plainCount > 0) return 'the request reaches the server without its Upgrade header';
  return 'the upgrade never reaches the server';
}

/** Advises how often to send a heartbeat. @param {ReachSummary} summary @returns {string} */
export function adviseHeartbeat({ find, plan: { heartbeatMs } }) {
  return find('heartbeat')?.result === 'pass'
    ? `Send a heartbeat every ${formatSpan(heartbeatMs)}.`
    : 'Send heartbeats more often than that.';
}
