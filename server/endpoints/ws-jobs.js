/**
 * `/ws/jobs`: one WebSocket for all jobs of a client. Each message makes one, and is answered at once; when the job is
 * complete, another message says so.
 */
import { WebSocketServer } from 'ws';
import { createConversation } from '../jobs/conversation.js';
import { parseRunQuery } from '../jobs/options.js';
import { parseOrRefuse } from '../jobs/parse-or-refuse.js';
import { keepAlive } from '../keep-alive.js';
import { queryOf } from '../url.js';
import { GOING_AWAY } from '../workers.js';
import { answerUpgradeRequired } from './upgrade-required.js';

const TRANSPORT = 'ws/jobs';

/**
 * @param {object} options
 * @param {import('../jobs/jobs.js').Jobs} options.jobs
 * @param {import('../jobs/alarms.js').Alarms} options.alarms
 * @param {import('../gate.js').Gate} options.gate
 * @param {import('../limits.js').Limits} options.limits
 * @param {import('../metrics.js').Metrics} options.metrics
 * @param {import('../traffic.js').Traffic} options.traffic
 * @returns {import('../gate.js').Endpoint & { closeAll(): void }}
 */
export function createWsJobs({ jobs, alarms, gate, limits, metrics, traffic }) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.jobMessageBytes,
    maxFragments: limits.fragmentCount,
    perMessageDeflate: false,
  });
  const counter = {
    messageReceived: traffic.messageReceived,
    jobMade: () => metrics.jobMade(TRANSPORT),
    refused: metrics.refused,
  };

  /**
   * @param {import('ws').WebSocket} socket
   * @param {import('node:stream').Duplex} connection
   * @param {string | undefined} run
   */
  const converse = (socket, connection, run) => {
    gate.sessionOpened(TRANSPORT, 'jobs');
    const heartbeat = keepAlive(socket, limits.heartbeatMs);
    const conversation = createConversation(
      { jobs, alarms, limits, counter, run },
      {
        say(text) {
          socket.send(text);
          if (socket.bufferedAmount <= limits.unsentBytes || socket.isPaused) return;
          // A client that does not read is not read from, either.
          socket.pause();
          connection.once('drain', () => socket.resume());
        },
        close: (code, reason) => socket.close(code, reason),
      },
    );
    // The library closes the socket itself, with the code that fits: 1009 for a message that is too large.
    socket.on('error', () => {});
    socket.on('message', (message, isBinary) => conversation.onMessage(isBinary ? message : message.toString()));
    socket.on('close', () => {
      clearInterval(heartbeat);
      conversation.onEnd();
      gate.sessionClosed(TRANSPORT, 'jobs');
    });
  };

  return {
    methods: ['GET'],
    sessions: 'jobs',
    answer: answerUpgradeRequired,
    upgrade(req, socket, head, requestBytes) {
      const meter = traffic.meter(socket, requestBytes);
      const asked = parseOrRefuse(
        () => parseRunQuery(queryOf(req)),
        (refusal) => gate.refuseUpgrade(req, socket, refusal),
      );
      if (!asked) return;
      meter.bookAtClose(asked.parsed, socket);
      server.handleUpgrade(req, socket, head, (client) => converse(client, socket, asked.parsed));
    },
    closeAll() {
      for (const client of server.clients) client.close(GOING_AWAY.code, GOING_AWAY.reason);
    },
  };
}
