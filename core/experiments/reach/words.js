/** Describes a single check: the evidence, and the advice. */
import { capitalize, formatMs, formatRange, formatRatio, formatSpan } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { describeTooFewBlocks } from '../../experiment/answer/compare.js';
import { isBeyondMargin, nameVerdict, VERDICT_LABELS } from '../../experiment/answer/verdict.js';
import { labelOfProtocol } from '../../experiment/answer/labels.js';
import { adviseHeartbeat, whyNotOpen } from './conclusion.js';
import { EVENTS } from './stream-checks.js';

/**
 * @import { ReachTrial } from './schema.js'
 * @import { Check } from './plan.js'
 * @import { Checked, ReachSummary } from './summary.js'
 */

/** Describes what a check found. @param {Checked} checked @param {ReachSummary} summary @returns {string} sentences */
export function evidenceOf(checked, summary) {
  const { planned, result, trial } = checked;
  if (!trial) return 'The run ended before.';
  if (result === 'untested') return trial.untested ?? '';
  const describe = EVIDENCE[planned.check] ?? describeMessages;
  return [describe(trial, checked, summary)].flat().filter(Boolean).join(' ');
}

/** @typedef {string | undefined} Sentence */

/**
 * @type {Partial<Record<Check, (trial: ReachTrial, checked: Checked, summary: ReachSummary) => Sentence | Sentence[]>>}
 */
const EVIDENCE = {
  http: (trial) => [
    trial.protocol && `${labelOfProtocol(trial.protocol)}.`,
    trial.setUpMs ? `A new connection takes ${formatMs(trial.setUpMs)} ms.` : undefined,
    describeTrips(trial),
    trial.failure?.message,
  ],
  upgrade: (trial, { result }, summary) => (result === 'pass' ? describeOpen(trial, summary) : describeRefusal(trial)),
  silence: describeSilence,
  heartbeat: (trial) =>
    describeFailure(trial, trial.livedMs) ?? [`Open for ${formatSpan(trial.livedMs ?? 0)}.`, describeTrips(trial)],
  idle: ({ livedMs = 0, cutMs }) =>
    `Survived ${formatSpan(livedMs)} of silence${cutMs === undefined ? '' : `, but not ${formatSpan(cutMs)}`}.`,
  events: describeArrival,
  stream: describeArrival,
  poll: (trial) => describeFailure(trial, trial.durationMs) ?? `Answered after ${formatSpan(trial.durationMs ?? 0)}.`,
  fallback: describeConnection,
  'fallback-default': describeConnection,
};

/** @param {ReachTrial} trial @returns {Sentence[]} */
function describeMessages(trial) {
  const { failure, seen } = trial;
  const received = failure && seen && `The server received ${seen.textCount + seen.binaryCount}.`;
  return [describeTrips(trial), failure?.message, received];
}

/** @param {ReachTrial} trial */
function describeTrips({ check, roundTripMs = [] }) {
  const ms = median(roundTripMs);
  const [noun, done] = check === 'http' ? ['request', 'answered'] : ['message', 'echoed'];
  if (ms === undefined) return `No ${noun} was ${done}.`;
  const count = roundTripMs.length;
  return `${count} ${noun}${count === 1 ? ' was' : 's were'} ${done}, p50 ${formatMs(ms)} ms.`;
}

/** @param {ReachTrial} trial @param {number} [afterMs] if known @returns {Sentence} absent if it did not fail */
function describeFailure({ failure }, afterMs) {
  if (!failure || afterMs === undefined) return failure?.message;
  return `Failed after ${formatSpan(afterMs)}: ${failure.message}`;
}

/** @param {ReachTrial} trial @param {ReachSummary} summary @returns {Sentence[]} */
function describeOpen({ setUpMs = 0, seen }, { find }) {
  const httpMs = find('http')?.trial?.setUpMs;
  return [
    `Open after ${formatMs(setUpMs)} ms${httpMs ? `; an HTTP connection takes ${formatMs(httpMs)} ms` : ''}.`,
    seen?.httpVersion && `The upgrade reached the server over HTTP/${seen.httpVersion}.`,
  ];
}

/** @param {ReachTrial} trial @returns {Sentence[]} */
function describeRefusal(trial) {
  const { answered } = trial;
  return [`${capitalize(whyNotOpen(trial))}.`, answered && `The response was ${answered.status}: ${answered.headers}.`];
}

/** @param {ReachTrial} trial @param {Checked} checked */
function describeSilence({ livedMs, seen, closeCode }, { planned: { silenceMs = 0 }, result }) {
  if (result === 'pass') return `Answered after ${formatSpan(silenceMs)} of silence.`;
  // In old documents, a later close is the client's own.
  if (livedMs === undefined || livedMs >= silenceMs) return `No answer after ${formatSpan(silenceMs)} of silence.`;
  const codes = [
    ...(closeCode ? [`${closeCode} here`] : []),
    ...(seen?.closeCode ? [`${seen.closeCode} at the server`] : []),
  ];
  const closed = codes.length > 0 ? ` (close code ${codes.join(', ')})` : '';
  return `Closed after ${formatSpan(livedMs)} of silence${closed}.`;
}

