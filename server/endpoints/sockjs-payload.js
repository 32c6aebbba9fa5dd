/**
 * SockJS at `/payload/sockjs?direction=up`, `down` or `echo`: text of up to 16 MiB over a WebSocket, of up to 1 MiB
 * over a fallback. The direction is in the query of its URL, which the client repeats with every request.
 */
import { RefusalError } from '../http/answer.js';
import { pathOf, queryOf } from '../http/url.js';
import { DIRECTIONS } from '../payload/answers.js';
import { MessageQueue } from '../payload/message-queue.js';
import { SOCKJS_FRAMING_BYTES } from '../sockets/list.js';
import { createSockjs } from './sockjs.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Duplex } from 'node:stream'
 * @import { Endpoint } from '../http/gate.js'
 * @import { Direction } from '../payload/answers.js'
 * @import { Converse } from '../sockets/sockjs-sessions.js'
 * @import { PayloadParts } from '../parts.js'
 * @import { SockjsParts } from './sockjs.js'
 */

const PREFIX = '/payload/sockjs';
/** Without SockJS's frames; such a WebSocket is at `/payload/ws`. */
const RAW_PATH = new RegExp(`^${PREFIX}/websocket/?$`);

/**
 * @typedef {{ queue: MessageQueue, session: { close: (code: number, reason: string) => void } }} Dialogue over a WebSocket
 * @typedef {WeakMap<Duplex, Dialogue>} Dialogues by the socket below, from its upgrade on; fallbacks have none
 */

/** @param {SockjsParts & PayloadParts} parts */
export function createSockjsPayload(parts) {
  const { limits } = parts;
  /** @type {Dialogues} */
  const dialogues = new WeakMap();

  /** @param {Endpoint} endpoint @returns {Endpoint} */
  const wrap = ({ answer, upgrade, ...endpoint }) => ({
    ...endpoint,
    answer(req, res, body, requestBytes) {
      if (!endpoint.anyEmbedder) checkRequest(req);
      answer(req, res, body, requestBytes);
    },
    upgrade:
      upgrade &&
      ((req, socket, requestBytes) => {
        const direction = checkRequest(req);
        upgrade(req, socket, requestBytes);
        dialogues.set(socket, openDialogue(/** @type {Socket} */ (socket), direction, parts));
      }),
  });

  return createSockjs({
    ...parts,
    limits: { ...limits, messageBytes: limits.payloadBytes + SOCKJS_FRAMING_BYTES },
    // Its library drops a client whose pong does not arrive within 10 s, though it may be queued behind a large message.
    heartbeatMs: limits.requestMs,
    prefix: PREFIX,
    sessions: 'payload',
    nameOf: (protocol) => `payload sockjs ${protocol}`,
    wrap,
    converse: createConverse(parts, dialogues),
  });
}

/** @param {PayloadParts} parts @param {Dialogues} dialogues @returns {Converse} */
function createConverse({ answers, limits, metrics, traffic }, dialogues) {
  return ({ transport, url, socket, say, close }) => {
    const direction = checkRequest({ url });
    const dialogue = socket && dialogues.get(socket);
    const mostTextBytes = dialogue ? limits.payloadBytes : limits.messageBytes;
    if (dialogue) dialogue.session.close = close;

    return {
      onMessage(message) {
        const text = typeof message === 'string' ? message : undefined;
        const respond = () => {
          const { bytes = 0, make } = answers.toText(direction, text, mostTextBytes);
          if (dialogue && !dialogue.queue.mayAnswer(bytes)) return;
          const answer = make();
          metrics.echoAnswered(transport, answer.code);
          say(typeof answer.message === 'string' ? answer.message : answer.message.toString('latin1'));
        };
        traffic.messageReceived(undefined);
        if (dialogue) dialogue.queue.add(Buffer.byteLength(text ?? ''), respond);
        else respond();
      },
      onTooMany: dialogue && (() => dialogue.queue.refuseMany()),
    };
  };
}

/** @param {Socket} socket @param {Direction} direction @param {PayloadParts} parts @returns {Dialogue} */
function openDialogue(socket, direction, parts) {
  /** @type {Dialogue['session']} */
  const session = { close: () => socket.destroy() };
  const queue = new MessageQueue({
    ...parts,
    socket,
    mostBytes: parts.answers.mostBytesOf(direction) + SOCKJS_FRAMING_BYTES,
    library: {
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      close: (code, reason) => session.close(code, reason),
    },
  });
  return { queue, session };
}

/** @param {{ url?: string }} req @returns {Direction} that it names @throws {RefusalError} */
function checkRequest(req) {
  const asked = new URLSearchParams(queryOf(req)).getAll('direction');
  const direction = DIRECTIONS.find((one) => asked.length === 1 && one === asked[0]);
  if (!direction) throw new RefusalError('bad-field', `direction: expected ${DIRECTIONS.join(', ')}`);
  if (!RAW_PATH.test(pathOf(req))) return direction;
  throw new RefusalError('not-found', 'path: expected one of SockJS with a session, or /payload/ws', 404);
}
