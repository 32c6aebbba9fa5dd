/**
 * Answers payload: an upload with a receipt, a download with a part of the content, an echo with itself. Over HTTP, at
 * `/payload/up`, `/payload/down` and `/payload/echo`, bodies have up to 16 MiB. An echo is held until it is complete:
 * over HTTP/1.1 a browser reads no answer before its body is sent. If the server answered while it still receives, both
 * would wait for each other.
 */
import { crc32 } from 'node:zlib';
import { formatCrc32 } from '../../core/base/crc32.js';
import { createContent, OFFSET_SPAN } from '../../core/net/transfer/content.js';
import { guard } from '../http/boundary.js';
import {
  CACHE_CONTROL,
  answer,
  closeIfAsked,
  formatError,
  RefusalError,
  checkNumber,
  parseFields,
  parseMessage,
  queryOf,
  show,
  toNumber,
  whenOver,
} from '../http/exchange.js';
import { holdBody, receiveBody } from '../http/body.js';

const TRANSPORT = 'payload http';
const BYTES = 'application/octet-stream';
export const BUSY = 'The server has too much payload in flight. Try again later';
/** The maximum length of a message that requests a download. */
const REQUEST_BYTES = 1024;
/** Of a long message, a page learns only when it is complete; so it may ask to hear of its beginning. */
const BEGAN = '{"began":true}';

export const DIRECTIONS = /** @type {const} */ (['up', 'down', 'echo']);

/**
 * @import { EndpointParts } from '../parts.js'
 * @import { Endpoint } from '../http/gate.js'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Limits } from '../http/limits.js'
 * @typedef {(parts: EndpointParts, req: Request, res: Response) => void} Respond
 * @typedef {typeof DIRECTIONS[number]} Direction
 * @typedef {{ bytes: number, offset: number }} Download `offset`: of its first byte in the content
 * @typedef {(download: Download) => Buffer} ContentPool returns a view of it, not a copy
 * @typedef {{ message: Buffer | string, isBinary?: boolean, announcement?: string, code?: string }} Answer `announcement`: a text
 *   before it; `code`: of its error
 */

/**
 * Creates the content of all downloads, at the first one, as it takes 70 ms.
 * @param {number} maxBytes of one @returns {ContentPool}
 */
export function createContentPool(maxBytes) {
  /** @type {Buffer | undefined} */
  let pool;
  return ({ offset, bytes }) => {
    pool ??= Buffer.from(createContent(OFFSET_SPAN + maxBytes).buffer);
    return pool.subarray(offset, offset + bytes);
  };
}

/**
 * Formats the answer to an upload.
 * @param {number} bytes its length @param {number} crc its CRC-32 @returns {string} JSON
 */
const formatReceipt = (bytes, crc) => JSON.stringify({ bytes, crc32: formatCrc32(crc) });

/** @param {string} query of a URL, without `?` @param {number} maxBytes @returns {Download} @throws {RefusalError} */
function parseDownloadQuery(query, maxBytes) {
  const { bytes, offset } = parseFields('field', query, ['bytes', 'offset', 'close']);
  return checkDownload({ bytes: toNumber(bytes), offset: toNumber(offset) }, maxBytes);
}

/** @param {string} text JSON @param {number} maxBytes @param {boolean} mayBeBinary @throws {RefusalError} */
function parseDownloadMessage(text, maxBytes, mayBeBinary) {
  const names = /** @type {const} */ (['bytes', 'offset', 'binary', 'announce']);
  const {
    binary = false,
    announce = false,
    ...numbers
  } = parseMessage('field', text, mayBeBinary ? names : names.slice(0, 2));
  for (const [name, value] of Object.entries({ binary, announce })) {
    if (typeof value !== 'boolean')
      throw new RefusalError('bad-field', `${name}: expected true or false, got ${show(value)}`);
  }
  return {
    ...checkDownload(numbers, maxBytes),
    isBinary: binary === true,
    ...(announce === true && { announcement: BEGAN }),
  };
}

/** @param {{ bytes?: unknown, offset?: unknown }} fields @param {number} maxBytes @returns {Download} */
function checkDownload({ bytes, offset = 0 }, maxBytes) {
  if (Number.isInteger(bytes) && Number(bytes) > maxBytes) {
    throw new RefusalError('too-large', `bytes: expected at most ${maxBytes}, got ${bytes}`, 413);
  }
  return {
    bytes: checkNumber('field', 'bytes', bytes, 0, maxBytes),
    offset: checkNumber('field', 'offset', offset, 0, OFFSET_SPAN - 1),
  };
}

/** @typedef {ReturnType<typeof createAnswers>} Answers */

/**
 * Creates the answers to messages over sockets.
 * @param {{ content: ContentPool, maxBytes: number }} options `maxBytes` of each
 */
