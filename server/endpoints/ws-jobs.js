/**
 * `/ws/jobs`: one WebSocket for all jobs of a client. Each message makes one, and is answered at once; when the job is
 * complete, another message says so.
 */
import { createConversation } from '../jobs/conversation.js';
import { parseRunQuery } from '../jobs/options.js';
import { createJobSocket } from './job-socket.js';

const TRANSPORT = 'ws/jobs';

/**
 * @param {object} options
 * @param {import('../jobs/jobs.js').Jobs} options.jobs
 * @param {import('../jobs/alarms.js').Alarms} options.alarms
 * @param {import('../http/gate.js').Gate} options.gate
 * @param {import('../http/limits.js').Limits} options.limits
 * @param {import('../telemetry/metrics.js').Metrics} options.metrics
 * @param {import('../telemetry/traffic.js').Traffic} options.traffic
 */
export function createWsJobs({ jobs, alarms, gate, limits, metrics, traffic }) {
  const counter = {
    messageReceived: traffic.messageReceived,
    told: traffic.told,
    jobMade: () => metrics.jobMade(TRANSPORT),
    refused: metrics.refused,
  };

  return createJobSocket({
    transport: TRANSPORT,
    parseQuery: (query) => ({ run: parseRunQuery(query) }),
    serve(socket, { run }) {
      const conversation = createConversation(
        { jobs, alarms, limits, counter, run },
        {
          say: (text) => socket.send(text),
          close: (code, reason) => socket.close(code, reason),
        },
      );
      socket.on('message', (message, isBinary) => conversation.onMessage(isBinary ? message : message.toString()));
      return conversation.onEnd;
    },
    gate,
    limits,
    traffic,
  });
}
