/** Reports a run: the conclusion in a sentence, a row for each check, how events arrived. */
import { formatSpan, listOf, formatCount } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { fixed, words } from '../../experiment/report/table.js';
import { conclusionOf, elsewhereOf } from './conclusion.js';
import { describeCheck } from './plan.js';
import { EVENTS } from './stream-checks.js';
import { hasSearch } from './summary.js';
import { adviceOf, describeCost, describeLatency, evidenceOf } from './words.js';

/**
 * @import { Chart } from '../../picture/plot.js'
 * @import { Column } from '../../experiment/report/table.js'
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { ReachDocument } from './schema.js'
 * @import { Checked, ReachSummary, Result } from './summary.js'
 *
 * @typedef {{ name: string, result: Result, evidence: string, advice?: string, setUpMs?: number, p50Ms?: number,
 *   livedMs?: number, delayMs?: number, failureCount: number }} Row
 */

/** @param {ReachSummary} summary @param {ReachDocument} document @returns {OwnReport} */
export function report(summary, { ending }) {
  const rows = rowsOf(summary);
  const all = hasSearch(summary.plan) ? rows : [...rows, NO_SEARCH];
  return {
    heading: 'What works from here',
    conclusion: ending ? undefined : conclusionOf(summary),
    elsewhere: ending ? undefined : elsewhereOf(summary),
    sentences: ending ? [] : describe(summary),
    tables: [
      { columns: COLUMNS, rows: all, parts: partsOf(all) },
      { heading: 'Durations', isDetail: true, columns: FIGURES, rows },
    ],
    charts: chartsOf(summary),
    method:
      'Each check uses its own connection. The server reports what reached it. A delay is relative to the fastest event, because the two clocks may differ. The ratio of latencies is the geometric mean over the blocks, with Student’s t interval.',
  };
}

/** Describes what the conclusion leaves out. @param {ReachSummary} summary @returns {string[]} */
function describe({ latency, find, plan }) {
  return [
    [describeCost(latency), ...describeWaits(latency)].filter(Boolean).join(' '),
    ...describeStreams({ find }),
    ...(find('poll')?.result === 'fail' ? [`A long poll of ${formatSpan(plan.heartbeatMs)} fails.`] : []),
  ].filter(Boolean);
}

/** @param {ReachSummary['latency']} latency @returns {string[]} why a fallback takes longer than its path: sentences, none without one */
function describeWaits({ protocol, medianMs }) {
  if (medianMs === undefined) return [];
  return [
    'Over a fallback, the SockJS client waits 25 ms after each message.',
    ...(protocol === 'xhr-streaming' ? ['Browsers pass xhr-streaming data to the page at most once every 50 ms.'] : []),
  ];
}

/** @param {{ find: ReachSummary['find'] }} summary @returns {string[]} */
function describeStreams({ find }) {
  const streams = STREAMS.map(({ check, label }) => ({ label, checked: find(check) }));
  if (streams.every(({ checked }) => checked?.result === 'pass')) {
    return [`${listOf(streams.map(({ label }) => label))} messages arrive one by one, not in batches.`];
  }
  return streams.flatMap(({ label, checked }) => {
    if (checked?.result !== 'fail') return [];
    const { arrival, trial } = checked;
    return arrival?.isBatched
      ? [`${label} messages arrive in batches, up to ${formatSpan(arrival.maxDelayMs)} late.`]
      : [`${label} messages do not arrive: ${trial?.failure?.message}`];
  });
}

const STREAMS = /** @type {const} */ ([
  { check: 'events', label: 'EventSource', colour: 'sse' },
  { check: 'stream', label: 'xhr-streaming', colour: 'sockjs-xhr-streaming' },
]);

/** What a plan leaves out, unless it asks for it. @type {Row} */
const NO_SEARCH = {
  name: describeCheck({ check: 'idle' }),
  result: 'untested',
  evidence: 'The plan does not search for it.',
  failureCount: 0,
};

