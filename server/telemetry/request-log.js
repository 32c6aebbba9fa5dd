/** The log's line for each request to the site, without personal data: no address, no headers, no body. */
import { guard } from '../http/boundary.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Logger } from 'pino'
 */

/** The status that nginx logs if the connection was closed before the request was read, or its answer sent. */
const CLIENT_CLOSED = 499;

/**
 * @param {{ log: { info: Logger['info'] }, metrics: { requestAnswered(status: number): void }, isQuiet: (req: IncomingMessage) => boolean }} parts
 *   `isQuiet`: its success is not logged
 * @returns {(req: IncomingMessage, res: ServerResponse) => void} to be called before it is answered
 */
export function createRequestLog({ log, metrics, isQuiet }) {
  return (req, res) => {
    // As it came: routes change it.
    const { method, url } = req;
    const begunAtMs = performance.now();
    const close = guard(res, () => {
      const status = statusOf(res);
      if (res.writableFinished) metrics.requestAnswered(res.statusCode);
      if (status === 200 && isQuiet(req)) return;
      log.info(
        { req: { method, url }, res: { status }, responseTime: Math.round(performance.now() - begunAtMs) },
        res.writableFinished ? 'request' : 'request whose answer was not sent',
      );
    });
    res.once('close', close);
  };
}

/** @param {ServerResponse} res @returns {number} the status that its client got, if it was still there */
function statusOf({ req, headersSent, statusCode }) {
  return req.errored || !headersSent ? CLIENT_CLOSED : statusCode;
}
