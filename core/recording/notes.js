/** What limits the figures of a recording: what browsers leave out when they save, and what the page did besides. */
import { formatCount } from '../base/format.js';
import { formatEvery } from './words.js';

/**
 * @import { Exchange } from './exchange.js'
 * @import { FoundPoll } from './polls.js'
 * @import { Note, Poll } from './recording.js'
 * @typedef {{ exchanges: readonly Exchange[], polls: readonly Poll[], groups: readonly FoundPoll[] }} Noted `groups`: as the polls
 */

const SHORT_MS = 60_000;
const BY_WORDS = Object.freeze({
  status: 'by their status (304)',
  etag: 'by their ETag',
  size: 'by their size: news of the same size is not seen',
});

/**
 * @type {readonly { code: string, count: (noted: Noted) => number, text: (noted: Noted, count: number) => string }[]} a note is
 *   made where its count is above 0
 */
const NOTES = [
  {
    code: 'short',
    count: ({ polls }) => (polls.length > 0 && longestMs(polls) < SHORT_MS ? 1 : 0),
    text: ({ polls }) =>
      `The recording has ${formatCount(Math.round(longestMs(polls) / 1000), 'second')} of polls: in two minutes, shares and slow polls show better.`,
  },
  {
    code: 'bodies-missing',
    count: ({ polls }) => polls.filter(({ nothingNewBy }) => nothingNewBy !== 'body').length,
    text: ({ polls }, count) => {
      const ways = polls.flatMap(({ nothingNewBy: by }) => (by === 'body' ? [] : [BY_WORDS[by]]));
      return `${formatCount(count, 'poll')} without the bodies of answers: what is new was found ${[...new Set(ways)].join(', or ')}.`;
    },
  },
  {
    code: 'credentials-missing',
    count: ({ exchanges }) => (exchanges.some(({ hasCredentials }) => hasCredentials) ? 0 : 1),
    text: () =>
      'No request has a cookie or an authorization: browsers may leave them out when they save. Headers whose size the file does not have count without them.',
  },
  {
    code: 'heads-compressed',
    count: ({ groups }) => groups.filter(({ group }) => group.exchanges.some((one) => one.isHeadCompressed)).length,
    text: () =>
      'Over HTTP/2 and HTTP/3, headers of requests count as they were before their compression: at most so many bytes.',
  },
  {
    code: 'clock-ignored',
    count: ({ groups }) => groups.filter(({ news }) => news.ignoresClock).length,
    text: (_, count) =>
      `The server’s time, which is in each answer of ${formatCount(count, 'poll')}, does not count as news.`,
  },
  {
    code: 'interval-changes',
    count: ({ groups }) => groups.filter(({ rhythm }) => rhythm.isChanging).length,
    text: ({ groups }) => {
      const { everyMs, spreadMs } = groups.filter(({ rhythm }) => rhythm.isChanging)[0].rhythm;
      return `An interval changes by about ${formatEvery(spreadMs)} around ${formatEvery(everyMs)}: figures per hour use its mean.`;
    },
  },
  {
    code: 'several-timers',
    count: ({ groups }) => groups.filter(({ rhythm }) => rhythm.timerCount > 1).length,
    text: ({ groups }) => {
      const { timerCount } = groups.filter(({ rhythm }) => rhythm.timerCount > 1)[0].rhythm;
      return `${timerCount} timers, or tabs, poll the same address: one of them would do.`;
    },
  },
  {
    code: 'failed',
    count: ({ polls }) => polls.reduce((sum, { failedCount }) => sum + failedCount, 0),
    text: (_, count) => `${formatCount(count, 'poll')} failed or had no answer: these tell nothing about news.`,
  },
  {
    code: 'preflights',
    count: ({ exchanges }) => exchanges.filter(({ kind }) => kind === 'preflight').length,
    text: (_, count) =>
      `${formatCount(count, 'more request')} asked other sites for permission (CORS preflight): they are in no figure of a poll.`,
  },
];

/** @param {readonly Poll[]} polls @returns {number} the time in which one of them was seen: breaks do not count */
const longestMs = (polls) => Math.max(...polls.map(({ observedMs }) => observedMs));

/** @param {Noted} noted @returns {Note[]} */
export const notesOn = (noted) =>
  NOTES.flatMap(({ code, count: countIn, text }) => {
    const count = countIn(noted);
    return count > 0 ? [{ code, text: text(noted, count), count }] : [];
  });
