/** Hands a request on to the worker that owns its session, and the answer back, byte by byte as it comes. */
import { request } from 'node:http';
import { answerError } from './http/answer.js';
import { whenOver } from './http/request.js';
import { isAtOwnPort, ownerOf, ownPortOf } from './workers.js';

/** @import { Parts, Request, Response, Workers } from './parts.js' */

/** These are about one connection, not about the request. (RFC 9110, section 7.6.1) */
const HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'upgrade', 'te', 'expect'];

/** @param {Pick<Parts, 'log' | 'relayMark' | 'workers'>} parts */
export function createRelay({ workers, relayMark, log }) {
  /** @type {Set<{ url: string, owner: number }>} */
  const relayed = new Set();

  /** @param {number} owner @param {string} method @param {string} path @param {Record<string, any>} headers */
  const ask = (owner, method, path, headers) =>
    request({
      host: '127.0.0.1',
      port: ownPortOf(/** @type {Workers} */ (workers), owner),
      method,
      path,
      headers: { ...headers, ...relayMark.headers },
      // A pooled connection might be closed by the owner at this very moment.
      agent: false,
    });

  return {
    /** False: it is to stay here. @type {(req: Request, res: Response, body: Buffer, id: string) => boolean} */
    pass(req, res, body, sessionId) {
      if (!workers || isAtOwnPort(req, workers)) return false;
      const owner = ownerOf(sessionId, workers.count);
      if (owner === workers.index) return false;
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
      return true;
    },

    /** Asks the owners to close the sessions whose requests are being relayed. @param {(url: string) => string} closePath */
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

/** @param {Request['headers']} headers */
function passedOn(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name)));
}
