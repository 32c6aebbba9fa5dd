/** What is said of a run: the answer in a sentence, a row for each check, how events arrived. */
import { median } from '../../base/statistics.js';
import { fixed, words } from '../../experiment/table.js';
import { describeCheck, formatSpan } from './plan.js';
import { EVENTS } from './stream-checks.js';
import { adviceOf, costOf, describeLatency, evidenceOf, heartbeatOf, reasonOf } from './words.js';

/**
 * @import { Chart, Column, Report } from '../../experiment/contract.js'
 * @import { ReachDocument } from './index.js'
 * @import { Checked, ReachSummary, Result } from './summary.js'
 *
 * @typedef {{ name: string, result: Result, evidence: string, advice?: string, setUpMs?: number, p50Ms?: number, livedMs?: number,
 *   delayMs?: number, failureCount: number }} Row
 */

/** @type {Record<Result, string>} */
const RESULTS = { pass: 'pass', fail: 'fail', untested: 'not tested' };

/** @param {ReachSummary} summary @param {ReachDocument} document @returns {Report} */
export function report(summary, { ending }) {
  const rows = rowsOf(summary);
  return {
    heading: 'What works from here',
    answer: ending ? undefined : answerOf(summary),
    sentences: ending ? [] : describe(summary),
    tables: [
      { columns: COLUMNS, rows },
      { heading: 'Durations', isDetail: true, columns: FIGURES, rows },
    ],
    charts: chartsOf(summary),
    method:
      'Each check has a connection of its own, to an endpoint that sends nothing by itself. The server tells what reached it. The delay of an event is beyond that of the event that came soonest, as the clocks need not agree. The ratio of latencies is the geometric mean over the blocks; its interval is Student’s t of the logarithms. Both by SockJS, which waits 25 ms after each message of a fallback.',
  };
}

/** @param {ReachSummary} summary @returns {string | undefined} */
function answerOf(summary) {
  const { works, find } = summary;
  if (works === undefined) return undefined;
  if (!works) return `WebSockets do not work from here: ${reasonOf(summary)}. ${describeFallback(summary)}`;
  const isBinary = find('binary')?.result !== 'fail';
  const isLarge = ['size-64k', 'size-1m'].every((name) => find(name)?.result !== 'fail');
  const but = isBinary
    ? isLarge
      ? ''
      : ', but large messages do not come back'
    : ', but binary messages do not come back';
  return [`WebSockets work from here${but}.`, describeIdle(summary)].filter(Boolean).join(' ');
}

/** @param {ReachSummary} summary @returns {string} */
function describeIdle(summary) {
  const { idle, find } = summary;
  if (!idle) return '';
  const { livedMs, cutMs, isExact, isSearched } = idle;
  if (cutMs !== undefined) {
    const span = isExact || !isSearched ? formatSpan(cutMs) : `${formatSpan(livedMs)} to ${formatSpan(cutMs)}`;
    const when = isExact
      ? `are cut after about ${span}`
      : isSearched
        ? `are cut after ${span}`
        : `do not survive ${span}`;
    return `Silent connections ${when}: ${heartbeatOf(summary)}.`;
  }
  const beat = find('heartbeat')?.result === 'fail' ? ' A connection with a heartbeat was cut.' : '';
  return `Silent connections stay open for at least ${formatSpan(livedMs)}.${beat}`;
}

/** @param {ReachSummary} summary @returns {string} */
function describeFallback({ find, latency }) {
  const fallback = find('fallback');
  const { protocol, setUpMs } = fallback?.trial ?? {};
  if (setUpMs === undefined) return 'SockJS does not connect either.';
  if (fallback?.result === 'fail') return `SockJS does not notice: it connects by ${protocol}, and then fails, too.`;
  const cost = protocol === 'websocket' ? undefined : costOf(latency);
  return `SockJS connects by ${protocol} after ${formatSpan(setUpMs)}${cost ? `, and each message then takes ${cost}` : ''}.`;
}

