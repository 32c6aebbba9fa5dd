/** Manages the sessions of a Socket.IO server, which gets its requests one by one. */
import { randomBytes } from 'node:crypto';
import { Server } from 'socket.io';
import { createVisitors } from './session-visitors.js';
import { parser } from './socketio-parser.js';
import { recoverFrom } from './socketio-recovery.js';
import { SocketioSession } from './socketio-session.js';
import { NO_BODY } from '../http/body.js';
import { guard, guardEmitter } from '../http/boundary.js';
import { CACHE_CONTROL } from '../http/exchange.js';
import { createServer } from '../http/node-http.js';
import { ownerOf } from '../workers.js';

/**
 * @import { Duplex } from 'node:stream'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Socket } from 'socket.io'
 * @import { SessionKind } from '../http/gate.js'
 * @import { Recoverable } from './socketio-recovery.js'
 * @import { EngineSocket, SocketioSessionOptions } from './socketio-session.js'
 * @import { VisitorOf, Workers } from '../workers.js'
 *
 * @typedef {SocketioSessionOptions & { path: string, sessions?: SessionKind, heartbeatMs?: number,
 *   recovers?: (room: string) => Recoverable | undefined, visitorOf: VisitorOf, workers?: Workers }} SocketioOptions `path`:
 *   of all requests; `sessions`: among which they count; `recovers`: with
 *   connection state recovery, which brings what was said to a room that this finds
 * @typedef {{ EIO: string, transport: string, sid?: string }} EngineQuery the fields of a request that the library reads
 */

const ID_BYTES = 15;
/** The library's own limit for a message, and for a post: its default, `maxHttpBufferSize`. */
export const LIBRARY_BYTES = 1_000_000;

/** @param {SocketioOptions} options */
export function createSocketioSessions(options) {
  const { path, limits, heartbeatMs = limits.heartbeatMs, recovers, workers } = options;
  const server = new Server({
    path,
    parser,
    serveClient: false,
    pingInterval: heartbeatMs,
    // Nothing that is measured is compressed.
    httpCompression: false,
    ...(recovers && recoverFrom(recovers)),
  });
  // It gets its requests one by one, from behind the gate: this one never listens.
  server.attach(createServer());
  const { engine } = server;
  const visitors = createVisitors(options, options.sessions);
  /** @type {WeakMap<object, string>} by the request that opens the session */
  const ids = new WeakMap();
  /** @type {Map<string, SocketioSession>} by id */
  const open = new Map();

  const forbidTransforms = (/** @type {Record<string, string>} */ headers) => {
    headers['cache-control'] = CACHE_CONTROL;
  };
  engine.on('headers', forbidTransforms);
  engine.generateId = (/** @type {Request} */ req) => ids.get(req) ?? createId(workers);
  const onConnection = (/** @type {EngineSocket} */ connection) => {
    const id = idOf(connection);
    const session = new SocketioSession(connection, visitors.take(id, connection.request.socket), options);
    open.set(id, session);
    guardEmitter(connection, session);
    connection.once('close', () => {
      open.delete(id);
      session.noteEnd();
    });
  };
  engine.on('connection', (/** @type {EngineSocket} */ one) => guard(one.request.socket, onConnection)(one));
  const onJoin = (/** @type {Socket} */ socket) => open.get(idOf(socket.conn))?.join(socket);
  server.on('connection', (socket) => guard(socket.conn.request.socket, onJoin)(socket));

  return {
    /** Answers a request. @param {Request} req @param {Response} res @param {EngineQuery} query */
    handle: (req, res, query) => engine.handleRequest(withQuery(req, query), res),

    /** Takes the place of the session that a request opens. @param {Request} req @throws {RefusalError} */
    admit(req) {
      const id = createId(workers);
      visitors.admit(req, id);
      ids.set(req, id);
    },

    /** Opens a WebSocket, which has its place. @param {Request} req @param {Duplex} socket @param {EngineQuery} query */
    upgrade(req, socket, query) {
      visitors.noteSocket(req, socket);
      engine.handleUpgrade(withQuery(req, query), socket, NO_BODY);
    },

    /** @param {string} id */
    has: (id) => open.has(id),
    /**
     * Takes packets of a session that polls. @param {string} id @param {string} payload
     * @returns {boolean} false: there is none
     */
    hear: (id, payload) => open.get(id)?.receive(payload) ?? false,
    /** Closes a session that got more messages at once than any client sends. @param {string} id */
    refuseMany: (id) => open.get(id)?.refuseMany(),
    /** Ends a session as a drain does. @param {string} id */
    drain: (id) => open.get(id)?.drain(),
    drainAll() {
      for (const session of open.values()) {
        session.drain();
        // One that waits for its client's next poll may end only after the worker has.
        session.noteEnd();
      }
    },
  };
}

/** Creates an ID that names this worker as its owner. @param {Workers} [workers] @returns {string} */
function createId(workers) {
  for (;;) {
    const id = randomBytes(ID_BYTES).toString('base64url');
    if (!workers || ownerOf(id, workers.count) === workers.index) return id;
  }
}

/**
 * Has the library read these fields alone. It would parse the URL in another way, in which `#` ends it, and it would take posts in
 * JSONP's form for `j`.
 * @param {Request} req @param {EngineQuery} query @returns {any}
 */
const withQuery = (req, query) => Object.assign(req, { _query: query });

/** Returns a session's ID, which the library's types hide. @param {EngineSocket} connection @returns {string} */
const idOf = (connection) => /** @type {any} */ (connection).id;
