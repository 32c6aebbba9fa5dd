/**
 * `/feed`: feeds over HTTP. A POST makes one; a GET asks for its messages so far; a stream of events brings them as they are due.
 * A cut hits the response to an open request, or to the next one: never the connection of other requests.
 */
import { firstDueAt, MAX_FEED_MS } from '../../core/net/feed/feed.js';
import {
  CACHE_CONTROL,
  answer,
  checkNumber,
  keepEnd,
  parseFields,
  pathOf,
  queryOf,
  RefusalError,
  show,
  toNumber,
} from '../http/exchange.js';
import { openEventStream } from '../channel/event-stream.js';
import { createSilences, createWaits, stallable } from './feed-silences.js';
import { subscribe } from './feed-subscriber.js';
import { createRecords } from '../telemetry/records.js';
import { findFeed, parseFeedQuery, parseSince } from './feeds.js';

/**
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { EndpointParts } from '../parts.js'
 * @import { Endpoint } from '../http/gate.js'
 * @import { EndpointsBelow } from './index.js'
 * @import { Feed } from './feeds.js'
 * @import { Silence } from '../sockets/silence.js'
 * @import { Silences, Waits } from './feed-silences.js'
 * @typedef {{ req: Request, res: Response, feed: Feed }} Asked
 * @typedef {{ since: number, poll: string, lastMs?: number, hasFailed: boolean }} Poll `poll`: its name, by which a repetition is
 *   recognized; `lastMs`: when the client's last poll was answered, since the feed's start; `hasFailed`: the client knows of the cut
 */

const PATH = '/feed';
const ONE = /^\/feed\/([\w-]{1,64})(\/events)?$/;
const POLL = /^[\w-]{8,32}$/;
/** What is remembered of polls that were cut off: a run needs each for seconds. */
const CUT_POLLS = { maxCount: 10_000, keptMs: MAX_FEED_MS };

/** @param {EndpointParts} parts */
export function createFeed(parts) {
  const { feeds, metrics } = parts;
  const silences = createSilences(feeds);
  const waits = createWaits(parts);
  const withStalls = (/** @type {Endpoint} */ endpoint) =>
    stallable(endpoint, { feeds, silences, waits, findFeed: (req) => feeds.find(idIn(req)) });
  /** @type {Endpoint} */
  const maker = {
    methods: ['POST'],
    answer(req, res) {
      const { id, startMs, cut } = feeds.make(parseFeedQuery(queryOf(req)));
      metrics.feedMade(cut);
      answer(res, 201, JSON.stringify({ id, startMs }));
    },
  };
  const poller = withStalls(createPollEndpoint(parts, waits));
  /** Ends each stream that is open. @type {Set<() => void>} */
  const ends = new Set();
  const streamer = withStalls(createStreamEndpoint(parts, { ends, silences }));

  return {
    /** @type {EndpointsBelow['examples']} */
    examples: [
      { pattern: `${PATH}?rate=2&count=4`, methods: ['POST'] },
      { pattern: `${PATH}/:feed?since=0&poll=example-1` },
      { pattern: `${PATH}/:feed/events?since=0` },
    ],

    /** @param {string} path @returns {Endpoint | undefined} absent where the path is not one of a feed */
    endpointAt(path) {
      if (path === PATH) return maker;
      const [, , events] = ONE.exec(path) ?? [];
      if (events) return streamer;
      return path.startsWith(`${PATH}/`) ? poller : undefined;
    },

    /** Ends what waits or streams. */
    closeAll() {
      silences.breakOffAll();
      waits.endAll();
      for (const end of [...ends]) end();
    },
  };
}

/** @param {EndpointParts} parts @param {Request} req @returns {Feed} @throws {RefusalError} */
const feedOf = ({ feeds }, req) => findFeed(feeds, idIn(req));

/** @param {Request} req @returns {string} of a feed, or nothing */
const idIn = (req) => ONE.exec(pathOf(req))?.[1] ?? '';