/** @param {ReachTrial} trial @param {Checked} checked */
function describeArrival({ failure }, { arrival }) {
  if (failure || !arrival) return failure?.message;
  const { batchCount, maxDelayMs } = arrival;
  const batches = `${batchCount} batch${batchCount === 1 ? '' : 'es'}`;
  return `${EVENTS.count} events, one every ${EVENTS.everyMs} ms, arrived in ${batches}, up to ${formatSpan(maxDelayMs)} late.`;
}

/** @param {ReachTrial} trial @returns {Sentence | Sentence[]} */
function describeConnection(trial) {
  const { protocol, setUpMs, failure, livedMs } = trial;
  if (setUpMs === undefined) return failure?.message;
  return [`Connected over ${protocol} after ${formatSpan(setUpMs)}.`, describeFailure(trial, livedMs)];
}

const NOT_BUFFERED =
  'Let the proxy pass on each piece: HAProxy “option http-no-delay”, nginx “proxy_buffering off”, Apache “flushpackets=on” in ProxyPass, lighttpd “server.stream-response-body = 1”.';

/** @type {Partial<Record<Check, string>>} */
const ADVICE = {
  text: 'Use SockJS without its WebSocket transport, or HTTP requests.',
  binary: 'Send text, such as Base64.',
  'size-64k': 'Send smaller messages.',
  'size-1m': 'Send smaller messages.',
  sockjs: 'Usually nothing: with all its transports, SockJS goes on to the next.',
  events: NOT_BUFFERED,
  stream: NOT_BUFFERED,
  poll: 'Answer long polls sooner.',
  heartbeat: 'Send heartbeats more often, and reconnect when the connection is lost.',
};

/** @param {Checked} checked @param {ReachSummary} summary @returns {string | undefined} of one that failed */
export function adviceOf({ planned: { check }, result, trial }, summary) {
  if (result !== 'fail') return undefined;
  if (check === 'upgrade') return adviceOnOpening(trial);
  if (check === 'silence') return adviseHeartbeat(summary);
  if ((check === 'fallback' || check === 'fallback-default') && trial?.protocol === 'websocket') {
    return 'Leave WebSocket out of SockJS’s option “transports”: its client does not fall back once it is connected.';
  }
  return ADVICE[check];
}

/** @param {ReachTrial} [trial] @returns {string} */
function adviceOnOpening({ seen } = /** @type {ReachTrial} */ ({})) {
  if (seen?.refusal) return 'Try again later. If the server still refuses, ask its operator.';
  if (seen && seen.plainCount > 0)
    return 'Let the proxy pass on the Upgrade and Connection headers: in nginx with proxy_http_version 1.1 and proxy_set_header.';
  return 'Use TLS, which most proxies on the path cannot read, or SockJS, which falls back.';
}

/** The verdicts on a time. */
const TIME_LABELS = Object.freeze({
  ...VERDICT_LABELS,
  'little-faster': 'a little shorter',
  'little-slower': 'a little longer',
});

/**
 * Describes the cost of a message without WebSocket.
 * @param {ReachSummary['latency']} latency @returns {string | undefined} absent without a verdict
 */
export function describeCost({ verdict, timeRatio, protocol, baseline }) {
  if (!verdict || !timeRatio) return undefined;
  if (verdict === 'unclear') {
    const other = baseline === 'fetch' ? 'fetch' : 'WebSocket';
    return `There is ${VERDICT_LABELS.unclear} in latency between ${protocol} and ${other}.`;
  }
  const other = baseline === 'fetch' ? 'a fetch request' : 'over WebSocket';
  const said = isBeyondMargin({ verdict })
    ? ''
    : `: ${nameVerdict({ verdict, ratio: timeRatio }, { labels: TIME_LABELS, isBrief: true })}`;
  return `Over ${protocol}, a SockJS message takes ${formatRatio(timeRatio)} as long as ${other} (95% CI ${formatRange(timeRatio)})${said}.`;
}

/** Describes the latency without WebSocket beside that of the baseline. @param {ReachSummary} summary @returns {string} */
export function describeLatency({ latency: { protocol, baseline, medianMs, baselineMs }, plan }) {
  if (medianMs === undefined || baselineMs === undefined) return 'Too little was measured.';
  const other = baseline === 'fetch' ? 'by fetch' : 'over WebSocket';
  const few = describeTooFewBlocks(plan.blocks);
  const p50 = `p50 ${formatMs(medianMs)} ms over ${protocol}, ${formatMs(baselineMs)} ms ${other}.`;
  return few ? `${p50} ${few}` : p50;
}
