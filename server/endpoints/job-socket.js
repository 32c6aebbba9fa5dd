/**
 * A WebSocket about jobs, of one job or of many: how it is opened, held and closed.
 */
import { WebSocketServer } from 'ws';
import { NO_BODY } from '../http/body.js';
import { parseOrRefuse } from '../jobs/parse-or-refuse.js';
import { keepAlive } from '../sockets/keep-alive.js';
import { queryOf } from '../http/url.js';
import { GOING_AWAY } from '../cluster/workers.js';
import { answerUpgradeRequired } from './upgrade-required.js';

/**
 * @import { Endpoint, Gate, Refusal } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 */

/**
 * @template {{ run?: string }} Asked
 * @param {object} options
 * @param {string} options.transport as it is counted
 * @param {(query: string) => Asked} options.parseQuery throws a JobOptionError
 * @param {() => Refusal | undefined} [options.refuse] why none may be opened just now
 * @param {(socket: import('ws').WebSocket, asked: Asked) => () => void} options.serve
 *   gives what is to be called when it is closed
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {Traffic} options.traffic
 * @returns {Endpoint & { closeAll(): void }}
 */
export function createJobSocket({ transport, parseQuery, refuse, serve, gate, limits, traffic }) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.jobMessageBytes,
    perMessageDeflate: false,
  });

  /** @param {import('ws').WebSocket} socket @param {Asked} asked */
  const hold = (socket, asked) => {
    gate.sessionOpened(transport, 'jobs');
    const heartbeat = keepAlive(socket, limits.heartbeatMs);
    // The library closes the socket itself, with the code that fits.
    socket.on('error', () => {});
    const end = serve(socket, asked);
    socket.on('close', () => {
      clearInterval(heartbeat);
      end();
      gate.sessionClosed(transport, 'jobs');
    });
  };

  return {
    methods: ['GET'],
    sessions: 'jobs',
    answer: answerUpgradeRequired,
    upgrade(req, socket, requestBytes) {
      const meter = traffic.meter(req, requestBytes);
      const asked = parseOrRefuse(
        () => parseQuery(queryOf(req)),
        (refusal) => gate.refuseUpgrade(req, socket, refusal),
      );
      if (!asked) return;
      const { parsed } = asked;
      const refusal = refuse?.();
      if (refusal) {
        gate.refuseUpgrade(req, socket, refusal);
        meter.bookNow(parsed.run);
        return;
      }
      meter.bookAtClose(parsed.run);
      server.handleUpgrade(req, socket, NO_BODY, (client) => hold(client, parsed));
    },
    closeAll() {
      for (const client of server.clients) client.close(GOING_AWAY.code, GOING_AWAY.reason);
    },
  };
}