export function createAnswers({ content, maxBytes }) {
  return {
    /** @param {Direction} direction @returns {number} for a message in that direction */
    maxBytesOf: (direction) => (direction === 'down' ? Math.min(REQUEST_BYTES, maxBytes) : maxBytes),

    /**
     * @param {Direction} direction @param {Buffer | string} message
     * @param {{ isBinary?: boolean, maxTextBytes?: number, hold?(bytes: number): boolean }} transport `isBinary`: the
     *   message is; `maxTextBytes`: of a download over a text-only transport; `hold` makes room for a download
     * @returns {Answer | undefined} absent if there is no room
     */
    answer(direction, message, { isBinary = false, maxTextBytes, hold = () => true }) {
      if (direction === 'echo') return { message, isBinary };
      if (direction === 'up') return { message: formatReceipt(Buffer.byteLength(message), crc32(message)) };
      if (isBinary) return failed('bad-message', 'message: expected text with a JSON object, got binary data');
      // Nothing else limits a message over a fallback.
      if (message.length > REQUEST_BYTES)
        return failed('too-large', `message: expected at most ${REQUEST_BYTES} bytes`);
      try {
        const isText = maxTextBytes !== undefined;
        const download = parseDownloadMessage(message.toString(), maxTextBytes ?? maxBytes, !isText);
        const { bytes, isBinary: asBinary, announcement } = download;
        return hold(bytes) ? { message: content(download), isBinary: asBinary, announcement } : undefined;
      } catch (error) {
        if (!(error instanceof RefusalError)) throw error;
        return failed(error.code, error.message);
      }
    },
  };
}

/** @param {string} code @param {string} message @returns {Answer} */
export const failed = (code, message) => ({ message: formatError(code, message), code });

/** @param {EndpointParts} parts @returns {{ up: Endpoint, down: Endpoint, echo: Endpoint }} */
export function createPayload(parts) {
  /** @param {Respond} respond @returns {Endpoint['answer']} */
  const answering = (respond) => (req, res) => {
    // Payload takes time, so its end is counted, too: one that began before a reading is work after it.
    whenOver(req, res, () => parts.traffic.notified());
    closeIfAsked(res, queryOf(req));
    respond(parts, req, res);
  };
  return {
    up: { methods: ['POST'], readsBody: true, answer: answering(takeUpload) },
    down: { methods: ['GET'], query: 'bytes=1000', answer: answering(sendDownload) },
    echo: { methods: ['POST'], readsBody: true, answer: answering(echoBody) },
  };
}

/** @type {Respond} */
function takeUpload({ limits, metrics }, req, res) {
  let bytes = 0;
  let crc = 0;
  /** @param {Buffer} chunk */
  const keep = (chunk) => {
    bytes += chunk.length;
    crc = crc32(chunk, crc);
    return true;
  };
  limitTime(req, res, limits);
  receiveBody(req, res, { maxBytes: limits.payloadBytes, busy: BUSY, metrics }, keep, () => {
    metrics.echoAnswered(TRANSPORT);
    answer(res, 200, formatReceipt(bytes, crc));
  });
}

/** @type {Respond} */
function sendDownload({ content, inFlight, limits, metrics }, req, res) {
  const download = parseDownloadQuery(queryOf(req), limits.payloadBytes);
  const holder = inFlight.openHolder();
  if (!holder.hold(download.bytes)) throw new RefusalError('busy', BUSY, 503);
  whenOver(req, res, holder.release);
  limitTime(req, res, limits);
  metrics.echoAnswered(TRANSPORT);
  send(res, BYTES, [content(download)]);
}

/** @type {Respond} */
function echoBody({ inFlight, limits, metrics }, req, res) {
  limitTime(req, res, limits);
  holdBody(req, res, { maxBytes: limits.payloadBytes, busy: BUSY, metrics, inFlight }, (blocks) => {
    metrics.echoAnswered(TRANSPORT);
    send(res, req.headers['content-type'] ?? BYTES, blocks);
  });
}

/** @param {Response} res @param {string} contentType @param {Buffer[]} blocks */
function send(res, contentType, blocks) {
  res.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': blocks.reduce((sum, block) => sum + block.length, 0),
    'Cache-Control': CACHE_CONTROL,
    // An echo contains what any client may have written.
    'X-Content-Type-Options': 'nosniff',
  });
  for (const block of blocks) res.write(block);
  res.end();
}

/**
 * Limits the time of an exchange, without progress and in total.
 * @param {Request} req @param {Response} res @param {Limits} limits
 */
function limitTime(req, res, { answerMs, requestMs }) {
  const { socket } = req;
  // Node.js does not treat a slow reader as idle. It sets the limit of an idle connection when the answer is sent.
  socket.setTimeout(answerMs);
  const timer = setTimeout(
    guard(socket, () => socket.destroy()),
    2 * requestMs,
  );
  whenOver(req, res, () => clearTimeout(timer));
}
