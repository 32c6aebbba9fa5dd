/** Finds polls and long polls among the requests of a page. */
import { byFrequency } from '../base/format.js';
import { mean, median, quantile, sort, sumOf } from '../base/statistics.js';
import { HOUR_MS } from '../net/delivery/model.js';
import { groupBy, groupByPattern } from './groups.js';
import { judgeAnswers } from './news.js';
import { findRhythm } from './rhythm.js';

/**
 * @import { Exchange } from './exchange.js'
 * @import { Group } from './groups.js'
 * @import { News } from './news.js'
 * @import { LongPoll, Poll } from './recording.js'
 * @import { Rhythm } from './rhythm.js'
 * @typedef {{ group: Group, rhythm: Rhythm, news: News }} FoundPoll a poll, as it was found
 */

/** The dots of a poll: two minutes of a fast one. */
const MAX_DOTS = 2000;
const MIN_COUNT = 3;
/** Fewer answers tell too little of what is new. */
const MIN_ANSWERS = 4;

/** The longest tenth of long polls waits so long at least: an answer that takes a second is slow, not held back. */
const LONG_MS = 1000;
/** The next long poll follows an answer within this, or within this share of its time. */
const FOLLOWS = { ms: 50, share: 0.1 };

/**
 * @param {readonly Exchange[]} exchanges in their order @param {number} startMs of the recording
 * @returns {{ polls: Poll[], longPolls: LongPoll[], others: Exchange[], groups: FoundPoll[] }} `groups`: of the polls, in their order
 */
export function findPolls(exchanges, startMs) {
  const candidates = exchanges.filter(({ kind, isFromCache }) => kind === 'data' && !isFromCache);
  const groups = groupByPattern(candidates).filter((group) => group.exchanges.length >= MIN_COUNT);
  const long = groups.filter(isLong);
  const found = groups.flatMap((group) => {
    const rhythm = long.includes(group) ? undefined : findRhythm(group.exchanges);
    return rhythm ? [{ group, rhythm, news: judgeAnswers(group.exchanges.filter(isAnswered)) }] : [];
  });
  found.sort((one, other) => one.rhythm.periodMs - other.rhythm.periodMs);
  const roundTrips = roundTripsOf(exchanges);
  const used = new Set([...long, ...found.map(({ group }) => group)].flatMap((group) => group.exchanges));
  return {
    polls: found.map((one, i) => describePoll(one, { id: `poll-${i + 1}`, startMs, roundTrips })),
    longPolls: long.map(describeLongPoll),
    others: exchanges.filter((one) => !used.has(one)),
    groups: found,
  };
}

/** @param {Poll} poll @returns {boolean} has it enough answers to advise on its news? */
export const tellsNews = ({ count, failedCount }) => count - failedCount >= MIN_ANSWERS;

/** @param {Exchange} exchange @returns {boolean} */
const isAnswered = ({ status }) => status > 0 && status < 400;

/** @param {Group} group @returns {boolean} does each wait at the server, and follow the one before? */
function isLong({ exchanges }) {
  const times = sort(exchanges.map(({ atMs, endMs }) => endMs - atMs));
  const pauses = exchanges.slice(1).map(({ atMs }, i) => atMs - exchanges[i].endMs);
  const followsMs = Math.max(FOLLOWS.ms, FOLLOWS.share * Number(median(times)));
  return Number(quantile(times, 0.9)) >= LONG_MS && Math.abs(Number(median(pauses))) <= followsMs;
}

/** @param {Group} group @returns {LongPoll} */
function describeLongPoll({ method, origin, pattern, exchanges }) {
  const answered = exchanges.filter(isAnswered);
  const gaps = exchanges.slice(1).map(({ atMs }, i) => atMs - exchanges[i].atMs);
  return {
    method,
    pattern,
    origin,
    count: exchanges.length,
    waitMs: medianOf(answered.length > 0 ? answered : exchanges, ({ atMs, endMs }) => endMs - atMs),
    perHour: HOUR_MS / Math.max(1, Number(mean(gaps))),
    bytes: sumOf(exchanges, ({ headBytes, bodyBytes }) => headBytes + bodyBytes),
  };
}

