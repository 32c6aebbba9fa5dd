/** An nginx before workers that a test plays itself, to see what comes, and to break at will. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { findFreePorts } from '../../../cli/program/free-ports.js';
import { ask } from './https-client.js';
import { withNginx } from './nginx.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Nginx } from './nginx.js'
 */

export const WORKERS = 2;

/**
 * @typedef {object} Received
 * @property {number} worker
 * @property {number | undefined} remotePort of the connection that it came on
 * @property {IncomingMessage} req
 */

/**
 * @param {(count: number, req: IncomingMessage, res: ServerResponse) => void} answer is given how many requests came
 *   before, to any worker
 * @param {(options: { port: number, received: Received[] }) => Promise<unknown>} use `port` is the one that they would
 *   share
 */
export async function withWorkers(answer, use) {
  const port = await findFreePorts(WORKERS + 1);
  /** @type {Received[]} */
  const received = [];
  const servers = Array.from({ length: WORKERS }, (_, worker) =>
    createServer((req, res) => {
      received.push({ worker, remotePort: req.socket.remotePort, req });
      answer(received.length - 1, req, res);
    }).listen(port + 1 + worker, '127.0.0.1'),
  );
  try {
    await Promise.all(servers.map((server) => once(server, 'listening')));
    await use({ port, received });
  } finally {
    for (const server of servers) server.close().closeAllConnections();
  }
}

/**
 * @param {Parameters<typeof withWorkers>[0]} answer
 * @param {(proxy: { received: Received[], ask: (path: string, options?: Parameters<typeof ask>[1]) => ReturnType<typeof
 *   ask>, nginx: Nginx }) => Promise<unknown>} use
 * @param {(port: number) => string[]} [argsOf] for workers of one machine by default
 */
export function withProxy(answer, use, argsOf = (port) => ['--workers', String(WORKERS), '--port', String(port)]) {
  return withWorkers(answer, ({ port, received }) =>
    withNginx(argsOf(port), (nginx) =>
      use({
        received,
        nginx,
        ask: (urlPath, options) =>
          ask(`https://127.0.0.1:${nginx.port}${urlPath}`, { ca: nginx.certificate, ...options }),
      }),
    ),
  );
}

/** @type {Parameters<typeof withWorkers>[0]} */
export const answerOk = (_count, req, res) => {
  req.resume();
  res.end('ok');
};
