/**
 * Whether what a server sent on a connection can be read: answers of HTTP one after the other, then perhaps frames of a
 * WebSocket. It may end anywhere, as the client may have left.
 */
import { isUtf8 } from 'node:buffer';

/** @typedef {{ hasHead: boolean, tag: string }} Expected as in a sequence */

const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/;
const START = 'HTTP/1.1 ';
const ANY_TAG = /fuzz-[0-9a-f]{8}|visitor-/g;
const INTERNAL = '{"error":{"code":"internal"';
const CONTROL = 8;
const CLOSE = 8;
const OPCODES = [0, 1, 2, 8, 9, 10];

/** @param {Buffer} received @param {Expected} expected @returns {string | undefined} what is wrong with it */
export function findProblem(received, expected) {
  const foreign = received
    .toString('latin1')
    .match(ANY_TAG)
    ?.find((tag) => tag !== expected.tag);
  if (foreign) return `bytes of somebody else: ${foreign}`;
  return readAnswers(received, expected);
}

/** @param {Buffer} received @param {Expected} expected */
function readAnswers(received, { hasHead }) {
  let isLast = false;
  for (let at = 0; at < received.length;) {
    const rest = received.subarray(at);
    if (isLast) return `more after an answer that says Connection: close: ${show(rest)}`;
    const headEnd = rest.indexOf(HEAD_END);
    const head = rest.toString('latin1', 0, headEnd < 0 ? rest.length : headEnd + 2);
    if (!head.startsWith(START.slice(0, head.length))) return `expected an answer, got ${show(rest)}`;
    if (headEnd < 0) return undefined;
    const status = Number(STATUS_LINE.exec(head)?.[1]);
    if (!status) return `expected a status line, got ${show(rest)}`;
    const bodyAt = headEnd + HEAD_END.length;
    if (status === 101) return readFrames(rest.subarray(bodyAt));
    const body = rest.subarray(bodyAt);
    const length = lengthOf(status, head, body, hasHead);
    if (typeof length === 'string') return length;
    if (body.subarray(0, INTERNAL.length).toString() === INTERNAL) return `an internal error: ${show(rest)}`;
    isLast = status >= 200 && /\r\nconnection: close\r\n/i.test(head);
    at += bodyAt + length;
  }
  return undefined;
}

/** @param {number} status @param {string} head @param {Buffer} body @param {boolean} hasHead @returns {number | string} */
function lengthOf(status, head, body, hasHead) {
  if (status < 200 || status === 204 || status === 304) return 0;
  // Which of the requests an answer belongs to, nobody knows where some of them were wrong.
  const mayBeHead = hasHead && (body.length === 0 || body.subarray(0, START.length).toString() === START);
  if (mayBeHead) return 0;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return /\r\ntransfer-encoding: chunked\r\n/i.test(head) ? chunkedLengthOf(body) : body.length;
}

/** @param {Buffer} body @returns {number | string} */
function chunkedLengthOf(body) {
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at);
    if (lineEnd < 0) return body.length;
    const line = body.toString('latin1', at, lineEnd);
    if (!/^[0-9a-f]+$/i.test(line)) return `expected the length of a chunk, got ${show(body.subarray(at))}`;
    const length = parseInt(line, 16);
    const end = lineEnd + 2 + length;
    if (length === 0) return end + 2;
    if (body.length >= end + 2 && body.toString('latin1', end, end + 2) !== '\r\n') {
      return `expected the end of a chunk, got ${show(body.subarray(end))}`;
    }
    at = end + 2;
  }
  return body.length;
}

/** @param {Buffer} bytes @returns {string | undefined} */
function readFrames(bytes) {
  let isClosed = false;
  for (let at = 0; at < bytes.length;) {
    const rest = bytes.subarray(at);
    if (rest.length < 2) return undefined;
    const opcode = rest[0] & 0x0f;
    // A pong may still come: https://www.rfc-editor.org/rfc/rfc6455#section-5.5.1
    if (isClosed && opcode < CONTROL) return `data after a close frame: ${show(rest)}`;
    const short = rest[1];
    if ((rest[0] & 0x70) !== 0 || short > 127 || !OPCODES.includes(opcode))
      return `expected a frame, got ${show(rest)}`;
    // sockjs-node's library repeats a ping that is too long, but only behind its close frame, where clients read no more.
    const isRightControl = isClosed || (short <= 125 && rest[0] >= 0x80);
    if (opcode >= CONTROL && !isRightControl) return `expected a control frame, got ${show(rest)}`;
    const headBytes = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (rest.length < headBytes) return undefined;
    const length = short === 127 ? Number(rest.readBigUInt64BE(2)) : short === 126 ? rest.readUInt16BE(2) : short;
    const payload = rest.subarray(headBytes, headBytes + length);
    const isText = opcode === 1 && rest[0] >= 0x80;
    if (isText && payload.length === length && !isUtf8(payload)) return `expected UTF-8, got ${show(rest)}`;
    isClosed ||= opcode === CLOSE;
    at += headBytes + length;
  }
  return undefined;
}

/** @param {Buffer} bytes */
const show = (bytes) => JSON.stringify(bytes.toString('latin1', 0, 200));
