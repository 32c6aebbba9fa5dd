/** Reports a run of streams: the conclusion, and the sentences, tables and arrivals that it rests on. */
import { DASH, formatDelay, formatLimits, listOf } from '../../base/format.js';
import { negate } from '../../base/statistics.js';
import { concludeTooFew } from '../../experiment/answer/compare.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';
import { isPolling, streamLabelWithin, streamMethods } from '../../net/stream/index.js';
import { adviceOf, formatTime, nameOf, phraseOf } from './advice.js';
import { arrivalsOf } from './arrivals.js';
import { chooseCompared } from './full-test.js';
import { isCut } from './plan.js';
import { isCollected, UNEVEN_MS } from './summary.js';
import { AT_ONCE, CUT, DETAILS, PROXIES, SETTINGS, shortColumns } from './tables.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { Part } from '../../experiment/run/open-run.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { Compared } from './advice.js'
 * @import { StreamDocument } from './schema.js'
 * @import { StreamRow, StreamSummary } from './summary.js'
 */

/** The heading of what to do where something on the path collects pieces. */
export const COLLECTING_OFF = 'How to turn off proxy buffering';

/** @param {StreamSummary} summary @param {StreamDocument & Pick<Part, 'situation'>} run @returns {OwnReport} */
export function report(summary, { ending, trials, situation }) {
  const { plan, rows, cuts } = summary;
  const isEnded = ending !== undefined;
  const isBroken = isCut(plan);
  const compared = chooseCompared(summary, situation);
  const { rule, text, waiting } = adviceOf(summary, compared);
  const isTooFew = rule.name === 'few blocks';
  const own = rows.filter(({ atOnce }) => atOnce === plan.atOnce[0]);
  return {
    heading: 'How an answer arrives',
    counted: 'piece',
    ...(!isEnded && { conclusion: text, ...(isTooFew && concludeTooFew(text)) }),
    sentences: isEnded
      ? []
      : [
          ...describeDifference(compared),
          ...(isBroken ? [] : describeEventSource(summary)),
          ...describeAtOnce(rows.filter((row) => !waiting.includes(row))),
          ...describeLimit(own, plan.atOnce),
          ...describeBursts(own),
        ],
    notes: isEnded ? [] : describeServer(rows),
    arrivals: arrivalsOf(trials, plan, own),
    tables: [
      ...(isBroken ? [{ heading: 'What the cut cost', columns: CUT, rows: cuts }] : []),
      {
        ...(isBroken && { isFolded: true, heading: 'First piece and longest gap' }),
        columns: shortColumns(plan, own, isEnded),
        rows: own,
      },
      ...(plan.atOnce.length > 1 || plan.atOnce[0] > 1
        ? [{ heading: 'Streams at once', columns: AT_ONCE, rows: rows.filter(({ atOnce }) => atOnce > 1) }]
        : []),
      { heading: 'More figures', isDetail: true, columns: DETAILS, rows },
      ...(!isEnded && own.some(isCollectedOnTheWay)
        ? [{ heading: COLLECTING_OFF, columns: SETTINGS, rows: PROXIES }]
        : []),
    ],
    charts: [],
    method: METHOD,
  };
}

const METHOD = `In each block every method asks for the same answer, in random order. The first piece is due when the server gets the request. Its time counts from the request, and includes any connection that is opened for it. The delay of a piece counts from the request plus the scheduled time, so it is a round trip at least. Pieces flow evenly if the longest gap is at most ${UNEVEN_MS} ms longer than the longest one scheduled. The wait for a first piece that was held back counts as a gap. Intervals are over the blocks: Student’s t, of the logarithms for times and ratios; from order statistics for gaps.`;

/** @param {Compared} compared @returns {string[]} sentences */
function describeDifference({ http, socket, ofSocket, plan }) {
  if (!http || !socket || !ofSocket?.judged.verdict || !ofSocket.laterMs) return [];
  const gaps = `The longest gap was ${formatGap(http)} with ${nameOf(http)}, and ${formatGap(socket)} over ${phraseOf(socket)}.`;
  return [
    `With ${nameOf(http)} the first words came ${describeLater(negate(ofSocket.laterMs))} than over ${phraseOf(socket)} (${describeInterval(plan)}). ${gaps}`,
  ];
}

