/**
 * SockJS at `/jobs`: the same conversation as over `/ws/jobs`, over whichever of its transports the client got. The run
 * stands in the query of its URL, which the client repeats with every request.
 */
import { createConversation } from '../jobs/conversation.js';
import { checkRun } from '../jobs/options.js';
import { queryOf } from '../http/url.js';
import { createSockjs } from './sockjs.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Endpoint } from '../http/gate.js'
 * @import { JobParts } from '../parts.js'
 * @import { SockjsParts } from './sockjs.js'
 */

/** @param {SockjsParts & JobParts} parts */
export function createSockjsJobs(parts) {
  const { relayMark, traffic } = parts;
  // What another worker passes on is recorded by that one, which has the connection.
  const recordedRun = (/** @type {IncomingMessage} */ req) => {
    const run = runOf(req);
    return relayMark.isOn(req) ? undefined : run;
  };

  /** @param {Endpoint} endpoint @returns {Endpoint} */
  const wrap = ({ answer, upgrade, ...endpoint }) => ({
    ...endpoint,
    answer(req, res, body, requestBytes) {
      traffic.meter(req, requestBytes).recordWhenOver(recordedRun(req), res);
      answer(req, res, body, requestBytes);
    },
    upgrade:
      upgrade &&
      ((req, socket, requestBytes) => {
        traffic.meter(req, requestBytes).recordAtClose(recordedRun(req));
        upgrade(req, socket, requestBytes);
      }),
  });

  return createSockjs({
    ...parts,
    prefix: '/jobs',
    sessions: 'jobs',
    nameOf: (protocol) => `jobs sockjs ${protocol}`,
    wrap,
    converse: ({ transport, url, say, close }) =>
      createConversation({ ...parts, transport, run: runOf({ url }) }, { say, close }),
  });
}

/** @param {{ url?: string }} req @throws {RefusalError} when it comes first */
function runOf(req) {
  return checkRun(new URLSearchParams(queryOf(req)).get('run') ?? undefined);
}