/**
 * @param {readonly Exchange[]} exchanges
 * @returns {Map<string, number>} ms by origin: how long a connection took to open, which is one round trip
 */
function roundTripsOf(exchanges) {
  const opened = exchanges.filter(({ connectMs }) => connectMs !== undefined);
  const byOrigin = groupBy(opened, ({ address }) => address.origin);
  return new Map([...byOrigin].map(([origin, own]) => [origin, medianOf(own, ({ connectMs }) => Number(connectMs))]));
}

/**
 * @param {FoundPoll} found @param {{ id: string, startMs: number, roundTrips: ReadonlyMap<string, number> }} options @returns {Poll}
 */
function describePoll({ group, rhythm, news }, { id, startMs, roundTrips }) {
  const { method, origin, pattern, exchanges } = group;
  const { by, everyMs, spreadMs, periodMs, observedMs } = rhythm;
  const answered = exchanges.filter(isAnswered);
  const fresh = answered.filter((_, i) => news.isNew[i]);
  const same = answered.filter((_, i) => !news.isNew[i]);
  const waits = exchanges.flatMap(({ waitMs }) => (waitMs === undefined ? [] : [waitMs]));
  const roundTripMs = roundTrips.get(origin) ?? waits.reduce((least, ms) => Math.min(least, ms), waits[0] ?? 0);
  const sendsData = new Set(exchanges.map(({ sent }) => sent)).size > 1;
  const library = mostFrequent(exchanges, (one) => one.library);
  return {
    id,
    method,
    pattern,
    origin,
    count: exchanges.length,
    failedCount: exchanges.length - answered.length,
    everyMs,
    spreadMs,
    by,
    periodMs,
    observedMs,
    perHour: HOUR_MS / periodMs,
    ...(answered.length > 0 && { nothingNewShare: 1 - fresh.length / answered.length }),
    nothingNewBy: news.by,
    headBytes: meanOf(exchanges, (one) => one.headBytes),
    bodyBytes: meanOf(exchanges, (one) => one.bodyBytes),
    newBodyBytes: meanOf(fresh.length > 0 ? fresh : exchanges, (one) => one.bodyBytes),
    sameBodyBytes: meanOf(same, (one) => one.bodyBytes),
    httpVersion: mostFrequent(exchanges, (one) => one.httpVersion) ?? '',
    newConnectionShare: exchanges.filter(({ connectMs }) => connectMs !== undefined).length / exchanges.length,
    answerMs: medianOf(exchanges, ({ atMs, endMs }) => endMs - atMs),
    serverMs: Math.max(0, (median(waits) ?? 0) - roundTripMs),
    roundTripMs,
    sendsData,
    isReport: sendsData && answered.every(({ status, size }) => status === 204 || size === 0),
    ...(library && { library }),
    dots: answered.slice(0, MAX_DOTS).map(({ atMs }, i) => ({ atMs: atMs - startMs, isNew: news.isNew[i] })),
  };
}

/** @param {readonly Exchange[]} list @param {(one: Exchange) => number} valueOf @returns {number} */
const meanOf = (list, valueOf) => sumOf(list, valueOf) / Math.max(1, list.length);

/** @param {readonly Exchange[]} list @param {(one: Exchange) => number} valueOf @returns {number} */
const medianOf = (list, valueOf) => Number(median(list.map(valueOf)));

/** @param {readonly Exchange[]} list @param {(one: Exchange) => string | undefined} valueOf @returns {string | undefined} */
const mostFrequent = (list, valueOf) => byFrequency(list.map((one) => valueOf(one) ?? '').filter(Boolean))[0]?.[0];
