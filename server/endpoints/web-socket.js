/**
 * What the endpoints of native WebSockets have in common.
 */
import { WebSocketServer } from 'ws';
import { GOING_AWAY } from '../cluster/workers.js';
import { answerError } from '../http/answer.js';
import { NO_BODY } from '../http/body.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Duplex } from 'node:stream'
 * @import { WebSocket } from 'ws'
 * @import { Endpoint, SessionKind } from '../http/gate.js'
 * @import { Parts } from '../parts.js'
 */

/** @param {number} mostBytes of a message */
export function createWebSockets(mostBytes) {
  const server = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false });
  return {
    /** @param {IncomingMessage} req @param {Duplex} socket @param {(client: WebSocket) => void} use */
    open: (req, socket, use) => server.handleUpgrade(req, socket, NO_BODY, use),

    /** Tells every client that this worker goes away. */
    closeAll() {
      for (const client of server.clients) client.close(GOING_AWAY.code, GOING_AWAY.reason);
    },
  };
}

/**
 * Counts a session until it is closed, and asks it whether it is still there, as SockJS does with its own: a peer that
 * vanished without a word must not be held for ever.
 *
 * @param {WebSocket} client
 * @param {Pick<Parts, 'gate' | 'limits'>} parts
 * @param {string} transport as it is counted
 * @param {SessionKind} [kind]
 */
export function holdOpen(client, { gate, limits }, transport, kind) {
  let answered = true;
  client.on('pong', () => (answered = true));
  const heartbeat = setInterval(() => {
    if (!answered) {
      client.terminate();
      return;
    }
    answered = false;
    client.ping();
  }, limits.heartbeatMs).unref();
  gate.sessionOpened(transport, kind);
  client.on('close', () => {
    clearInterval(heartbeat);
    gate.sessionClosed(transport, kind);
  });
  // The library closes the socket itself, with the code that fits.
  client.on('error', () => {});
}

/** Answers a plain request where only a WebSocket is of use. @type {Endpoint['answer']} */
export function answerUpgradeRequired(_req, res) {
  res.setHeader('Upgrade', 'websocket');
  answerError(res, 426, 'upgrade-required', 'Upgrade: expected websocket');
}
