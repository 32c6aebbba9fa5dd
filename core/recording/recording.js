/**
 * Reads a recording of a page's network traffic, a HAR file, and finds what the page polls. Nothing of it is sent anywhere.
 * The format: http://www.softwareishard.com/blog/har-12-spec/
 */
import { formatCount } from '../base/format.js';
import { findChains } from './chains.js';
import { readExchange } from './exchange.js';
import { createHarReader } from './har-file.js';
import { splitLasting } from './lasting.js';
import { notesOn } from './notes.js';
import { findPolls } from './polls.js';
import { nameSites } from './sites.js';

/**
 * @import { Exchange } from './exchange.js'
 * @import { Problem } from './har-file.js'
 *
 * @typedef {object} Dot one answer of a poll
 * @property {number} atMs when its request left, since the first request of the recording
 * @property {boolean} isNew did it hold anything that the one before did not?
 *
 * @typedef {object} Poll an address that the page asks again and again
 * @property {string} id of this poll in this recording, like 'poll-1'
 * @property {string} method
 * @property {string} pattern its address without origin; identifiers, digits and what varies are `*`
 * @property {string} origin such as 'https://example.org'
 * @property {Site} [site] where the recording has several
 * @property {number} count of its requests
 * @property {number} failedCount of these without an answer, or with a status of 400 or more
 * @property {number} everyMs from one request to the next by a timer, or from an answer to the next request by a pause
 * @property {number} spreadMs half of these times are within so much
 * @property {'timer' | 'pause'} by
 * @property {number} periodMs from one request to the next, on average
 * @property {number} observedMs the time in which it was seen: not while the page was hidden, or the device asleep
 * @property {number} perHour its requests per hour of use
 * @property {number} [nothingNewShare] 0 to 1, of its answers; absent without any
 * @property {NewsSource} nothingNewBy what tells that: the weakest of what its answers have
 * @property {number} headBytes of a request and its answer, on average
 * @property {number} bodyBytes of a request and its answer, on average
 * @property {number} newBodyBytes of an answer with something new, on average; as `bodyBytes` where there is none
 * @property {number} sameBodyBytes of an answer with nothing new, on average; 0 where there is none
 * @property {string} httpVersion such as 'HTTP/1.1' or 'HTTP/2'; empty where the file does not say
 * @property {number} newConnectionShare 0 to 1, of its requests
 * @property {number} answerMs the median time from a request to the end of its answer
 * @property {number} serverMs the median time that the answer waited for the server, without the round trip
 * @property {number} roundTripMs measured where connections were opened, else the shortest wait, which the server is part of
 * @property {boolean} sendsData do its requests have bodies that differ?
 * @property {boolean} isReport does it only send data, as its answers are empty?
 * @property {string} [library] that sent it, such as 'jQuery', where the file says
 * @property {readonly Dot[]} dots of the first answers, at most 2,000
 *
 * @typedef {'body' | 'status' | 'etag' | 'size'} NewsSource
 *
 * @typedef {object} LongPoll requests that wait at the server, each after the one before
 * @property {string} method
 * @property {string} pattern
 * @property {string} origin such as 'https://example.org'
 * @property {Site} [site] where the recording has several
 * @property {number} count
 * @property {number} waitMs the median time of an answer
 * @property {number} perHour
 * @property {number} bytes
 *
 * @typedef {{ host: string, number: number }} Site one of several origins of what was found: exports have its number only
 *
 * @typedef {object} Stream an event stream, or a WebSocket
 * @property {string} pattern
 * @property {string} origin such as 'https://example.org', also of a WebSocket
 * @property {Site} [site] where the recording has several
 * @property {number} status of a connection that opened, else of the last; 0 where no answer came
 * @property {number} count of its connections
 * @property {number} [receivedCount] messages from the server, where the file has them
 * @property {number} [sentCount] messages to the server, where the file has them
 * @property {number} [bytes] of these messages
 *
 * @typedef {{ pattern: string, origin: string, site?: Site }} Step a request of a chain; `site`: where the recording has several
 * @typedef {object} Chain requests of which each left just after the answer of the one before
 * @property {readonly Step[]} steps
 * @property {number} ms
 *
 * @typedef {object} Note what limits a figure, in a sentence
 * @property {string} code
 * @property {string} text
 * @property {number} count
 *
 * @typedef {object} Recording
 * @property {string} createdBy the browser or tool, and its version
 * @property {number} seconds from the first request to the last answer
 * @property {number} requests of all kinds
 * @property {readonly Poll[]} polls the most frequent first
 * @property {readonly LongPoll[]} longPolls
 * @property {readonly Stream[]} eventStreams
 * @property {readonly Stream[]} webSockets
 * @property {readonly Chain[]} chains the longest first
 * @property {{ requests: number, bytes: number, sends: number }} rest `sends`: requests with a body that fetch or XHR sent
 * @property {readonly Note[]} notes
 * @property {readonly Problem[]} problems of the file: what was expected, and what came
 *
 * @typedef {object} ReadOptions
 * @property {(share: number) => void} [onProgress] 0 to 1 of the file
 * @property {number} [maxRequests] of more, only the first are read
 * @property {AbortSignal} [until] its abort ends the reading, which rejects with its reason
 */

