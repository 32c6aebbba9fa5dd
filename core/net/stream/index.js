/** The methods by which an answer is streamed: a row each, and what follows a stream by one, given the platform's means. */
import { sleep } from '../../base/async.js';
import { uncapitalize } from '../../base/format.js';
import { parseJson } from '../../base/foreign-text.js';
import { connect, createChannel } from '../channel/channel.js';
import { kinds, over, withEachKind } from '../channel/index.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { namesOf } from '../rows.js';
import { streamByEventSource } from './by-event-source.js';
import { streamByFetch } from './by-fetch.js';
import { streamByFetchEvents } from './by-fetch-events.js';
import { streamByPolls } from './by-polls.js';
import { streamResuming } from './by-resuming.js';
import { streamBySocket } from './by-socket.js';
import { formatStreamQuery } from './stream.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Socket } from '../channel/channel.js'
 * @import { Piece, StreamOptions } from './stream.js'
 *
 * @typedef {object} StreamRow
 * @property {string} name in links, documents and style sheets, where `--stream-NAME` is its colour
 * @property {string} label for people
 * @property {string} transport that carries it, by its name in core/net/echo/index.js
 * @property {string} endpoint the path on the server
 * @property {string} kind of connection, as the rows of core/net/echo/index.js have it, and with it:
 * @property {string} [sessionPath]
 * @property {readonly string[]} protocols
 * @property {'fetch' | 'fetch-events' | 'event-source' | 'socket' | 'polls'} client
 * @property {string} [module] of the code that was measured, in this folder; default: that of its client
 * @property {boolean} [tellsReads] does its client see which pieces came together?
 * @property {boolean} [isKept] is its connection open before the request, and stays open after the answer?
 * @property {boolean} [resumes] does it ask for the rest where the connection broke?
 * @property {boolean} [isDefault] has a run it, if nothing else is chosen?
 *
 * @typedef {object} StreamClient the platform's means
 * @property {string} baseUrl
 * @property {typeof globalThis.fetch} fetch
 * @property {typeof globalThis.EventSource} EventSource
 * @property {typeof import('eventsource-parser').createParser} createParser
 * @property {(kind: string, path: string) => Socket} openSocket begins to connect
 * @property {() => string | undefined} protocol of its requests
 *
 * @typedef {object} StreamSocket a connection for several streams
 * @property {(message: string) => void} send
 * @property {Map<string, (piece: any, error?: Error) => void>} listeners by tag
 * @property {string | undefined} protocol
 * @property {number} setUpMs
 * @property {boolean} isOpen
 * @property {() => void} close
 *
 * @typedef {object} Followed gets what happens
 * @property {(pieces: Piece[]) => void} onPieces those that came at once, as far as the method can tell
 * @property {(setUpMs: number) => void} onOpen a connection was opened for the stream
 * @property {() => void} onLost the connection broke, and the method asks for the rest
 *
 * @typedef {object} FollowOptions
 * @property {StreamClient} client
 * @property {StreamOptions} stream
 * @property {string} trialId to which the server records the traffic
 * @property {string} tag of the stream among those of its connection
 * @property {StreamSocket} [socket] the one that is open already, for methods that keep one
 * @property {number} intervalMs of polling
 * @property {Now} now
 * @property {AbortSignal} [signal] ends it, with an ExchangeError as its reason
 * @property {Timers} [timers]
 */

const BY_HTTP = { ...over('http', 'stream'), transport: 'fetch', tellsReads: true };
const BY_WEBSOCKET = /** @type {const} */ ({ ...over('websocket', 'stream'), transport: 'ws', client: 'socket' });

