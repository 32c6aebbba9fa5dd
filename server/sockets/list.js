/**
 * Every path at which a WebSocket can be opened, with what one may send there. The gate refuses an upgrade anywhere
 * else, so no endpoint takes sockets before it stands here; the tests of floods go through this list.
 * @import { Limits } from '../http/limits.js'
 * @import { SocketLimits } from './socket-meter.js'
 * @typedef {{ example: string, path: RegExp, limitsOf(limits: Limits): SocketLimits }} SocketPath `example`: of a URL
 */

/** The size of the frame that SockJS's clients put around a text: `["..."]`. */
export const SOCKJS_FRAMING_BYTES = 4;

/** @type {SocketPath['limitsOf']} */
const echoLimits = (limits) => limits;

/** @type {SocketPath['limitsOf']} */
export const jobLimits = (limits) => ({ ...limits, messageBytes: limits.jobMessageBytes });

/** @type {SocketPath['limitsOf']} */
export const payloadLimits = (limits) => ({
  ...limits,
  messageBytes: limits.payloadBytes,
  partCount: limits.payloadPartCount,
  packetCount: limits.payloadPacketCount,
});

/** @type {readonly SocketPath[]} */
export const SOCKET_PATHS = [
  at('/ws', echoLimits),
  at('/echo/websocket', echoLimits),
  at('/echo/000/x/websocket', echoLimits),
  at('/echo2012/websocket', echoLimits),
  at('/echo2012/000/x/websocket', echoLimits),
  at('/ws/job?min=10000&max=10000', jobLimits),
  at('/ws/jobs', jobLimits),
  at('/jobs/websocket', jobLimits),
  // Frames of SockJS's may hold several messages about jobs.
  at('/jobs/000/x/websocket', echoLimits),
  at('/payload/ws/up', payloadLimits),
  at('/payload/ws/down', payloadLimits),
  at('/payload/ws/echo', payloadLimits),
  at('/reach/ws?probe=example-1', echoLimits),
  at('/payload/sockjs/000/x/websocket?direction=echo', (limits) => ({
    ...payloadLimits(limits),
    messageBytes: limits.payloadBytes + SOCKJS_FRAMING_BYTES,
  })),
];

/** @param {string} example @param {SocketPath['limitsOf']} limitsOf @returns {SocketPath} */
function at(example, limitsOf) {
  const [path] = example.split('?');
  // SockJS's clients make up both parts before `websocket`, and may end it with a slash.
  const pattern = path.replace('/000/x/', '/[^/.#\\\\]+/[^/.#\\\\]+/').replace(/websocket$/, 'websocket/?');
  return { example, path: new RegExp(`^${pattern}$`), limitsOf };
}