/** @param {ReachSummary} summary @returns {Row[]} */
function rowsOf(summary) {
  const { checks, latency } = summary;
  const rows = checks.map((checked) => rowOf(checked, summary));
  const at = checks.findIndex(({ planned }) => planned.check === 'poll');
  const compared = {
    name: describeCheck({ check: 'latency' }),
    result: latency.result,
    evidence: describeLatency(summary),
    p50Ms: latency.medianMs,
    failureCount: 0,
  };
  return [...rows.slice(0, at), compared, ...rows.slice(at)];
}

/** @param {Checked} checked @param {ReachSummary} summary @returns {Row} */
function rowOf(checked, summary) {
  const { planned, result, trial, arrival } = checked;
  return {
    name: describeCheck(planned),
    result,
    evidence: evidenceOf(checked, summary),
    advice: adviceOf(checked, summary),
    setUpMs: trial?.setUpMs,
    p50Ms: median(trial?.roundTripMs ?? []),
    livedMs: trial?.livedMs,
    delayMs: arrival?.maxDelayMs,
    failureCount: result === 'fail' ? 1 : 0,
  };
}

/** @type {Column<Row>} */
const NAME = { title: 'Check', isText: true, isKey: true, value: ({ name }) => name };

/** @type {Column<Row>} */
const EVIDENCE = words('Evidence', ({ evidence }) => evidence);
/** @type {Column<Row>} */
const ADVICE = words('What to do', ({ advice }) => advice);
/** @type {readonly Column<Row>[]} */
const COLUMNS = [
  NAME,
  words('Result', ({ result }) => (result === 'untested' ? 'not tested' : result)),
  EVIDENCE,
  ADVICE,
];

/**
 * @param {readonly Row[]} rows
 * @returns {NonNullable<OwnReport['tables'][number]['parts']>} by their results; those that failed first
 */
function partsOf(rows) {
  const rowsWith = (/** @type {Result} */ result) => rows.filter((row) => row.result === result);
  const [failed, passed, untested] = [rowsWith('fail'), rowsWith('pass'), rowsWith('untested')];
  return [
    { heading: `${countChecks(failed)} failed`, columns: [NAME, EVIDENCE, ADVICE], rows: failed },
    { heading: `${countChecks(passed)} passed`, isFolded: true, columns: [NAME, EVIDENCE], rows: passed },
    { heading: `${countChecks(untested)} not tested`, isFolded: true, columns: [NAME, EVIDENCE], rows: untested },
  ].filter((part) => part.rows.length > 0);
}

/** @param {readonly Row[]} rows */
const countChecks = ({ length }) => formatCount(length, 'check');

/** @type {readonly Column<Row>[]} */
const FIGURES = [
  NAME,
  { title: 'Connection setup', name: 'set_up_ms', unit: 'ms', value: ({ setUpMs }) => setUpMs, format: fixed(1) },
  { title: 'Round trip, p50', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: fixed(2) },
  { title: 'Lifetime', name: 'lived_ms', unit: 'ms', value: ({ livedMs }) => livedMs, format: fixed(0) },
  { title: 'Largest delay', name: 'delay_ms', unit: 'ms', value: ({ delayMs }) => delayMs, format: fixed(0) },
  { title: 'Failures', name: 'failures', value: ({ failureCount }) => failureCount },
];

/** @param {ReachSummary} summary @returns {Chart[]} none if no events came */
function chartsOf({ find }) {
  const lines = STREAMS.flatMap(({ check, label, colour }) => {
    const { delayMs } = find(check)?.arrival ?? {};
    return delayMs ? [{ label, colour, hasPoints: true, values: delayMs }] : [];
  });
  if (lines.length === 0) return [];
  return [
    {
      caption: 'Delay of each event, relative to the fastest event',
      isDetail: true,
      x: { title: 'Event', isCount: true },
      y: { title: 'Delay, ms' },
      values: Array.from({ length: EVENTS.count }, (_, i) => i + 1),
      hasDirectLabels: true,
      lines,
    },
  ];
}