/** @param {EndpointParts} parts @param {Waits} waits @returns {Endpoint} */
function createPollEndpoint(parts, waits) {
  const { feeds, visitorOf } = parts;
  /** The polls that were cut off here, by feed: a proxy or a browser may repeat one, unknown to the page. */
  const polls = createRecords({ wasCut: false }, { ...CUT_POLLS, now: feeds.now });

  /** @param {Asked} asked @param {Poll} poll @param {boolean} wasCut */
  const respond = ({ res, feed }, { since }, wasCut) => {
    const sinceStartMs = feeds.now() - feed.startMs;
    const end = Math.min(feed.count, firstDueAt(sinceStartMs, feed));
    const messages = Array.from({ length: Math.max(0, end - since) }, (_, i) => since + i);
    answer(res, 200, JSON.stringify({ sinceStartMs, messages, wasCut }));
  };

  /** @param {Asked} asked @param {Poll} poll */
  const cutOff = ({ req, res, feed }, { poll }) => {
    polls.open(`${feed.id} ${poll}`, () => visitorOf(req)).wasCut = true;
    const breakOff = () => void req.socket.resetAndDestroy();
    if (feed.cut === 'reset') breakOff();
    else waits.wait(req, res, feed.cutEndMs, breakOff);
  };

  return {
    methods: ['GET'],
    answer(req, res) {
      const asked = { req, res, feed: feedOf(parts, req) };
      const poll = parsePoll(queryOf(req), asked.feed);
      const { wasCut } = polls.read(`${asked.feed.id} ${poll.poll}`);
      if (!wasCut && isNextAfterCut(asked.feed, poll, feeds.now())) cutOff(asked, poll);
      else respond(asked, poll, wasCut);
    },
  };
}

/** @param {Feed} feed @param {number} nowMs */
const isPast = ({ cutStartMs }, nowMs) => nowMs >= cutStartMs;

/** Is this the client's first poll since a cut that ends polls? @param {Feed} feed @param {Poll} poll @param {number} nowMs */
function isNextAfterCut(feed, { lastMs, hasFailed }, nowMs) {
  const ends = feed.cut === 'reset' || feed.cut === 'dead';
  const wasBefore = lastMs !== undefined && !isPast(feed, feed.startMs + lastMs);
  return ends && isPast(feed, nowMs) && wasBefore && !hasFailed;
}

/** @param {string} query @param {Feed} feed @returns {Poll} @throws {RefusalError} */
function parsePoll(query, feed) {
  const { since, poll = '', last, failed } = parseFields('option', query, ['since', 'poll', 'last', 'failed']);
  if (!POLL.test(poll)) {
    throw new RefusalError('bad-option', `poll: expected 8 to 32 letters, digits, _ or -, got ${show(poll)}`);
  }
  if (failed !== undefined && failed !== '1')
    throw new RefusalError('bad-option', `failed: expected 1, got ${show(failed)}`);
  return {
    since: parseSince(since, feed) ?? 0,
    poll,
    lastMs: last === undefined ? undefined : checkNumber('option', 'last', toNumber(last), 0, Number.MAX_SAFE_INTEGER),
    hasFailed: failed !== undefined,
  };
}

/** @param {EndpointParts} parts @param {{ ends: Set<() => void>, silences: Silences }} own @returns {Endpoint} */
function createStreamEndpoint(parts, { ends, silences }) {
  const { feeds, gate, limits, turns } = parts;
  return {
    methods: ['GET'],
    answer(req, res) {
      const feed = feedOf(parts, req);
      const since = parseStart(req, feed);
      // After the last message, this is what ends an EventSource.
      if ((since ?? firstDueAt(feeds.now() - feed.startMs, feed)) >= feed.count) {
        res.writeHead(204, { 'Cache-Control': CACHE_CONTROL }).end();
        return;
      }
      gate.holdPlace(req, res, 'feeds');
      openEventStream(req, res, { gate, limits }, 'feed sse');
      const finish = () => void res.end();
      const stop = subscribe({
        feed,
        since,
        owned: res,
        now: feeds.now,
        silences,
        turns,
        line: {
          say: (message, n) => res.write(`id: ${n}\ndata: ${message}\n\n`),
          finish,
          goAway: finish,
          socket: () => req.socket,
          silence: () => silenceStream(req, res),
        },
      });
      keepEnd(req, res, { ends, stop });
    },
  };
}

/** Keeps a stream's events back, not its connection, which may carry other requests. @param {Request} req @param {Response} res @returns {Silence} */
function silenceStream({ socket }, res) {
  res.cork();
  return { lift: () => res.uncork(), breakOff: () => void socket.resetAndDestroy() };
}

/** @param {Request} req @param {Feed} feed @returns {number | undefined} the first message to send @throws {RefusalError} */
function parseStart(req, feed) {
  const { since } = parseFields('option', queryOf(req), ['since']);
  // An EventSource that connects again repeats its URL, and adds this.
  const lastId = req.headers['last-event-id'];
  if (lastId === undefined) return parseSince(since, feed);
  return 1 + checkNumber('field', 'Last-Event-ID', toNumber(lastId), 0, feed.count - 1);
}
