/**
 * `/payload/up`, `/payload/down` and `/payload/echo`: bodies of up to 16 MiB over HTTP.
 *
 * An echo is held until it is whole: over HTTP/1.1 a browser reads no answer before its body is sent, so if the server
 * answered while it still receives, both would wait for each other.
 */
import { answer, closeIfAsked, RefusalError } from '../http/answer.js';
import { HeldBody, receiveBody } from '../http/body.js';
import { queryOf, whenOver } from '../http/request.js';
import { createReceipt, parseDownloadQuery } from './payload-answers.js';

const TRANSPORT = 'payload http';
const BYTES = 'application/octet-stream';
const BUSY = 'This server has too much payload in flight';

/**
 * @import { Endpoint, Limits, Parts, PayloadParts, Request, Response } from '../parts.js'
 * @typedef {Omit<PayloadParts, 'answers'> & Pick<Parts, 'content'>} HttpParts
 * @typedef {(parts: HttpParts, req: Request, res: Response) => void} Respond
 */

/** @param {HttpParts} parts @returns {{ up: Endpoint, down: Endpoint, echo: Endpoint }} */
export function createPayload(parts) {
  /** @param {Respond} respond @returns {Endpoint['answer']} */
  const answering = (respond) => (req, res) => {
    // Payload takes its time, so its end is counted, too: one that began before a reading is work after it.
    whenOver(req, res, () => parts.traffic.notified());
    closeIfAsked(res, queryOf(req));
    respond(parts, req, res);
  };
  return {
    up: { methods: ['POST'], readsBody: true, answer: answering(takeUpload) },
    down: { methods: ['GET'], answer: answering(sendDownload) },
    echo: { methods: ['POST'], readsBody: true, answer: answering(echoBody) },
  };
}

/** @type {Respond} */
function takeUpload(parts, req, res) {
  const receipt = createReceipt();
  const keep = (/** @type {Buffer} */ chunk) => Boolean(receipt.add(chunk));
  receive(parts, req, res, keep, () => answer(res, 200, receipt.format()));
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
function echoBody(parts, req, res) {
  const body = new HeldBody();
  const holder = parts.inFlight.openHolder();
  whenOver(req, res, holder.release);
  /** @param {Buffer} chunk */
  const keep = (chunk) => {
    if (!holder.hold(body.length + chunk.length)) return false;
    body.append(chunk);
    return true;
  };
  receive(parts, req, res, keep, () => send(res, req.headers['content-type'] ?? BYTES, body.blocks()));
}

/** @type {(parts: HttpParts, req: Request, res: Response, keep: (chunk: Buffer) => boolean, respond: () => void) => void} */
function receive({ limits, metrics }, req, res, keep, respond) {
  limitTime(req, res, limits);
  receiveBody(req, res, { mostBytes: limits.payloadBytes, busy: BUSY, keep, metrics }, () => {
    metrics.echoAnswered(TRANSPORT);
    respond();
  });
}

/** @param {Response} res @param {string} contentType @param {Buffer[]} blocks */
function send(res, contentType, blocks) {
  res.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': blocks.reduce((sum, block) => sum + block.length, 0),
    'Cache-Control': 'no-store',
    // An echo holds what any client may have written.
    'X-Content-Type-Options': 'nosniff',
  });
  for (const block of blocks) res.write(block);
  res.end();
}

/** Of an exchange without progress, and in all. @param {Request} req @param {Response} res @param {Limits} limits */
function limitTime(req, res, { answerMs, requestMs }) {
  // For Node.js a client that reads slowly is not idle. It sets the limit of an idle connection when the answer is sent.
  req.socket.setTimeout(answerMs);
  const timer = setTimeout(() => req.socket.destroy(), 2 * requestMs);
  whenOver(req, res, () => clearTimeout(timer));
}
