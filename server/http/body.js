/** Receives, holds and counts request bodies, each and all together within their limits. */
import { isUtf8 } from 'node:buffer';
import { guard } from './boundary.js';
import { answerHeaders, formatError, RefusalError, whenOver } from './exchange.js';

/**
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @typedef {{ hold: (bytes: number) => boolean, release: () => void }} Holder the share of one exchange or connection; `hold` sets its
 *   size, false: there is no room, and nothing has changed
 * @typedef {{ totalBytes: () => number, openHolder: () => Holder }} BytesInFlight
 * @typedef {{ refused(code: string): void }} Refusals counts them
 * @typedef {{ maxBytes: number, busy: string, metrics: Refusals }} Reception
 *   `maxBytes`: of a body; `busy` says that there is no room for it
 */

/** A client that is still sending gets this long to read why it was refused. */
export const LINGER_MS = 1000;

export const NO_BODY = Buffer.alloc(0);

/** Chunks of this size are kept as they are; smaller ones are copied into blocks, which grow to it with the body. */
const BLOCK_BYTES = 16 * 1024;

/** Counts the bytes that the server holds, in shares. @param {number} limitBytes of all shares together @returns {BytesInFlight} */
export function createBytesInFlight(limitBytes) {
  let totalBytes = 0;
  return {
    totalBytes: () => totalBytes,

    openHolder() {
      let heldBytes = 0;
      return {
        hold(bytes) {
          const moreBytes = bytes - heldBytes;
          if (moreBytes > 0 && totalBytes + moreBytes > limitBytes) return false;
          totalBytes += moreBytes;
          heldBytes = bytes;
          return true;
        },
        release() {
          totalBytes -= heldBytes;
          heldBytes = 0;
        },
      };
    },
  };
}

/** Keeps a body in at most twice as much memory as it has bytes: it could come in a million chunks of a byte each. */
export class HeldBody {
  length = 0;
  /** The memory that it takes, in which there may be room for more. */
  takenBytes = 0;
  /** @type {Buffer[]} */
  #full = [];
  #block = NO_BODY;
  #filledBytes = 0;

  /** @param {Buffer} chunk */
  append(chunk) {
    // Most small bodies are one chunk, which is kept as it is, too.
    const isKept = chunk.length >= BLOCK_BYTES || this.length === 0;
    this.length += chunk.length;
    if (isKept) {
      this.#closeBlock();
      this.#full.push(chunk);
      this.takenBytes += chunk.length;
      return;
    }
    const copiedBytes = chunk.copy(this.#block, this.#filledBytes);
    this.#filledBytes += copiedBytes;
    if (copiedBytes === chunk.length) return;
    this.#closeBlock();
    this.#block = Buffer.allocUnsafeSlow(Math.min(this.length, BLOCK_BYTES));
    this.takenBytes += this.#block.length;
    this.#filledBytes = chunk.copy(this.#block, 0, copiedBytes);
  }

  /** Gives all of it away, in order. @returns {Buffer[]} */
  takeBlocks() {
    this.#closeBlock();
    const blocks = this.#full;
    this.#full = [];
    return blocks;
  }

  #closeBlock() {
    if (this.#filledBytes > 0) this.#full.push(this.#block.subarray(0, this.#filledBytes));
    this.#block = NO_BODY;
    this.#filledBytes = 0;
  }
}

/**
 * @param {{ messageBytes: number, bodyBytesInFlight: number }} limits @param {Refusals} metrics
 * @returns {(req: Request, res: Response, done: (body: Buffer) => void) => void} calls back once, if the whole body came;
 *   one beyond the limits is refused
 */
export function createBodyReader({ messageBytes, bodyBytesInFlight }, metrics) {
  const busy = 'The server is receiving too much data. Try again later';
  const options = { maxBytes: messageBytes, busy, metrics, inFlight: createBytesInFlight(bodyBytesInFlight) };
  return (req, res, done) =>
    holdBody(req, res, options, (blocks) => done(blocks.length > 1 ? Buffer.concat(blocks) : (blocks[0] ?? NO_BODY)));
}

/**
 * Holds a body until the exchange is over.
 * @param {Request} req @param {Response} res @param {Reception & { inFlight: BytesInFlight }} options
 * @param {(blocks: Buffer[]) => void} done when the body is whole
 */
export function holdBody(req, res, options, done) {
  const held = new HeldBody();
  const holder = options.inFlight.openHolder();
  whenOver(req, res, holder.release);
  /** @param {Buffer} chunk */
  const keep = (chunk) => {
    held.append(chunk);
    return holder.hold(held.takenBytes);
  };
  // A request lives until its answer has been sent; its body is not to live as long.
  receiveBody(req, res, options, keep, () => done(held.takeBlocks()));
}

/**
 * @param {Request} req @param {Response} res where a body that is too large is refused @param {Reception} options
 * @param {(chunk: Buffer) => boolean} keep false: there is no room for it @param {() => void} done when the body is whole
 */
export function receiveBody(req, res, { maxBytes, busy, metrics }, keep, done) {
  const { socket } = req;
  let receivedBytes = 0;
  /** @param {RefusalError} refusal */
  const refuse = (refusal) => {
    req.off('data', onData).off('end', onEnd);
    metrics.refused(refusal.code);
    refuseBody(req, res, refusal);
  };
  const refuseLarge = () => refuse(new RefusalError('too-large', `body: expected at most ${maxBytes} bytes`, 413));
  const onData = guard(socket, (/** @type {Buffer} */ chunk) => {
    receivedBytes += chunk.length;
    if (receivedBytes > maxBytes) refuseLarge();
    else if (!keep(chunk)) refuse(new RefusalError('busy', busy, 503));
  });
  const onEnd = guard(socket, done);
  if (Number(req.headers['content-length']) > maxBytes) refuseLarge();
  else req.on('data', onData).on('end', onEnd);
}

/**
 * Refuses a body, and discards the rest of it for a moment. Closing at once would reset the connection, and a client
 * that is still sending would never read why. (nginx calls this a lingering close.)
 * @param {Request} req @param {Response} res @param {RefusalError} refusal
 */
function refuseBody(req, res, { status, code, message }) {
  const body = formatError(code, message);
  res.writeHead(status, [...answerHeaders(body), 'Connection', 'close']);
  res.write(body);
  const end = guard(res, () => res.end());
  const timer = setTimeout(end, LINGER_MS);
  const onClose = guard(res, () => clearTimeout(timer));
  req.once('end', end);
  res.once('close', onClose);
  req.resume();
}

/** @param {Buffer} body @returns {string | Buffer} the bytes as they are where they are no text */
export function textOf(body) {
  return isUtf8(body) ? body.toString() : body;
}
