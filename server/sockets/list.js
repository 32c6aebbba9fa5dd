/**
 * Every path at which a WebSocket can be opened, with what one may send there. The gate refuses an upgrade anywhere
 * else, so no endpoint takes sockets before it stands here; the tests and the bench of floods go through this list.
 * @import { Limits } from '../http/limits.js'
 * @import { SocketLimits } from './socket-meter.js'
 * @typedef {{ example: string, path: RegExp, limitsOf(limits: Limits): SocketLimits }} SocketPath `example`: of a URL
 */

/** What SockJS's clients send instead of a text: `["..."]`. */
export const SOCKJS_FRAMING_BYTES = 4;

/** @type {SocketPath['limitsOf']} */
const echoLimits = (limits) => limits;

/** @type {SocketPath['limitsOf']} */
const jobLimits = (limits) => ({ ...limits, messageBytes: limits.jobMessageBytes });

/** @type {SocketPath['limitsOf']} */
const payloadLimits = (limits) => ({
  ...limits,
  messageBytes: limits.payloadBytes,
  partCount: limits.payloadPartCount,
  packetCount: limits.payloadPacketCount,
});

/** @type {SocketPath['limitsOf']} */
const payloadSockjsLimits = (limits) => ({
  ...payloadLimits(limits),
  messageBytes: limits.payloadBytes + SOCKJS_FRAMING_BYTES,
});

/** @type {readonly SocketPath[]} */
export const SOCKET_PATHS = [
  { example: '/ws', path: /^\/ws$/, limitsOf: echoLimits },
  { example: '/echo/websocket', path: /^\/echo\/websocket\/?$/, limitsOf: echoLimits },
  { example: '/echo/000/x/websocket', path: sessionPath('/echo'), limitsOf: echoLimits },
  { example: '/echo2012/websocket', path: /^\/echo2012\/websocket\/?$/, limitsOf: echoLimits },
  { example: '/echo2012/000/x/websocket', path: sessionPath('/echo2012'), limitsOf: echoLimits },
  { example: '/ws/job?least=10000&most=10000', path: /^\/ws\/job$/, limitsOf: jobLimits },
  { example: '/ws/jobs', path: /^\/ws\/jobs$/, limitsOf: jobLimits },
  { example: '/jobs/websocket', path: /^\/jobs\/websocket\/?$/, limitsOf: jobLimits },
  // Frames of SockJS's may hold several messages about jobs.
  { example: '/jobs/000/x/websocket', path: sessionPath('/jobs'), limitsOf: echoLimits },
  { example: '/payload/ws/up', path: /^\/payload\/ws\/up$/, limitsOf: payloadLimits },
  { example: '/payload/ws/down', path: /^\/payload\/ws\/down$/, limitsOf: payloadLimits },
  { example: '/payload/ws/echo', path: /^\/payload\/ws\/echo$/, limitsOf: payloadLimits },
  { example: '/reach/ws?probe=example-1', path: /^\/reach\/ws$/, limitsOf: echoLimits },
  {
    example: '/payload/sockjs/000/x/websocket?direction=echo',
    path: sessionPath('/payload/sockjs'),
    limitsOf: payloadSockjsLimits,
  },
];

/** @param {string} prefix of SockJS's */
function sessionPath(prefix) {
  return new RegExp(`^${prefix}/[^/.]+/[^/.]+/websocket/?$`);
}
