/**
 * `/payload/up`, `/payload/down` and `/payload/echo`: bodies of up to 16 MiB over HTTP.
 *
 * An echo is held until it is whole: over HTTP/1.1 a browser reads no answer before its body is sent, so if the server
 * answered while it still receives, both would wait for each other.
 */
import { answer } from '../http/answer.js';
import { refuseBody } from '../http/body.js';
import { DownloadError, parseDownloadQuery } from '../payload/download.js';
import { createHeldBody } from '../payload/held-body.js';
import { createReceipt } from '../payload/receipt.js';
import { queryOf } from '../http/url.js';
import { whenOver } from '../http/when-over.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Endpoint, Gate, Refusal } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { BytesInFlight } from '../payload/bytes-in-flight.js'
 * @import { ContentPool } from '../payload/content-pool.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 */

const TRANSPORT = 'payload http';
const BYTES = 'application/octet-stream';

/**
 * @typedef {IncomingMessage} Request
 * @typedef {ServerResponse} Response
 */

/**
 * @param {object} options
 * @param {ContentPool} options.content
 * @param {BytesInFlight} options.inFlight
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {Metrics} options.metrics
 * @param {Traffic} options.traffic
 * @returns {{ up: Endpoint, down: Endpoint, echo: Endpoint }}
 */
export function createPayload({ content, inFlight, gate, limits, metrics, traffic }) {
  const tooLarge = { status: 413, code: 'too-large', message: `body: expected at most ${limits.payloadBytes} bytes` };
  const busy = { status: 503, code: 'busy', message: 'This server has too much payload in flight' };

  /**
   * Payload takes its time, so its end is counted, too: one that began before a reading is work after it.
   *
   * @param {Endpoint} endpoint
   * @returns {Endpoint}
   */
  const countEnd = ({ answer: respond, ...endpoint }) => ({
    ...endpoint,
    answer(req, res, ...rest) {
      whenOver(req, res, () => traffic.told());
      respond(req, res, ...rest);
    },
  });

  /**
   * @param {Request} req
   * @param {Response} res
   * @param {(chunk: Buffer) => boolean} keep gives false where there is no room for it
   * @param {() => void} respond is called when the body is whole
   */
  const receive = (req, res, keep, respond) => {
    /** @param {Refusal} refusal */
    const refuse = (refusal) => {
      req.off('data', onData).off('end', respond);
      metrics.refused(refusal.code);
      refuseBody(req, res, refusal);
    };
    let receivedBytes = 0;
    /** @param {Buffer} chunk */
    const onData = (chunk) => {
      receivedBytes += chunk.length;
      if (receivedBytes > limits.payloadBytes) refuse(tooLarge);
      else if (!keep(chunk)) refuse(busy);
    };
    if (Number(req.headers['content-length']) > limits.payloadBytes) refuse(tooLarge);
    else req.on('data', onData).on('end', respond);
  };

  /**
   * @param {Response} res
   * @param {number} status
   * @param {string} contentType
   * @param {Buffer[]} blocks
   */
  const send = (res, status, contentType, blocks) => {
    const bytes = blocks.reduce((sum, block) => sum + block.length, 0);
    res.writeHead(status, {
      'Content-Type': contentType,
      'Content-Length': bytes,
      'Cache-Control': 'no-store',
      // What comes back is what a stranger may have written.
      'X-Content-Type-Options': 'nosniff',
    });
    for (const block of blocks) res.write(block);
    res.end();
  };

  return {
    up: countEnd({
      methods: ['POST'],
      readsBody: true,
      answer(req, res) {
        const receipt = createReceipt();
        limitTime(req, res, limits);
        receive(
          req,
          res,
          (chunk) => {
            receipt.add(chunk);
            return true;
          },
          () => {
            metrics.echoAnswered(TRANSPORT);
            answer(res, 200, receipt.format());
          },
        );
      },
    }),

    down: countEnd({
      methods: ['GET'],
      answer(req, res) {
        const download = parseOrRefuse(() => parseDownloadQuery(queryOf(req), limits.payloadBytes), gate, res);
        if (!download) return;
        const holder = inFlight.openHolder();
        if (!holder.hold(download.bytes)) {
          gate.refuse(res, busy);
          return;
        }
        whenOver(req, res, holder.release);
        limitTime(req, res, limits);
        metrics.echoAnswered(TRANSPORT);
        send(res, 200, BYTES, [content(download)]);
      },
    }),

    echo: countEnd({
      methods: ['POST'],
      readsBody: true,
      answer(req, res) {
        const body = createHeldBody();
        const holder = inFlight.openHolder();
        whenOver(req, res, holder.release);
        limitTime(req, res, limits);
        receive(
          req,
          res,
          (chunk) => {
            if (!holder.hold(body.length() + chunk.length)) return false;
            body.append(chunk);
            return true;
          },
          () => {
            metrics.echoAnswered(TRANSPORT);
            send(res, 200, req.headers['content-type'] ?? BYTES, body.blocks());
          },
        );
      },
    }),
  };
}

/**
 * @template T
 * @param {() => T} parse
 * @param {Gate} gate
 * @param {Response} res
 * @returns {T | undefined} absent where it was refused
 */
function parseOrRefuse(parse, gate, res) {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    gate.refuse(res, { status: error.code === 'too-large' ? 413 : 400, code: error.code, message: error.message });
    return undefined;
  }
}

/**
 * Whoever neither sends nor reads for a while is cut off, and so is whoever takes ever so long. (How long a request may
 * take to come, Node looks at itself.)
 *
 * @param {Request} req
 * @param {Response} res
 * @param {Pick<Limits, 'answerMs' | 'requestMs'>} limits
 */
function limitTime(req, res, { answerMs, requestMs }) {
  // Node looks at how much of a write is left, too: whoever reads slowly is not idle. It sets the limit of an idle
  // connection when the answer is sent.
  req.socket.setTimeout(answerMs);
  const timer = setTimeout(() => req.socket.destroy(), 2 * requestMs);
  whenOver(req, res, () => clearTimeout(timer));
}
