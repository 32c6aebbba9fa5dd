/**
 * `/ws/job`: a WebSocket for each job, as in 2018. To open it makes the job; when that is complete, one message says so,
 * and the socket is closed.
 */
import { NO_ROOM } from '../jobs/alarms.js';
import { formatJob } from '../jobs/jobs.js';
import { parseJobQuery } from '../jobs/options.js';
import { createJobSocket } from './job-socket.js';

const TRANSPORT = 'ws/job';

/**
 * @param {object} options
 * @param {import('../jobs/jobs.js').Jobs} options.jobs
 * @param {import('../jobs/alarms.js').Alarms} options.alarms
 * @param {import('../http/gate.js').Gate} options.gate
 * @param {import('../http/limits.js').Limits} options.limits
 * @param {import('../telemetry/metrics.js').Metrics} options.metrics
 * @param {import('../telemetry/traffic.js').Traffic} options.traffic
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