/** @param {{ atOnce: readonly number[] }} plan @returns {string} of what the interval is */
const describeInterval = ({ atOnce: [fewest] }) => (fewest === 1 ? '95% CI' : `95% CI, ${fewest} streams at once`);

/** @param {Interval} laterMs @returns {string} such as '1.1 ms later to 0.4 ms sooner' */
const describeLater = (laterMs) => formatLimits(laterMs, { gain: 'later', loss: 'sooner', format: formatTime });

/**
 * Says whether an EventSource, which connects again by itself, is as soon as fetch.
 * @param {StreamSummary} summary @returns {string[]} a sentence, if both were measured
 */
function describeEventSource({ plan, rows, compare }) {
  const [byFetch, byEvents] = ['fetch', 'events'].map((name) => rows.find(({ method }) => method === name));
  if (!byFetch || !byEvents) return [];
  const { judged, laterMs } = compare('events', 'fetch');
  return judged.verdict && laterMs
    ? [
        `With ${nameOf(byEvents)}, which connects again by itself, the first words came ${describeLater(laterMs)} than with ${nameOf(byFetch)} (${describeInterval(plan)}).`,
      ]
    : [];
}

/** @param {StreamRow} row */
const formatGap = ({ gap }) => (gap ? formatTime(gap.median) : DASH);

/**
 * @param {readonly StreamRow[]} rows whose waits the conclusion does not say
 * @returns {string[]} a sentence for each method whose streams waited for others
 */
function describeAtOnce(rows) {
  const many = rows.filter(({ atOnce, wait }) => atOnce > HTTP1_CONNECTION_COUNT && wait);
  const waiting = many.filter(({ wait }) => Number(wait?.estimate) > UNEVEN_MS);
  return [
    ...waiting.map(
      (row) =>
        `Of ${row.atOnce} streams at once with ${streamLabelWithin(row.method)}, the last waited on average ${formatDelay(Number(row.wait?.estimate))} longer for its first piece than the first.`,
    ),
    ...(many.length > 0 && waiting.length === 0
      ? [
          `Of ${Math.max(...many.map(({ atOnce }) => atOnce))} streams at once with ${listOf([...new Set(many.map(({ method }) => streamLabelWithin(method)))])}, none waited on average more than ${UNEVEN_MS} ms longer for its first piece than another.`,
        ]
      : []),
  ];
}

/** @param {readonly StreamRow[]} rows @param {readonly number[]} atOnce @returns {string[]} a sentence */
function describeLimit(rows, atOnce) {
  // A poll is over at once.
  const isLimited = rows.some(
    ({ method, protocols }) =>
      !['socket', 'polls'].includes(streamMethods[method].client) && protocols.includes('http/1.1'),
  );
  if (!isLimited || atOnce.some((count) => count > HTTP1_CONNECTION_COUNT)) return [];
  return [
    `Over HTTP/1.1 a browser opens at most ${HTTP1_CONNECTION_COUNT} connections to a site, shared by all tabs: a seventh stream waits. Over HTTP/2 one connection carries about 100 streams at once.`,
  ];
}

/** @param {StreamRow} row whose pieces something collected that is not the method */
const isCollectedOnTheWay = ({ method, flow }) => !isPolling(method) && isCollected(flow);

/** @param {readonly StreamRow[]} rows @returns {string[]} a sentence, if pieces came in bursts */
function describeBursts(rows) {
  const bursts = rows.flatMap(({ method, flow, bytesPerPiece }) => {
    if (isPolling(method) || flow?.name !== 'bursts' || !flow.pieces || !bytesPerPiece) return [];
    const kib = (flow.pieces * bytesPerPiece) / 1024;
    return [`${kib.toFixed(1)} KiB with ${streamLabelWithin(method)}`];
  });
  return bursts.length > 0 ? [`At once came about ${listOf(bursts)}.`] : [];
}

/** A server whose timers are so late is no clock for others. */
const LATE_SERVER_MS = 50;

/** @param {readonly StreamRow[]} rows @returns {string[]} */
function describeServer(rows) {
  // A poll is answered when it comes.
  const streamed = rows.filter(({ method }) => !isPolling(method));
  const most = Math.max(0, ...streamed.map(({ serverLateMs = 0 }) => serverLateMs));
  return most > LATE_SERVER_MS ? [`The server itself sent a piece up to ${formatTime(most)} after it was due.`] : [];
}
