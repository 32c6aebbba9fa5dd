/**
 * Jobs over native WebSockets: one for each job at `/ws/job`, as in 2018, or one for all of a client's at `/ws/jobs`.
 */
import { NO_ROOM } from '../jobs/alarms.js';
import { createConversation } from '../jobs/conversation.js';
import { formatJob } from '../jobs/jobs.js';
import { parseJobQuery, parseRunQuery } from '../jobs/options.js';
import { queryOf } from '../http/url.js';
import { answerUpgradeRequired, createWebSockets, holdOpen } from './web-socket.js';

/**
 * @import { WebSocket } from 'ws'
 * @import { Endpoint, Refusal } from '../http/gate.js'
 * @import { JobParts } from '../parts.js'
 */

/**
 * Opening one creates the job; when that is complete, one message says so, and the socket is closed.
 *
 * @param {JobParts} parts
 */
export function createWsJob(parts) {
  const { jobs, alarms, metrics, traffic } = parts;
  const transport = 'ws/job';
  return createJobSocket(parts, {
    transport,
    parseQuery: parseJobQuery,
    refuse: () => (alarms.hasRoom() ? undefined : NO_ROOM),
    serve(socket, options) {
      const job = jobs.make(options);
      metrics.jobMade(transport);
      socket.on('message', () => traffic.messageReceived(job.run));
      return alarms.at(job.dueMs, () => {
        traffic.notified(job.run);
        socket.send(formatJob(job, true));
        socket.close(1000);
      });
    },
  });
}

/**
 * Each message creates a job, and is answered at once; when the job is complete, another message says so.
 *
 * @param {JobParts} parts
 */
export function createWsJobs(parts) {
  const transport = 'ws/jobs';
  return createJobSocket(parts, {
    transport,
    parseQuery: parseRunQuery,
    serve(socket, { run }) {
      const { onMessage, onEnd } = createConversation(
        { ...parts, transport, run },
        { say: (text) => socket.send(text), close: (code, reason) => socket.close(code, reason) },
      );
      socket.on('message', (message, isBinary) => onMessage(isBinary ? message : message.toString()));
      return onEnd;
    },
  });
}

/**
 * @template {{ run?: string }} Asked
 * @param {JobParts} parts
 * @param {object} options
 * @param {string} options.transport as it is counted
 * @param {(query: string) => Asked} options.parseQuery throws an RefusalError
 * @param {() => Refusal | undefined} [options.refuse] why none may be opened just now
 * @param {(socket: WebSocket, asked: Asked) => () => void} options.serve gives what is to be called when it is closed
 * @returns {Endpoint & { closeAll(): void }}
 */
function createJobSocket(parts, { transport, parseQuery, refuse, serve }) {
  const { gate, limits, traffic } = parts;
  const { open, closeAll } = createWebSockets(limits.jobMessageBytes);
  return {
    methods: ['GET'],
    sessions: 'jobs',
    answer: answerUpgradeRequired,
    upgrade(req, socket, requestBytes) {
      const meter = traffic.meter(req, requestBytes);
      const asked = parseQuery(queryOf(req));
      const refusal = refuse?.();
      if (refusal) {
        gate.refuseUpgrade(req, socket, refusal);
        meter.recordNow(asked.run);
        return;
      }
      meter.recordAtClose(asked.run);
      open(req, socket, (client) => {
        holdOpen(client, parts, transport, 'jobs');
        client.on('close', serve(client, asked));
      });
    },
    closeAll,
  };
}
