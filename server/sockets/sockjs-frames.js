/**
 * Handles SockJS frames over a WebSocket before sockjs-node parses them. sockjs-node passes on all messages of a frame
 * at once. Here too many are refused, and they are passed on in batches, one per turn of the event loop. Also formats
 * the frames that the server of 2012 sent, over all transports.
 */
import { parseJson } from '../../core/base/foreign-text.js';
import { countStructure, MAX_JSON_DEPTH } from '../http/json.js';
import { MESSAGES_AT_ONCE } from './limits.js';
import { meterOf } from './socket-meter.js';
/**
 * @import { Socket } from 'node:net'
 * @import { Connection } from 'sockjs'
 * @typedef {object} Inner a session as sockjs-node has it
 * @property {{ connection: Socket, didMessage(received: string | Buffer): void }} [recv] what carries it now
 * @property {string[]} send_buffer frames that are not sent yet
 * @property {(message: unknown) => void} didMessage
 * @property {(receiver: { doSendFrame(frame: string): void }) => boolean} flushToRecv
 */

/** The structural characters of a frame with that many messages: the commas and the brackets. */
export const MAX_FRAME_STRUCTURE = MESSAGES_AT_ONCE + 1;
/** SockJS's protocol escapes these, as some browsers and proxies change them. */
const FRAGILE = /[\ud800-\udfff\u200c-\u200f\u2028-\u202f\u2060-\u206f\ufff0-\uffff]/g;

/**
 * Returns sockjs-node's own session, for which there is no public API.
 * @param {Connection} connection @returns {Inner}
 */
export const innerOf = (connection) => /** @type {any} */ (connection)._session;

/**
 * Checks frames before sockjs-node parses them, for which there is no public API.
 * @param {Connection} connection @param {number} messagesPerTurn @param {() => void} onTooMany is called instead
 */
export function lookAtFrames(connection, messagesPerTurn, onTooMany) {
  if (connection.protocol !== 'websocket') return;
  const { recv: receiver } = innerOf(connection);
  const meter = receiver && meterOf(receiver.connection);
  if (!meter) return;
  /** @type {(frame: string) => void} */
  const hear = receiver.didMessage.bind(receiver);
  receiver.didMessage = (received) => {
    const frame = received.toString();
    // A shorter frame has neither deep nesting nor many messages.
    const structure = frame.length > MAX_JSON_DEPTH ? countStructure(frame, MAX_FRAME_STRUCTURE) : 0;
    if (structure === Infinity) {
      onTooMany();
      return;
    }
    const pieces = structure > messagesPerTurn ? splitFrame(frame, messagesPerTurn) : [frame];
    if (pieces.length === 1 && !meter.hasTasks) hear(frame);
    else for (const piece of pieces) meter.doLater(() => hear(piece));
  };
}

/**
 * Sends the JSON that is written to the connection as a value in a frame: `a[{"count":1}]`. sockjs-node sends a string:
 * `a["{\\"count\\":1}"]`. There is no public API for that.
 * @param {Connection} connection a raw WebSocket has no such frames, and stays as it is
 */
export function sendValues(connection) {
  const session = innerOf(connection);
  session.flushToRecv = (receiver) => {
    if (session.send_buffer.length === 0) return false;
    const frame = `a[${session.send_buffer.join()}]`;
    session.send_buffer = [];
    receiver.doSendFrame(frame.replace(FRAGILE, (part) => `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`));
    return true;
  };
}

/**
 * Returns frames with the same messages; the frame itself if it is not an array.
 * @param {string} frame @param {number} count
 */
function splitFrame(frame, count) {
  const messages = parseJson(frame);
  if (!Array.isArray(messages) || !frame.startsWith('[')) return [frame];
  const pieces = [];
  for (let at = 0; at < messages.length; at += count) pieces.push(JSON.stringify(messages.slice(at, at + count)));
  return pieces;
}
