/**
 * SockJS below one path, over any of its transports.
 *
 * sockjs-node is given requests one by one instead of the whole server, so that the gate comes first, and so that a
 * request for another worker's session can be relayed.
 */
import { parseJson } from '../../core/base/foreign-text.js';
import { RefusalError, pathOf, show } from '../http/exchange.js';
import { NO_BODY } from '../http/body.js';
import { Relay } from '../relay.js';
import { GOING_AWAY, isFromWorker } from '../workers.js';
import { withBody } from '../sockets/posts.js';
import { handOn, POST_TYPES, readPost } from '../sockets/sockjs-posts.js';
import { createSessions } from '../sockets/sockjs-sessions.js';

/**
 * @import { EndpointParts } from '../parts.js'
 * @import { Endpoint, Upgrade } from '../http/gate.js'
 * @import { EndpointsBelow } from '../endpoints/index.js'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Post } from '../sockets/sockjs-posts.js'
 * @import { SessionOptions } from '../sockets/sockjs-sessions.js'
 * @import { SocketLimits } from '../sockets/socket-meter.js'
 * @import { Adapter, Asked, Protocol } from './index.js'
 *
 * @typedef {object} OwnOptions
 * @property {SocketLimits} [rawLimits] of WebSockets without SockJS's frames, absent where none can be opened
 * @property {string} [query] as a protocol has it, and those below
 * @property {Protocol['look']} [look]
 * @property {string} [unframedPath]
 * @typedef {SessionOptions & EndpointParts & OwnOptions} SockjsOptions `prefix`: a slash and letters
 */

/** Requests that open a session if there is none yet. */
const RECEIVERS = new Set(['xhr', 'xhr_streaming', 'eventsource', 'htmlfile', 'jsonp']);
/**
 * The paths of the SockJS protocol below a prefix.
 * @type {readonly { method?: string, path: string, query?: string }[]}
 */
const EXAMPLES = [
  { path: '/info' },
  { path: '/iframe.html' },
  { path: '/websocket' },
  { path: '/:server/:session/websocket' },
  { path: '/:server/:session/xhr', method: 'POST' },
  { path: '/:server/:session/xhr_streaming', method: 'POST' },
  { path: '/:server/:session/xhr_send', method: 'POST' },
  { path: '/:server/:session/eventsource' },
  { path: '/:server/:session/htmlfile', query: 'c=callback' },
  { path: '/:server/:session/jsonp', query: 'c=callback' },
  { path: '/:server/:session/jsonp_send', method: 'POST' },
];
/**
 * Matches the name of a server or a session. sockjs-node parses a path as a URL, where `#` ends it and `\\` is a slash.
 */
const NAME = '[^/.#\\\\]+';
/** Replaces a post with more messages than any client sends. */
const NO_MESSAGES = '[]';
/** An action of our own: one worker asks another to close a session whose answer it has been relaying. */
const CLOSE = 'close';

/** The size of the frame that its clients put around a text: `["..."]`. */
const FRAMING_BYTES = 4;

/** Lets clients converse over SockJS below a path. @type {Adapter} */
export function acceptSockjs(parts, protocol, { path, name }) {
  const { converse, frameLimits, hasLongMessages, isUnframed, limits } = protocol;
  return createSockjs({
    ...parts,
    ...protocol,
    prefix: path,
    nameOf: (transport) => `${name} ${transport}`,
    limits: frameLimits?.(FRAMING_BYTES) ?? parts.limits,
    rawLimits: isUnframed ? limits : undefined,
    // Its library drops a client whose pong does not arrive within 10 s, though it may be queued behind a long message.
    heartbeatMs: hasLongMessages ? parts.limits.requestMs : undefined,
    converse: (session) => converse(Object.assign(session, { framingBytes: FRAMING_BYTES })),
  });
}

/**
 * @param {SockjsOptions} options @returns {EndpointsBelow}
 */
