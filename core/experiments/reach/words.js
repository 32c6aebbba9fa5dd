/** What is said of a single check: the evidence, and what to do about it. */
import { formatMs, formatRange, formatRatio } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { labelOfProtocol } from '../../net/labels.js';
import { formatSpan } from './plan.js';
import { EVENTS } from './stream-checks.js';

/**
 * @import { ReachTrial } from './index.js'
 * @import { Check } from './plan.js'
 * @import { Checked, ReachSummary } from './summary.js'
 */

const NOT_BUFFERED =
  'Turn off buffering in the proxy: in nginx “proxy_buffering off”, or the header X-Accel-Buffering: no.';

/** @param {ReachSummary} summary @returns {string} why no WebSocket works; without its full stop */
export function reasonOf({ find }) {
  const upgrade = find('upgrade');
  if (upgrade?.result === 'fail') return whyNotOpen(upgrade.trial);
  const {
    roundTripMs = [],
    failure,
    livedMs = 0,
    seen,
  } = /** @type {Partial<ReachTrial>} */ (find('text')?.trial ?? {});
  if (failure?.outcome === 'closed')
    return `the connection opens, but is cut after ${formatSpan(livedMs)} while in use`;
  if (failure?.outcome === 'mismatch') return 'the connection opens, but messages come back changed';
  const some =
    roundTripMs.length === 0 ? 'no message comes back' : `nothing comes back after message ${roundTripMs.length}`;
  const where = seen && seen.textCount > roundTripMs.length ? ', although the server received more' : '';
  return `the connection opens, but ${some}${where}`;
}

/** @param {ReachTrial} [trial] */
function whyNotOpen({ seen, failure } = /** @type {ReachTrial} */ ({})) {
  if (!seen) return failure?.message.replace(/\.$/, '') ?? 'the connection could not be opened';
  if (seen.openCount > 0) return 'the server accepts the upgrade, but its answer does not come back';
  if (seen.refusal) return `the server refuses the upgrade (${seen.refusal})`;
  if (seen.plainCount > 0) return 'the request reaches the server without its Upgrade header';
  return 'the upgrade never reaches the server';
}

/** @param {ReachTrial} [trial] @returns {string} */
function adviceOnOpening({ seen } = /** @type {ReachTrial} */ ({})) {
  if (seen?.refusal) return 'Try again later. If it stays so, ask whoever runs the server.';
  if (seen && seen.plainCount > 0)
    return 'Let the proxy pass the headers Upgrade and Connection on: in nginx with proxy_http_version 1.1 and proxy_set_header.';
  return 'Use TLS, which most proxies on the path cannot read, or SockJS, which falls back.';
}

/** @param {Checked} checked @param {ReachSummary} summary @returns {string} sentences */
export function evidenceOf({ planned: { check, silenceMs = 0 }, result, trial, lumps }, summary) {
  if (!trial) return 'The run ended before.';
  if (result === 'untested') return trial.untested ?? '';
  const { failure, livedMs, durationMs = 0, protocol, setUpMs, seen } = trial;
  const failed = failure ? failure.message : '';
  switch (check) {
    case 'http':
      return [
        protocol && `${labelOfProtocol(protocol)}.`,
        setUpMs && `A new connection takes ${formatMs(setUpMs)} ms.`,
        trips(trial),
        failed,
      ]
        .filter(Boolean)
        .join(' ');
    case 'upgrade':
      return result === 'pass'
        ? opened(trial, summary)
        : [`${capital(whyNotOpen(trial))}.`, cameBack(trial)].filter(Boolean).join(' ');
    case 'silence':
      if (result === 'pass') return `Answered after ${formatSpan(silenceMs)} of silence.`;
      return livedMs !== undefined && livedMs < silenceMs
        ? `Closed after ${formatSpan(livedMs)} of silence${seenToo(trial)}.`
        : `No answer after ${formatSpan(silenceMs)} of silence${seenToo(trial)}.`;
    case 'heartbeat':
      return failure
        ? `Cut after ${formatSpan(livedMs ?? 0)}: ${failed}`
        : `Open for ${formatSpan(livedMs ?? 0)}. ${trips(trial)}`;
    case 'idle':
      return trial.cutMs === undefined
        ? `Survived ${formatSpan(livedMs ?? 0)} of silence.`
        : `Survived ${formatSpan(livedMs ?? 0)}, cut by ${formatSpan(trial.cutMs)}.`;
    case 'events':
    case 'stream':
      if (failure) return failed;
      return `${EVENTS.count} events, one every ${EVENTS.everyMs} ms, came in ${formatPieces(lumps?.pieceCount)}; largest delay ${formatSpan(lumps?.largestMs ?? 0)}.`;
    case 'poll':
      return failure ? `Cut after ${formatSpan(durationMs)}: ${failed}` : `Answered after ${formatSpan(durationMs)}.`;
    case 'fallback':
    case 'fallback-default':
      if (setUpMs === undefined) return failed;
      return `Connected by ${protocol} after ${formatSpan(setUpMs)}.${failure ? ` Then, after ${formatSpan(livedMs ?? 0)}: ${failed}` : ''}`;
    default: {
      const received = failure && seen ? ` The server received ${seen.textCount + seen.binaryCount}.` : '';
      return [trips(trial), failed].filter(Boolean).join(' ') + received;
    }
  }
}

