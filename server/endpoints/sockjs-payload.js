/**
 * SockJS at `/payload/sockjs?direction=up`, `down` or `echo`: text of up to 16 MiB, where it goes over a WebSocket; over a
 * fallback 1 MiB, as anywhere. The direction stands in the query of its URL, which the client repeats with every request.
 */
import { DIRECTIONS } from '../payload/answers.js';
import { createTurns } from '../payload/turns.js';
import { SOCKJS_FRAMING_BYTES } from '../sockets/list.js';
import { meterOf } from '../sockets/socket-meter.js';
import { pathOf, queryOf } from '../http/url.js';
import { createSockjs } from './sockjs.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Duplex } from 'node:stream'
 * @import { Endpoint, Refusal } from '../http/gate.js'
 * @import { Answers, Direction } from '../payload/answers.js'
 * @import { BytesInFlight } from '../payload/bytes-in-flight.js'
 * @import { Turns } from '../payload/turns.js'
 * @import { SocketMeter } from '../sockets/socket-meter.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 */

const PREFIX = '/payload/sockjs';
/** Without frames there is nothing of SockJS's to measure; the WebSocket without them is at `/payload/ws`. */
const RAW_PATH = `${PREFIX}/websocket`;

/**
 * @typedef {{ close: (code: number, reason: string) => void }} Closer
 */

/**
 * @param {Omit<Parameters<typeof createSockjs>[0], 'prefix' | 'sessions' | 'nameOf' | 'converse' | 'wrap' | 'putOff'> &
 *   { answers: Answers, inFlight: BytesInFlight, metrics: Metrics, traffic: Traffic,
 * }} options
 */
export function createSockjsPayload({ answers, inFlight, metrics, traffic, ...options }) {
  const { gate, limits } = options;
  const frameLimits = { ...limits, messageBytes: limits.payloadBytes + SOCKJS_FRAMING_BYTES };
  /**
   * By the socket beneath, from its upgrade on; fallbacks have none.
   *
   * @type {WeakMap<Duplex, { turns: Turns, session: Closer }>}
   */
  const dialogues = new WeakMap();

  /**
   * @param {IncomingMessage} req
   * @returns {Refusal | undefined}
   */
  const refusalOf = (req) => {
    if (directionOf(req) === undefined) {
      const message = `direction: expected ${DIRECTIONS.join(', ')}`;
      return { status: 400, code: 'bad-field', message };
    }
    if (pathOf(req).replace(/\/$/, '') !== RAW_PATH) return undefined;
    return { status: 404, code: 'not-found', message: 'path: expected one of SockJS with a session, or /payload/ws' };
  };

  /**
   * @param {Endpoint} endpoint
   * @returns {Endpoint}
   */
  const wrap = ({ answer, upgrade, ...endpoint }) => ({
    ...endpoint,
    answer(req, res, body, requestBytes) {
      const refusal = endpoint.anyEmbedder ? undefined : refusalOf(req);
      if (refusal) gate.refuse(res, refusal);
      else answer(req, res, body, requestBytes);
    },
    upgrade:
      upgrade &&
      ((req, socket, requestBytes) => {
        const refusal = refusalOf(req);
        if (refusal) {
          gate.refuseUpgrade(req, socket, refusal);
          return;
        }
        upgrade(req, socket, requestBytes);
        openDialogue(/** @type {Socket} */ (socket), directionOf(req));
      }),
  });

  /**
   * @param {Socket} socket
   * @param {Direction} [direction]
   */
  const openDialogue = (socket, direction = 'echo') => {
    /** @type {Closer} */
    const session = { close: () => socket.destroy() };
    const turns = createTurns({
      socket,
      meter: /** @type {SocketMeter} */ (meterOf(socket)),
      inFlight,
      limits,
      mostBytes: answers.mostBytesOf(direction) + SOCKJS_FRAMING_BYTES,
      library: {
        pause: () => socket.pause(),
        resume: () => socket.resume(),
        close: (code, reason) => session.close(code, reason),
      },
      refused: metrics.refused,
    });
    dialogues.set(socket, { turns, session });
  };

  return createSockjs({
    ...options,
    limits: frameLimits,
    // Its library takes a client for lost whose pong does not come within 10 s, though it may be behind a large message.
    heartbeatMs: limits.requestMs,
    prefix: PREFIX,
    sessions: 'payload',
    nameOf: (protocol) => `payload sockjs ${protocol}`,
    wrap,
    converse: ({ transport, url, socket, say, close }) => {
      // It was looked at when the request came.
      const direction = directionOf({ url }) ?? 'echo';
      const dialogue = socket && dialogues.get(socket);
      const mostTextBytes = dialogue ? limits.payloadBytes : limits.messageBytes;
      if (dialogue) dialogue.session.close = close;

      return {
        onMessage(message) {
          const text = typeof message === 'string' ? message : undefined;
          const respond = () => {
            const { bytes = 0, make } = answers.toText(direction, text, mostTextBytes);
            if (dialogue && !dialogue.turns.mayAnswer(bytes)) return;
            const answer = make();
            metrics.echoAnswered(transport, answer.code);
            say(typeof answer.message === 'string' ? answer.message : answer.message.toString('latin1'));
          };
          traffic.messageReceived(undefined);
          if (dialogue) dialogue.turns.take(Buffer.byteLength(text ?? ''), respond);
          else respond();
        },
        onTooMany: dialogue?.turns.refuseMany,
      };
    },
  });
}

/**
 * @param {{ url?: string }} req
 * @returns {Direction | undefined} absent where it names none, or more than one
 */
function directionOf(req) {
  const asked = new URLSearchParams(queryOf(req)).getAll('direction');
  return asked.length === 1 ? DIRECTIONS.find((direction) => direction === asked[0]) : undefined;
}