function createSockjs(options) {
  const { allowedOrigins, prefix, sendsValues, turns, workers, query } = options;
  const { framesPerTurn: perTurn } = options.limits;
  const sessions = createSessions(options);
  const relay = new Relay(options);
  const paths = patternsBelow(prefix);
  const prefixAndSlash = `${prefix}/`;
  const look = createLook(options, paths);

  /** @param {Request} req @param {Response} res */
  const handle = (req, res) => {
    const path = pathOf(req);
    const isKnown = paths.known.test(path) || paths.iframe.test(path);
    if (!isKnown || !sessions.handle(req, res)) throw unknownPath();
  };

  /** @type {Endpoint['answer']} */
  const answer = (req, res, body, requestBytes) => {
    look?.(req, { requestBytes, res });
    const [, sessionId = '', action = ''] = paths.session.exec(pathOf(req)) ?? [];
    const post = req.method === 'POST' && POST_TYPES.has(action) ? readPost(req, body, action) : undefined;
    // The SockJS protocol requires the answer 500, which clients of 2012 do not expect.
    if (sendsValues && post) requireMessages(req, post, action);
    // A relayed CLOSE would reach the owner as if this worker had sent it.
    if (sessionId && action !== CLOSE && relay.pass(req, res, body, sessionId)) return;
    if (action === CLOSE && req.method === 'POST' && workers && isFromWorker(req, workers)) {
      sessions.close(sessionId, GOING_AWAY.code, GOING_AWAY.reason);
      res.writeHead(204).end();
      return;
    }
    // Pages that are cross-origin isolated may load SockJS's frames and scripts only with these.
    res.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (RECEIVERS.has(action)) sessions.admit(sessionId, req);
    if (!post) handle(req, res);
    else if (post.structure === Infinity) {
      sessions.refuseMany(sessionId);
      handle(withBody(req, NO_MESSAGES), res);
    } else {
      const hear = (/** @type {unknown[]} */ messages) => sessions.hear(sessionId, messages);
      handOn(post, withBody(req, body), res, { perTurn, turns, hear, finish: (rest) => handle(rest, res) });
    }
  };

  const endpoint = { answer };
  // A frame's requests have our own origin, so only origins that may measure us may embed it.
  const embedders = allowedOrigins && `frame-ancestors 'self' ${allowedOrigins.join(' ')}`;
  /** @type {Endpoint} */
  const iframeEndpoint = {
    anyEmbedder: true,
    answer(req, res, ...rest) {
      if (embedders) res.setHeader('Content-Security-Policy', embedders);
      answer(req, res, ...rest);
    },
  };
  /** @type {Upgrade['open']} */
  const open = (req, socket, requestBytes) => {
    look?.(req, { requestBytes });
    if (!sessions.handle(req, socket, NO_BODY)) throw unknownPath();
  };
  const socketEndpointAt = createSocketEndpoints(options, answer, open);

  return {
    examples: listExamples(prefix, query),
    /** @param {string} path @returns {Endpoint | undefined} absent where the path is not SockJS's */
    endpointAt(path) {
      if (path !== prefix && !path.startsWith(prefixAndSlash)) return undefined;
      return socketEndpointAt(path) ?? (paths.iframe.test(path) ? iframeEndpoint : endpoint);
    },

    /** Tells every session that is held here, or whose answer comes through here, that this worker goes away. */
    closeAll() {
      sessions.closeAll(GOING_AWAY.code, GOING_AWAY.reason);
      relay.closeAll((url) => pathOf({ url }).replace(/[a-z_]+\/?$/, CLOSE));
    },
  };
}

/**
 * @param {{ look?: Protocol['look'], unframedPath?: string }} protocol @param {{ iframe: RegExp, raw: RegExp }} paths
 * @returns {((req: Request, asked: Asked) => void) | undefined} throws a RefusalError
 */
function createLook({ look, unframedPath }, { iframe, raw }) {
  if (!look) return undefined;
  return (req, asked) => {
    const path = pathOf(req);
    look(req, { ...asked, mayHaveOthers: true, isDocument: iframe.test(path) });
    if (unframedPath === undefined || !raw.test(path)) return;
    throw new RefusalError('not-found', `path: expected a SockJS path with a session, or ${unframedPath}`, 404);
  };
}

/**
 * @param {SockjsOptions} options @param {Endpoint['answer']} answer @param {Upgrade['open']} open
 * @returns {(path: string) => Endpoint | undefined} absent where no WebSocket can be opened
 */
function createSocketEndpoints({ limits, prefix, rawLimits, sessions }, answer, open) {
  const framed = { sessions, answer, upgrade: { limits, open } };
  const raw = rawLimits && { sessions, answer, upgrade: { limits: rawLimits, open } };
  const framedPath = new RegExp(`^${prefix}/${NAME}/${NAME}/websocket/?$`);
  const { raw: rawPath } = patternsBelow(prefix);
  return (path) => {
    if (framedPath.test(path)) return framed;
    return rawPath.test(path) ? raw : undefined;
  };
}

const unknownPath = () => new RefusalError('not-found', 'path: expected a SockJS path', 404);

/**
 * Returns patterns of paths. `known` excludes sockjs-node's chunking test, which waits for a body that has been read.
 * @param {string} prefix
 */
function patternsBelow(prefix) {
  const known = EXAMPLES.map(({ path }) => path.replace(/:\w+/g, NAME));
  return {
    session: new RegExp(`^${prefix}/${NAME}/(${NAME})/([a-z_]+)/?$`),
    raw: new RegExp(`^${prefix}/websocket/?$`),
    iframe: new RegExp(`^${prefix}/iframe[^/#\\\\]*\\.html$`),
    known: new RegExp(`^${prefix}(?:${known.join('|')})?/?$`),
  };
}

/** @param {string} prefix @param {string} [given] of the query @returns {EndpointsBelow['examples']} */
function listExamples(prefix, given) {
  /** @param {typeof EXAMPLES[number]} one */
  const describe = ({ path, method = 'GET', query: own }) => {
    const query = [given, own].filter((part) => part !== undefined).join('&');
    return { pattern: `${prefix}${path}${query && `?${query}`}`, methods: [method] };
  };
  return [describe({ path: '' }), ...EXAMPLES.map(describe)];
}

/** @param {Request} req @param {Post} post @param {string} action @throws {RefusalError} where it has no array of messages */
function requireMessages({ headers }, { text, messages, structure }, action) {
  if (structure === Infinity || Array.isArray(messages ?? parseJson(text))) return;
  if (text !== undefined) {
    throw new RefusalError('bad-json', `message: expected a JSON array of strings, got ${show(text)}`);
  }
  const [expected] = POST_TYPES.get(action) ?? [];
  const [type] = (headers['content-type'] ?? '').split(';');
  throw new RefusalError('bad-json', `Content-Type: expected ${expected}, got ${show(type)}`);
}
