/**
 * `/ws/job`: a WebSocket for each job, as in 2018. To open it makes the job; when that is complete, one message says so,
 * and the socket is closed.
 */
import { WebSocketServer } from 'ws';
import { formatJob } from '../jobs/jobs.js';
import { parseJobQuery } from '../jobs/options.js';
import { parseOrRefuse } from '../jobs/parse-or-refuse.js';
import { keepAlive } from '../keep-alive.js';
import { queryOf } from '../url.js';
import { GOING_AWAY } from '../workers.js';
import { answerUpgradeRequired } from './upgrade-required.js';

const TRANSPORT = 'ws/job';

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
export function createWsJob({ jobs, alarms, gate, limits, metrics, traffic }) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.jobMessageBytes,
    maxFragments: limits.fragmentCount,
    perMessageDeflate: false,
  });

  /** @param {import('ws').WebSocket} socket @param {import('../jobs/options.js').JobOptions} options */
  const follow = (socket, options) => {
    gate.sessionOpened(TRANSPORT, 'jobs');
    const job = jobs.make(options);
    metrics.jobMade(TRANSPORT);
    const heartbeat = keepAlive(socket, limits.heartbeatMs);
    const giveUp = alarms.at(job.dueMs, () => {
      socket.send(formatJob(job, true));
      socket.close(1000);
    });
    // The library closes the socket itself, with the code that fits.
    socket.on('error', () => {});
    socket.on('message', () => traffic.messageReceived(job.run));
    socket.on('close', () => {
      clearInterval(heartbeat);
      giveUp();
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
        () => parseJobQuery(queryOf(req)),
        (refusal) => gate.refuseUpgrade(req, socket, refusal),
      );
      if (!asked) return;
      const { parsed: options } = asked;
      if (!alarms.hasRoom()) {
        const message = 'This server has too many jobs that somebody waits for';
        gate.refuseUpgrade(req, socket, { status: 503, code: 'busy', message });
        meter.bookNow(options.run);
        return;
      }
      meter.bookAtClose(options.run, socket);
      server.handleUpgrade(req, socket, head, (client) => follow(client, options));
    },
    closeAll() {
      for (const client of server.clients) client.close(GOING_AWAY.code, GOING_AWAY.reason);
    },
  };
}
