/**
 * SockJS at `/jobs`: the same conversation as over `/ws/jobs`, over whichever of its transports the client got. The run
 * stands in the query of its URL, which the client repeats with every request.
 */
import { createConversation } from '../jobs/conversation.js';
import { checkRun } from '../jobs/options.js';
import { parseOrRefuse } from '../jobs/parse-or-refuse.js';
import { queryOf } from '../http/url.js';
import { createSockjs } from './sockjs.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Endpoint } from '../http/gate.js'
 * @import { Alarms } from '../jobs/alarms.js'
 * @import { Jobs } from '../jobs/jobs.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 */

/**
 * @param {Omit<Parameters<typeof createSockjs>[0], 'prefix' | 'sessions' | 'nameOf' | 'converse' | 'wrap' | 'putOff'> &
 *   { jobs: Jobs, alarms: Alarms, metrics: Metrics, traffic: Traffic,
 * }} options
 */
export function createSockjsJobs({ jobs, alarms, metrics, traffic, ...options }) {
  const { gate, limits, relayMark } = options;

  /** @param {IncomingMessage} req */
  const runOf = (req) => checkRun(new URLSearchParams(queryOf(req)).get('run') ?? undefined);

  /**
   * What another worker hands on is booked by that one, which has the connection.
   *
   * @param {IncomingMessage} req
   * @param {string | undefined} run
   */
  const bookedRun = (req, run) => (relayMark.isOn(req) ? undefined : run);

  /**
   * @param {Endpoint} endpoint
   * @returns {Endpoint}
   */
  const wrap = ({ answer, upgrade, ...endpoint }) => ({
    ...endpoint,
    answer(req, res, body, requestBytes) {
      const meter = traffic.meter(req, requestBytes);
      const asked = parseOrRefuse(
        () => runOf(req),
        (refusal) => gate.refuse(res, refusal),
      );
      if (!asked) return;
      meter.bookWhenOver(bookedRun(req, asked.parsed), res);
      answer(req, res, body, requestBytes);
    },
    upgrade:
      upgrade &&
      ((req, socket, requestBytes) => {
        const meter = traffic.meter(req, requestBytes);
        const asked = parseOrRefuse(
          () => runOf(req),
          (refusal) => gate.refuseUpgrade(req, socket, refusal),
        );
        if (!asked) return;
        meter.bookAtClose(bookedRun(req, asked.parsed));
        upgrade(req, socket, requestBytes);
      }),
  });

  return createSockjs({
    ...options,
    prefix: '/jobs',
    sessions: 'jobs',
    nameOf: (protocol) => `jobs sockjs ${protocol}`,
    wrap,
    converse: ({ transport, url, say, close }) => {
      const counter = {
        messageReceived: traffic.messageReceived,
        told: traffic.told,
        jobMade: () => metrics.jobMade(transport),
        refused: metrics.refused,
      };
      // It was looked at when the request came.
      const run = runOf(/** @type {any} */ ({ url }));
      return createConversation({ jobs, alarms, limits, counter, run }, { say, close });
    },
  });
}
