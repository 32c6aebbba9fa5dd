/**
 * Socket.IO at one path: long polls first, then a WebSocket. Its server is given requests one by one, so that the gate
 * comes first. A session is held by the worker that opened it, whose number follows from the session's ID; the others
 * relay its requests there, and its upgrade.
 */
import { parseFields, queryOf, RefusalError } from '../http/exchange.js';
import { Relay } from '../relay.js';
import { MESSAGES_AT_ONCE } from '../sockets/limits.js';
import { handInTurns, withBody } from '../sockets/posts.js';
import { createSocketioSessions, LIBRARY_BYTES } from '../sockets/socketio-sessions.js';
import { isFromWorker } from '../workers.js';

/**
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { EndpointParts } from '../parts.js'
 * @import { Endpoint } from '../http/gate.js'
 * @import { EndpointsBelow } from '../endpoints/index.js'
 * @import { EngineQuery, SocketioOptions } from '../sockets/socketio-sessions.js'
 * @import { Workers } from '../workers.js'
 * @import { Adapter, Protocol } from './index.js'
 * @typedef {'polling' | 'websocket'} EngineTransport
 */

const PROTOCOL = '4';
/** Separates the packets of a post: https://socket.io/docs/v4/engine-io-protocol/#http-long-polling */
const SEPARATOR = '\x1e';
/** What one worker appends to the path of a session, to have its owner close it. */
const CLOSE = 'close';

/** The size of the packet that its clients put around a text: `42["message","..."]`. */
const FRAMING_BYTES = 16;

/** Lets clients converse over Socket.IO at a path. @type {Adapter} */
export function acceptSocketio(parts, protocol, { path, name }) {
  const { converse, frameLimits, hasLongMessages } = protocol;
  return createSocketio({
    ...parts,
    ...protocol,
    path,
    name,
    limits: frameLimits?.(FRAMING_BYTES) ?? parts.limits,
    // A pong may be queued behind a long message.
    heartbeatMs: hasLongMessages ? parts.limits.requestMs : undefined,
    converse: (speaker) => converse(Object.assign(speaker, { takesValues: true, framingBytes: FRAMING_BYTES })),
  });
}

/**
 * @param {SocketioOptions & EndpointParts & { query?: string, look?: Protocol['look'] }} options @returns {EndpointsBelow}
 */
function createSocketio(options) {
  const { path, look, query, sessions: kind, turns, workers } = options;
  const { framesPerTurn: perTurn } = options.limits;
  const sessions = createSocketioSessions(options);
  const relay = new Relay({ ...options, idsNameOwner: true });
  const closePath = `${path}/${CLOSE}`;
  const closeEndpoint = createCloseEndpoint(workers, sessions.drain);
  const messageBytes = Math.min(options.limits.messageBytes, LIBRARY_BYTES);

  /** @param {Request} req @param {Response} res @param {Buffer} body @param {EngineQuery & { sid: string }} asked */
  const post = (req, res, body, asked) => {
    const id = asked.sid;
    if (body.length > messageBytes)
      throw new RefusalError('too-large', `body: expected at most ${messageBytes} bytes`, 413);
    const packets = body.toString().split(SEPARATOR, MESSAGES_AT_ONCE + 1);
    const finish = (/** @type {readonly string[]} */ rest) =>
      sessions.handle(withBody(req, Buffer.from(rest.join(SEPARATOR))), res, asked);
    const hear = (/** @type {readonly string[]} */ some) => sessions.hear(id, some.join(SEPARATOR));
    if (packets.length > MESSAGES_AT_ONCE) {
      sessions.refuseMany(id);
      throw new RefusalError('too-many', `packets: expected at most ${MESSAGES_AT_ONCE} at once, got more`);
    }
    if (packets.length <= perTurn) sessions.handle(withBody(req, body), res, asked);
    else handInTurns(packets, req, res, { perTurn, turns, hear, finish });
  };

  /** @type {Endpoint} */
  const endpoint = {
    methods: ['GET', 'POST'],
    sessions: kind,
    answer(req, res, body, requestBytes) {
      look?.(req, { requestBytes, res, mayHaveOthers: true });
      const asked = parseRequest(req, 'polling');
      const { sid } = asked;
      if (sid === undefined) {
        requireGet(req);
        sessions.admit(req);
        sessions.handle(req, res, asked);
        return;
      }
      if (relay.pass(req, res, body, sid)) return;
      if (!sessions.has(sid)) throw unknownSession();
      if (req.method === 'POST') post(req, res, body, { ...asked, sid });
      else sessions.handle(req, res, asked);
    },
    upgrade: {
      limits: { ...options.limits, messageBytes },
      open(req, socket, requestBytes) {
        look?.(req, { requestBytes, mayHaveOthers: true });
        const asked = parseRequest(req, 'websocket');
        const { sid } = asked;
        if (sid !== undefined && relay.passUpgrade(req, socket, sid)) return;
        if (sid !== undefined && !sessions.has(sid)) throw unknownSession();
        sessions.upgrade(req, socket, asked);
      },
    },
  };
  return {
    examples: [
      { pattern: formatPattern(path, ['transport=polling', query]), isRequest: true },
      { pattern: formatPattern(path, ['transport=websocket', query]) },
    ],
    endpointAt(asked) {
      if (asked === path || asked === `${path}/`) return endpoint;
      return asked === closePath ? closeEndpoint : undefined;
    },

    /** Tells every session that is held here, or whose requests come through here, that this worker goes away. */
    closeAll() {
      sessions.drainAll();
      relay.closeAll((url) => `${closePath}?${queryOf({ url })}`);
    },
  };
}

/**
 * Lets other workers close a session. @param {Workers | undefined} workers @param {(id: string) => void} close @returns
 *   {Endpoint}
 */
const createCloseEndpoint = (workers, close) => ({
  methods: ['POST'],
  answer(req, res) {
    if (!workers || !isFromWorker(req, workers))
      throw new RefusalError('not-found', 'path: expected one of Socket.IO', 404);
    const { sid } = parseFields('field', queryOf(req), ['sid'], { mayHaveOthers: true });
    close(String(sid));
    res.writeHead(204).end();
  },
});

/** @param {string} path @param {readonly (string | undefined)[]} fields of the query */
const formatPattern = (path, fields) => `${path}/?${[`EIO=${PROTOCOL}`, ...fields].filter(Boolean).join('&')}`;

/**
 * @param {Request} req @param {EngineTransport} expected @returns {EngineQuery} without an ID where it opens a session
 * @throws {RefusalError}
 */
function parseRequest(req, expected) {
  const { EIO, transport, sid } = parseFields('field', queryOf(req), ['EIO', 'transport', 'sid'], {
    mayHaveOthers: true,
  });
  if (EIO !== PROTOCOL)
    throw new RefusalError('bad-field', `EIO: expected ${PROTOCOL}, as clients of Socket.IO 3 and 4 have`);
  if (transport === expected) return sid === undefined ? { EIO, transport } : { EIO, transport, sid };
  if (transport === 'websocket') {
    throw new RefusalError('upgrade-required', 'Upgrade: expected websocket', 426, { Upgrade: 'websocket' });
  }
  throw new RefusalError('bad-field', `transport: expected ${expected}`);
}

/** @param {Request} req that opens a session @throws {RefusalError} */
function requireGet({ method }) {
  if (method !== 'GET') throw new RefusalError('bad-field', 'sid: expected the ID of an open session, got none');
}

const unknownSession = () => new RefusalError('no-session', 'sid: expected the ID of an open session');
