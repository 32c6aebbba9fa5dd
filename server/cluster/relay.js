/**
 * Hands a request on to the worker that owns its session, and the answer back, byte by byte as it comes.
 */
import { request } from 'node:http';
import { answerError } from '../http/answer.js';
import { ownPortOf } from './workers.js';
import { whenOver } from '../http/when-over.js';

/**
 * @import { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
 * @import { Workers } from './workers.js'
 * @import { Parts } from '../parts.js'
 */

/** These are about one connection, not about the request. (RFC 9110, section 7.6.1) */
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'te',
  'expect',
]);

/**
 * @typedef {IncomingMessage} Request
 * @typedef {ServerResponse} Response
 *
 * @typedef {object} Relay
 * @property {(req: Request, res: Response, body: Buffer, owner: number) => void} pass
 * @property {(closePath: (url: string) => string) => void} closeAll asks the owners to close the sessions whose requests
 *   are being relayed now, at the path that the function makes of the request's
 */

/** @param {Pick<Parts, 'log' | 'relayMark'> & { workers: Workers }} parts @returns {Relay} */
export function createRelay({ workers, relayMark, log }) {
  /** @type {Set<{ url: string, owner: number }>} */
  const relayed = new Set();

  /** @type {(owner: number, method: string, path: string, headers: Record<string, any>) => ClientRequest} */
  const ask = (owner, method, path, headers) =>
    // A connection of its own: a pooled one might be closed by the owner at this very moment.
    request({
      host: '127.0.0.1',
      port: ownPortOf(workers, owner),
      method,
      path,
      headers: { ...headers, ...relayMark.headers },
      agent: false,
    });

  return {
    pass(req, res, body, owner) {
      const { method = 'GET', url = '/' } = req;
      const asked = ask(owner, method, url, { ...passedOn(req.headers), 'content-length': String(body.length) });
      const entry = { url, owner };
      relayed.add(entry);
      asked.on('response', (answer) => {
        res.writeHead(Number(answer.statusCode), passedOn(answer.headers));
        answer.pipe(res);
        answer.on('error', () => res.destroy());
      });
      asked.on('error', (error) => {
        if (res.closed) return; // The visitor left, see below.
        log.warn({ err: error, owner }, 'relay failed');
        if (res.headersSent) res.destroy();
        else answerError(res, 502, 'owner-lost', 'The worker that holds this session does not answer');
      });
      whenOver(req, res, () => {
        relayed.delete(entry);
        // The owner must learn that its visitor has gone.
        asked.destroy();
      });
      asked.end(body);
    },

    closeAll(closePath) {
      for (const { url, owner } of relayed) {
        const asked = ask(owner, 'POST', closePath(url), { 'content-length': '0' });
        asked.on('error', (error) => log.warn({ err: error, owner }, 'session not closed'));
        asked.on('response', (answer) => answer.resume());
        asked.end();
      }
    },
  };
}

/** @param {IncomingHttpHeaders} headers */
function passedOn(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}