/** The methods, in the order of tables and plans. */
export const streamMethods = withEachKind(
  'stream',
  /** @type {StreamRow[]} */ ([
    { ...BY_HTTP, name: 'fetch', label: 'fetch', client: 'fetch', isDefault: true },
    {
      ...BY_HTTP,
      name: 'fetch-resume',
      label: 'fetch with resume',
      client: 'fetch',
      module: 'by-resuming',
      resumes: true,
    },
    {
      ...BY_HTTP,
      name: 'fetch-events',
      label: 'fetch, SSE',
      endpoint: over('event-stream', 'stream').endpoint,
      client: 'fetch-events',
    },
    {
      ...over('event-stream', 'stream'),
      name: 'events',
      label: 'EventSource',
      transport: 'sse',
      client: 'event-source',
      resumes: true,
      isDefault: true,
    },
    { ...BY_WEBSOCKET, name: 'ws', label: 'WebSocket per answer' },
    { ...BY_WEBSOCKET, name: 'ws-resume', label: 'WebSocket with resume', module: 'by-resuming', resumes: true },
    { ...BY_WEBSOCKET, name: 'ws-open', label: 'Open WebSocket', isKept: true, isDefault: true },
    {
      ...over('sockjs', 'stream'),
      name: 'sockjs',
      label: 'SockJS',
      transport: 'sockjs',
      client: 'socket',
      isKept: true,
    },
    {
      ...over('socketio', 'stream'),
      name: 'socketio',
      label: 'Socket.IO',
      transport: 'socketio',
      client: 'socket',
      isKept: true,
    },
    {
      ...BY_HTTP,
      name: 'poll',
      label: 'Polling',
      endpoint: `${BY_HTTP.endpoint}/poll`,
      client: 'polls',
      isDefault: true,
    },
  ]),
  /** @returns {StreamRow} */
  (row) => ({ ...row, transport: row.name, client: 'socket', isKept: true }),
);

/** Their labels, in that order. @type {Readonly<Record<string, string>>} */
export const STREAM_LABELS = Object.freeze(
  Object.fromEntries(Object.values(streamMethods).map(({ name, label }) => [name, label])),
);

/** @param {string} name of a method @returns {string} its label within a sentence, such as 'open WebSocket' */
export const streamLabelWithin = (name) => uncapitalize(STREAM_LABELS[name]);

export const DEFAULT_STREAM_METHODS = namesOf(streamMethods, ({ isDefault }) => isDefault);

/** @param {string} name of a row @returns {string} of the module in this folder that was measured */
export const moduleOf = (name) => streamMethods[name].module ?? `by-${streamMethods[name].client}`;

/**
 * Opens a connection over which streams are asked for by messages.
 * @param {string} name of a row whose client is a socket @param {{ client: StreamClient, now: Now, signal?: AbortSignal }} options
 * @returns {Promise<StreamSocket>} rejects with an ExchangeError
 */
export async function openStreamSocket(name, { client, now, signal }) {
  const { kind, endpoint } = streamMethods[name];
  const channel = await connect(() => createChannel(client.openSocket(kind, endpoint), kinds[kind]), { now, signal });
  /** @type {StreamSocket['listeners']} */
  const listeners = new Map();
  const fail = (/** @type {Error} */ error) => {
    for (const listener of [...listeners.values()]) listener(undefined, error);
  };
  channel.on({
    message(data) {
      const piece = typeof data === 'string' ? parseJson(data) : data;
      const rejection = parseRejection(piece);
      if (!rejection || piece.tag !== undefined) listeners.get(piece?.tag)?.(piece, rejection);
      else {
        // It may be of any.
        fail(rejection);
        channel.end();
      }
    },
    end: fail,
  });
  return {
    send: channel.send,
    listeners,
    protocol: channel.protocol,
    setUpMs: channel.setUpMs,
    get isOpen() {
      return channel.isOpen;
    },
    close: channel.end,
  };
}

/** @typedef {{ id: string, since: number } | undefined} Rest of a stream whose connection broke; absent: all of a new one */

/**
 * How each client asks for a stream, or for the rest of one.
 * @type {Record<StreamRow['client'], (row: StreamRow, options: FollowOptions, followed: Followed, rest: Rest) => Promise<void>>}
 */
