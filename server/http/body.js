/**
 * Reads request bodies, each and all together within their limits.
 */
import { formatError, answerHeaders } from './answer.js';
import { whenOver } from './when-over.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Refusal } from './gate.js'
 * @import { Limits } from './limits.js'
 */

/** A client that is still sending gets this long to read why it was refused. */
export const LINGER_MS = 1000;

export const NO_BODY = Buffer.alloc(0);

/**
 * @param {Pick<Limits, 'messageBytes' | 'bodyBytesInFlight'>} limits
 * @param {Pick<Metrics, 'refused'>} metrics
 * @returns {(req: IncomingMessage, res: ServerResponse, done: (body: Buffer) => void) => void} `done` is called once,
 *   if the whole body came; a body beyond the limits is refused on `res`
 */
export function createBodyReader({ messageBytes, bodyBytesInFlight }, metrics) {
  const tooLarge = { status: 413, code: 'too-large', message: `body: expected at most ${messageBytes} bytes` };
  const busy = { status: 503, code: 'busy', message: 'The server is receiving too much data. Try again later' };
  let heldBytes = 0;

  /** @type {(req: IncomingMessage, res: ServerResponse, refusal: Refusal) => void} */
  const refuse = (req, res, refusal) => {
    metrics.refused(refusal.code);
    refuseBody(req, res, refusal);
  };

  return (req, res, done) => {
    if (Number(req.headers['content-length']) > messageBytes) {
      refuse(req, res, tooLarge);
      return;
    }
    /** @type {Buffer} */
    let buffer = NO_BODY;
    let length = 0;

    /** @param {Buffer} chunk */
    const onData = (chunk) => {
      const refusal =
        length + chunk.length > messageBytes
          ? tooLarge
          : heldBytes + chunk.length > bodyBytesInFlight
            ? busy
            : undefined;
      if (refusal) {
        req.off('data', onData).off('end', onEnd);
        refuse(req, res, refusal);
        return;
      }
      buffer = append(buffer, length, chunk);
      length += chunk.length;
      heldBytes += chunk.length;
    };
    const onEnd = () => done(buffer.subarray(0, length));

    req.on('data', onData).on('end', onEnd);
    whenOver(req, res, () => {
      heldBytes -= length;
    });
  };
}

/**
 * The usual body is one chunk, which is kept as it is. More of them go into one buffer that doubles: a list of chunks
 * could be a million of a byte each.
 *
 * @param {Buffer} buffer
 * @param {number} length how much of it is filled
 * @param {Buffer} chunk
 * @returns {Buffer}
 */
function append(buffer, length, chunk) {
  if (length === 0) return chunk;
  let room = buffer;
  if (length + chunk.length > buffer.length) {
    room = Buffer.allocUnsafe(2 * (length + chunk.length));
    buffer.copy(room, 0, 0, length);
  }
  chunk.copy(room, length);
  return room;
}

/**
 * Refuses while the client may still be sending. To close at once would reset the connection, and the client would
 * never read why; so the rest is thrown away for a moment. (What nginx calls a lingering close.)
 *
 * @param {IncomingMessage} req
 * @param {ServerResponse} res
 * @param {Refusal} refusal
 */
export function refuseBody(req, res, { status, code, message }) {
  const body = formatError(code, message);
  res.writeHead(status, { ...answerHeaders(body), Connection: 'close' });
  res.write(body);
  const timer = setTimeout(() => res.end(), LINGER_MS);
  req.once('end', () => res.end());
  res.once('close', () => clearTimeout(timer));
  req.resume();
}
