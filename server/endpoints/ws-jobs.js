/**
 * `/ws/jobs`: one WebSocket for all jobs of a client. Each message makes one, and is answered at once; when the job is
 * complete, another message says so.
 */
import { createConversation } from '../jobs/conversation.js';
import { parseRunQuery } from '../jobs/options.js';
import { createJobSocket } from './job-socket.js';

/**
 * @import { Gate } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Alarms } from '../jobs/alarms.js'
 * @import { Jobs } from '../jobs/jobs.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 */

const TRANSPORT = 'ws/jobs';

/**
 * @param {object} options
 * @param {Jobs} options.jobs
 * @param {Alarms} options.alarms
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {Metrics} options.metrics
 * @param {Traffic} options.traffic
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