const CLIENTS = {
  fetch: (row, options, { onPieces }, rest) => streamByFetch(urlOf(row, options, rest), onPieces, meansOf(options)),
  'fetch-events': (row, options, { onPieces }, rest) =>
    streamByFetchEvents(urlOf(row, options, rest), onPieces, meansOf(options)),
  'event-source': (row, options, { onPieces, onLost }) =>
    streamByEventSource(urlOf(row, options), onPieces, { ...meansOf(options), onLost }),
  socket: async ({ name }, options, { onPieces, onOpen }, rest) => {
    const { socket: kept, stream, trialId: trial, tag, signal } = options;
    const socket = kept ?? (await openStreamSocket(name, options));
    if (!kept) onOpen(socket.setUpMs);
    try {
      await streamBySocket(socket, { ...(rest ?? stream), trial, tag }, onPieces, { signal });
    } finally {
      if (!kept) socket.close();
    }
  },
  polls: (row, options, { onPieces }) =>
    streamByPolls(urlOf(row, options), onPieces, {
      ...meansOf(options),
      nextUrl: (id, since) => urlOf(row, options, { id, since }),
      wait: () => sleep(options.intervalMs, options),
    }),
};

/** @param {FollowOptions} options */
const meansOf = ({ client: { fetch, EventSource, createParser }, signal }) => ({
  fetch,
  EventSource,
  createParser,
  signal,
});

/** @param {StreamRow} row @param {FollowOptions} options @param {Rest} [rest] */
function urlOf({ endpoint }, { client: { baseUrl }, stream, trialId }, rest) {
  const asked = rest ? `id=${rest.id}&since=${rest.since}` : formatStreamQuery(stream);
  return `${baseUrl}${endpoint}?${asked}&trial=${trialId}`;
}

/** Does a method poll for the pieces, so that nothing streams? @param {string} method @returns {boolean} */
export const isPolling = (method) => streamMethods[method].client === 'polls';

/**
 * Asks for a stream, and follows it until its last piece.
 * @param {string} name of a row @param {FollowOptions} options @param {Followed} followed gets what happens; what `onPieces` throws
 *   ends it
 * @returns {Promise<void>} rejects with an ExchangeError where it ended before
 */
export async function followStream(name, options, followed) {
  const row = streamMethods[name];
  const { signal, socket, timers } = options;
  const over = new AbortController();
  const either = AbortSignal.any(signal ? [signal, over.signal] : [over.signal]);
  let hasLast = false;
  const onPieces = (/** @type {Piece[]} */ pieces) => {
    pieces.forEach(checkPiece);
    followed.onPieces(pieces);
    hasLast = pieces[pieces.length - 1].last === true;
  };
  const ask = (/** @type {Rest} */ rest, /** @type {Followed['onPieces']} */ take) =>
    CLIENTS[row.client](row, { ...options, signal: either }, { ...followed, onPieces: take }, rest);
  try {
    signal?.throwIfAborted();
    // An EventSource resumes by itself.
    if (row.resumes && row.client !== 'event-source') {
      const wait = (/** @type {number} */ ms) => sleep(ms, { signal, timers });
      await streamResuming(ask, onPieces, {
        onLost: followed.onLost,
        isFinal: (error) => isFinal(error, signal),
        wait,
      });
    } else await ask(undefined, onPieces);
    if (!hasLast) throw new ExchangeError('closed', 'The stream ended before its last piece.');
  } catch (error) {
    const failure = toExchangeError(error, signal);
    // A connection that brought nothing in time is of no use to what comes next; the others over it go on after any other failure.
    if (failure.outcome === 'timeout') socket?.close();
    throw failure;
  } finally {
    // Whichever way it ended, nothing stays open.
    over.abort();
  }
}

/** @param {any} piece as it came @throws {ExchangeError} */
function checkPiece(piece) {
  if (Number.isInteger(piece?.n) && typeof piece.ms === 'number' && typeof piece.text === 'string') return;
  throw new ExchangeError('mismatch', 'What came is not a piece of the stream.');
}

/** A server that restarts refuses requests for a moment. @param {any} error @param {AbortSignal} [signal] @returns {boolean} */
const isFinal = (error, signal) => toExchangeError(error, signal).outcome !== 'closed' && !(error.cause >= 500);

/** @param {any} error @param {AbortSignal} [signal] @returns {ExchangeError} for the visitor */
function toExchangeError(error, signal) {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ExchangeError) return error;
  if (error instanceof SyntaxError) return new ExchangeError('mismatch', 'A piece is not JSON.');
  const { message, cause } = error;
  // The platform's message is not for visitors.
  return cause === 'refused' || typeof cause === 'number'
    ? new ExchangeError('rejected', message)
    : new ExchangeError('closed', 'The connection broke.');
}
