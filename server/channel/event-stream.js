/**
 * Event streams below a path: a GET opens one under an ID that the client chooses, and a POST to the same address is a message of
 * that client. The two may come to different workers, so the ID has an owner, to which the others hand its requests on.
 */
import { Relay } from '../relay.js';
import { textOf } from '../http/body.js';
import { guard } from '../http/boundary.js';
import { CACHE_CONTROL, RefusalError, pathOf, whenOver } from '../http/exchange.js';

/**
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Endpoint, Gate } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Adapter, Conversation } from './index.js'
 */

const BEAT = ':\n\n'; // A comment.

/** Lets clients converse over event streams below a path, and posts beside them. @type {Adapter} */
export function acceptEventStream(parts, { converse, sessions }, { path, name }) {
  const { gate, limits, visitorOf } = parts;
  const prefix = `${path}/`;
  const one = new RegExp(`^${prefix}([\\w-]{8,64})$`);
  const relay = new Relay(parts);
  /** @type {Map<string, { stream: Response, conversation: Conversation }>} those that are held here, by ID */
  const held = new Map();
  /** @type {Set<Response>} these, and those that come through here */
  const open = new Set();

  /** @param {string} id @param {Request} req @param {Response} res */
  const openStream = (id, req, res) => {
    if (held.has(id)) throw new RefusalError('taken', 'id: expected an unused ID', 409);
    gate.holdPlace(req, res, sessions);
    // A protocol may speak at once.
    openEventStream(req, res, parts, name);
    const end = () => void res.end();
    const conversation = converse({
      transport: name,
      url: req.url ?? '',
      visitor: visitorOf(req),
      isCounted: true,
      say(text) {
        res.write(formatEvent(text));
        // A client that does not read its events gets no more of them.
        if (res.writableLength > limits.unsentBytes) res.destroy();
      },
      close: end,
      goAway: end,
    });
    held.set(id, { stream: res, conversation });
    whenOver(req, res, () => {
      held.delete(id);
      conversation.onEnd?.();
    });
  };

  /** @param {string} id @param {Response} res @param {Buffer} body */
  const hear = (id, res, body) => {
    const to = held.get(id);
    // The stream may have ended, but its client has not read that far.
    if (!to || to.stream.writableEnded)
      throw new RefusalError('no-stream', 'id: expected the ID of an open stream', 404);
    to.conversation.onMessage(textOf(body));
    res.writeHead(204, { 'Cache-Control': CACHE_CONTROL }).end();
  };

  /** @type {Endpoint} */
  const endpoint = {
    methods: ['GET', 'POST'],
    answer(req, res, body) {
      const [, id] = one.exec(pathOf(req)) ?? [];
      if (!id) throw new RefusalError('not-found', 'id: expected 8 to 64 letters, digits, _ or -', 404);
      if (req.method === 'GET') {
        open.add(res);
        whenOver(req, res, () => open.delete(res));
      }
      if (relay.pass(req, res, body, id)) return;
      if (req.method === 'GET') openStream(id, req, res);
      else hear(id, res, body);
    },
  };

  return {
    examples: [{ pattern: `${prefix}:stream` }],
    endpointAt: (asked) => (asked.startsWith(prefix) ? endpoint : undefined),
    closeAll() {
      for (const res of open) res.end();
    },
  };
}

/** @param {string} text each of its lines has a field: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export const formatEvent = (text) => `data: ${text.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;

/**
 * Begins an answer of events, and counts a session, which has its place, until it is over.
 * @param {Request} req @param {Response} res @param {{ gate: Gate, limits: Limits }} parts
 * @param {string} transport as it is counted
 */
export function openEventStream(req, res, { gate, limits }, transport) {
  const closeSession = gate.openSession(transport);
  res.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': CACHE_CONTROL,
    // nginx would hold events back until it has many.
    'X-Accel-Buffering': 'no',
  });
  // This makes every proxy forward the headers.
  res.write(BEAT);
  const beat = guard(res, () => res.writableEnded || res.write(BEAT));
  const heartbeat = setInterval(beat, limits.heartbeatMs).unref();
  whenOver(req, res, () => {
    clearInterval(heartbeat);
    closeSession();
  });
}
