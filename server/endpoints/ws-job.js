/**
 * `/ws/job`: a WebSocket for each job, as in 2018. To open it makes the job; when that is complete, one message says so,
 * and the socket is closed.
 */
import { NO_ROOM } from '../jobs/alarms.js';
import { formatJob } from '../jobs/jobs.js';
import { parseJobQuery } from '../jobs/options.js';
import { createJobSocket } from './job-socket.js';

/**
 * @import { Gate } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Alarms } from '../jobs/alarms.js'
 * @import { Jobs } from '../jobs/jobs.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 */

const TRANSPORT = 'ws/job';

/**
 * @param {object} options
 * @param {Jobs} options.jobs
 * @param {Alarms} options.alarms
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {Metrics} options.metrics
 * @param {Traffic} options.traffic
 */
export function createWsJob({ jobs, alarms, gate, limits, metrics, traffic }) {
  return createJobSocket({
    transport: TRANSPORT,
    parseQuery: parseJobQuery,
    refuse: () => (alarms.hasRoom() ? undefined : NO_ROOM),
    serve(socket, options) {
      const job = jobs.make(options);
      metrics.jobMade(TRANSPORT);
      socket.on('message', () => traffic.messageReceived(job.run));
      return alarms.at(job.dueMs, () => {
        traffic.told(job.run);
        socket.send(formatJob(job, true));
        socket.close(1000);
      });
    },
    gate,
    limits,
    traffic,
  });
}