/** How long the reader works before it reports its progress, and listens to the signal. */
const SLICE_MS = 50;
const TOGETHER_MS = 1000;
/** A page of an hour has 10,000. */
const MAX_REQUESTS = 200_000;

/**
 * Reads a HAR file. What is whole of a broken file is read, and `problems` says what is wrong.
 * @param {string} text @param {ReadOptions} [options] @returns {Promise<Recording>}
 * @throws {InvalidInputError} if it is no HAR file, or has no request that can be read
 */
export async function readRecording(text, { onProgress = () => {}, until, maxRequests = MAX_REQUESTS } = {}) {
  const reader = createHarReader(text);
  /** @type {Exchange[]} */
  const exchanges = [];
  let sliceEndMs = Date.now() + SLICE_MS;
  for (const { entry, end } of reader.entries()) {
    if (exchanges.length === maxRequests) {
      reader.complain(`Expected at most ${formatCount(maxRequests, 'request')}, got more: the first were read.`);
      break;
    }
    const exchange = tryToRead(entry, reader.complain);
    if (exchange) exchanges.push(exchange);
    if (Date.now() < sliceEndMs) continue;
    onProgress(end / text.length);
    await letOthersRun();
    until?.throwIfAborted();
    sliceEndMs = Date.now() + SLICE_MS;
  }
  const { createdBy } = reader.finish(exchanges.length);
  checkOrder(exchanges, reader.complain);
  onProgress(1);
  return { ...describe(exchanges), createdBy, problems: reader.problems() };
}

/**
 * Anything may stand where a file should have a number or a text: one such request costs no other.
 * @param {unknown} entry @param {(problem: string) => void} complain @returns {Exchange | undefined}
 */
function tryToRead(entry, complain) {
  try {
    return readExchange(entry, complain);
  } catch {
    complain('Expected a request as the format has it, got one that cannot be read: it is left out.');
    return undefined;
  }
}

/** Events, such as the message that ends a worker's reading, come between two tasks. @returns {Promise<void>} */
const letOthersRun = () => new Promise((resolve) => void setTimeout(resolve));

/**
 * Sorts requests by their time. Browsers save what left together in any order; whole files that were put together have others.
 * @param {Exchange[]} exchanges @param {(text: string) => void} complain
 */
function checkOrder(exchanges, complain) {
  let latestMs = -Infinity;
  let lateCount = 0;
  for (const { atMs } of exchanges) {
    if (atMs < latestMs - TOGETHER_MS) lateCount++;
    latestMs = Math.max(latestMs, atMs);
  }
  if (lateCount > 0)
    complain(
      `Expected requests in the order of their times, got ${formatCount(lateCount, 'request')} before an earlier one: they were sorted.`,
    );
  exchanges.sort((one, other) => one.atMs - other.atMs);
  if (exchanges.length === 1)
    complain('Expected many requests, got 1: record the page for two minutes, so that its polls show.');
}

/** @param {readonly Exchange[]} exchanges in the order of their times @returns {Omit<Recording, 'createdBy' | 'problems'>} */
function describe(exchanges) {
  const startMs = exchanges[0].atMs;
  const endMs = exchanges.reduce((latest, one) => Math.max(latest, one.endMs), startMs);
  const { eventStreams, webSockets, others } = splitLasting(exchanges);
  const { polls, longPolls, others: rest, groups } = findPolls(others, startMs);
  const chains = findChains(rest);
  const steps = chains.flatMap((chain) => chain.steps);
  nameSites([...polls, ...eventStreams, ...webSockets, ...longPolls, ...steps]);
  return {
    seconds: (endMs - startMs) / 1000,
    requests: exchanges.length,
    polls,
    longPolls,
    eventStreams,
    webSockets,
    chains,
    rest: {
      requests: rest.length,
      bytes: rest.reduce((sum, one) => sum + one.headBytes + one.bodyBytes, 0),
      sends: rest.filter(({ isByScript, sent }) => isByScript && sent !== undefined).length,
    },
    notes: notesOn({ exchanges, polls, groups }),
  };
}
