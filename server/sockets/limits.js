/**
 * Limits what clients send at once, and what sockets may send that are not an echo's, whose limits are the server's own.
 * @import { Limits } from '../http/limits.js'
 */

/** The maximum number of messages in a frame or a post: a client over a fallback sends all that it got during a request. */
export const MESSAGES_AT_ONCE = 16 * 1024;

/** @param {Limits} limits */
export const jobLimits = (limits) => ({ ...limits, messageBytes: limits.jobMessageBytes });

/** @param {Limits} limits */
export const payloadLimits = (limits) => ({
  ...limits,
  messageBytes: limits.payloadBytes,
  partCount: limits.payloadPartCount,
  packetCount: limits.payloadPacketCount,
});