/** What the answer does not say. @param {ReachSummary} summary @returns {string[]} */
function describe({ works, latency, find, plan }) {
  // Else the answer has it.
  const isSaid = !works && find('fallback')?.result === 'pass';
  const cost = isSaid ? undefined : costOf(latency);
  const poll = find('poll');
  return [
    ...(cost ? [`Without WebSocket, a message of SockJS (${latency.protocol}) takes ${cost}.`] : []),
    ...describeStreams({ find }),
    ...(poll?.result === 'fail' ? [`A long poll of ${formatSpan(plan.heartbeatMs)} is cut.`] : []),
  ];
}

/** @param {Pick<ReachSummary, 'find'>} summary @returns {string[]} */
function describeStreams({ find }) {
  const streams = STREAMS.map(({ check, label }) => ({ label, checked: find(check) }));
  if (streams.every(({ checked }) => checked?.result === 'pass')) {
    return [`${streams.map(({ label }) => label).join(' and ')} arrive as they are sent.`];
  }
  return streams.flatMap(({ label, checked }) => {
    if (checked?.result !== 'fail') return [];
    const { lumps } = checked;
    return lumps?.isLumpy
      ? [`${label} arrive in lumps, up to ${formatSpan(lumps.largestMs)} late.`]
      : [`${label} do not arrive: ${checked.trial?.failure?.message}`];
  });
}

const STREAMS = /** @type {const} */ ([
  { check: 'events', label: 'Server-sent events', colour: 'sse' },
  { check: 'stream', label: 'xhr-streaming messages', colour: 'sockjs-xhr-streaming' },
]);

/** @param {ReachSummary} summary @returns {Row[]} */
function rowsOf(summary) {
  const { checks, latency } = summary;
  const rows = checks.map((checked) => rowOf(checked, summary));
  const at = checks.findIndex(({ planned }) => planned.check === 'poll');
  const compared = {
    name: describeCheck({ check: 'latency' }),
    result: /** @type {Result} */ (latency.ratio ? 'pass' : 'untested'),
    evidence: describeLatency(latency),
    p50Ms: latency.medianMs,
    failureCount: 0,
  };
  return [...rows.slice(0, at), compared, ...rows.slice(at)];
}

/** @param {Checked} checked @param {ReachSummary} summary @returns {Row} */
function rowOf(checked, summary) {
  const { planned, result, trial, lumps } = checked;
  return {
    name: describeCheck(planned),
    result,
    evidence: evidenceOf(checked, summary),
    advice: adviceOf(checked, summary),
    setUpMs: trial?.setUpMs,
    p50Ms: median(trial?.roundTripMs ?? []),
    livedMs: trial?.livedMs,
    delayMs: lumps?.largestMs,
    failureCount: result === 'fail' ? 1 : 0,
  };
}

/** @type {Column<Row>} */
const NAME = { title: 'Check', isText: true, isKey: true, value: ({ name }) => name };

/** @type {readonly Column<Row>[]} */
const COLUMNS = [
  NAME,
  words('Result', ({ result }) => RESULTS[result]),
  words('Evidence', ({ evidence }) => evidence),
  words('What to do', ({ advice }) => advice),
];

/** @type {readonly Column<Row>[]} */
const FIGURES = [
  NAME,
  { title: 'Connection setup', name: 'set_up_ms', unit: 'ms', value: ({ setUpMs }) => setUpMs, format: fixed(1) },
  { title: 'Round trip, p50', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: fixed(2) },
  { title: 'Lived', name: 'lived_ms', unit: 'ms', value: ({ livedMs }) => livedMs, format: fixed(0) },
  { title: 'Largest delay', name: 'delay_ms', unit: 'ms', value: ({ delayMs }) => delayMs, format: fixed(0) },
  { title: 'Failures', name: 'failures', value: ({ failureCount }) => failureCount },
];

/** @param {ReachSummary} summary @returns {Chart[]} none where no events came */
function chartsOf({ find }) {
  const lines = STREAMS.flatMap(({ check, label, colour }) => {
    const { delayMs } = find(check)?.lumps ?? {};
    return delayMs ? [{ label, colour, hasPoints: true, values: delayMs }] : [];
  });
  if (lines.length === 0) return [];
  return [
    {
      caption: 'Delay of each event, beyond that of the event that came soonest',
      x: { title: 'event' },
      y: { title: 'ms' },
      values: Array.from({ length: EVENTS.count }, (_, i) => i + 1),
      hasDirectLabels: true,
      lines,
    },
  ];
}