/** @param {number} [count] */
const formatPieces = (count = 0) => `${count} piece${count === 1 ? '' : 's'}`;

/** @param {ReachTrial} trial @param {ReachSummary} summary */
function opened({ setUpMs = 0, seen }, { find }) {
  const http = find('http')?.trial?.setUpMs;
  return [
    `Open after ${formatMs(setUpMs)} ms${http ? `; an HTTP connection takes ${formatMs(http)} ms` : ''}.`,
    ...(seen?.httpVersion ? [`The upgrade reached the server over HTTP/${seen.httpVersion}.`] : []),
  ].join(' ');
}

/** @param {ReachTrial} trial */
const cameBack = ({ answered }) => answered && `The answer was ${answered.status}: ${answered.headers}.`;

/** @param {ReachTrial} trial */
function seenToo({ seen, closeCode }) {
  const codes = [
    closeCode && `here with ${closeCode}`,
    seen?.closeCode && `at the server with ${seen.closeCode}`,
  ].filter(Boolean);
  return codes.length > 0 ? ` (${codes.join(', ')})` : '';
}

/** @param {ReachTrial} trial */
function trips({ check, roundTripMs = [] }) {
  const ms = median(roundTripMs);
  const [noun, came] = check === 'http' ? ['request', 'were answered'] : ['message', 'came back'];
  const count = `${roundTripMs.length} ${noun}${roundTripMs.length === 1 ? '' : 's'} ${came}`;
  return ms === undefined ? `No ${noun} ${came}.` : `${count}, p50 ${formatMs(ms)} ms.`;
}

/** @param {Checked} checked @param {ReachSummary} summary @returns {string | undefined} of one that failed */
export function adviceOf({ planned: { check }, result, trial }, summary) {
  if (result !== 'fail') return undefined;
  if (check === 'upgrade') return adviceOnOpening(trial);
  if (check === 'silence') return `${capital(heartbeatOf(summary))}.`;
  if ((check === 'fallback' || check === 'fallback-default') && trial?.protocol === 'websocket') {
    return 'Leave WebSocket out of SockJS’s option “transports”: its client does not fall back once it is connected.';
  }
  return ADVICE[check];
}

/** @type {Partial<Record<Check, string>>} */
const ADVICE = {
  text: 'Use SockJS without its WebSocket transport, or requests.',
  binary: 'Send text, such as Base64.',
  'size-64k': 'Send smaller messages.',
  'size-1m': 'Send smaller messages.',
  sockjs: 'SockJS tries the next one.',
  events: NOT_BUFFERED,
  stream: NOT_BUFFERED,
  poll: 'Answer long polls sooner.',
  heartbeat: 'Send heartbeats more often, and connect again when the connection is lost.',
};

/** @param {ReachSummary} summary @returns {string} without a full stop */
export function heartbeatOf({ find, plan: { heartbeatMs } }) {
  return find('heartbeat')?.result === 'pass'
    ? `send a heartbeat every ${formatSpan(heartbeatMs)}`
    : 'send heartbeats more often than that';
}

/** @param {ReachSummary['latency']} latency @returns {string | undefined} */
export function costOf({ ratio, baseline }) {
  const beside = baseline === 'fetch' ? 'a request by fetch' : 'over WebSocket';
  return ratio && `${formatRatio(ratio)} as long as ${beside} (95% CI ${formatRange(ratio)})`;
}

/** @param {ReachSummary['latency']} latency @returns {string} */
export function describeLatency(latency) {
  const { protocol, medianMs, baselineMs, blockCount } = latency;
  if (medianMs === undefined || baselineMs === undefined) return 'Too little was measured.';
  const cost = costOf(latency) ?? `no ratio below ${MIN_BLOCKS} blocks, and this run has ${blockCount}`;
  return `By ${protocol} a message takes ${formatMs(medianMs)} ms (p50), ${cost}.`;
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);
