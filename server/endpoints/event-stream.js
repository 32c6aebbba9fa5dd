/** @import { ServerResponse } from 'node:http' */

/** A comment. */
const BEAT = ':\n\n';

/**
 * @param {ServerResponse} res
 * @param {number} heartbeatMs
 * @returns {NodeJS.Timeout} of the heartbeat, to be cleared when nothing more may be written
 */
export function openEventStream(res, heartbeatMs) {
  res.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // nginx would hold events back until it has many.
    'X-Accel-Buffering': 'no',
  });
  // It takes the headers along, through every proxy.
  res.write(BEAT);
  return setInterval(() => res.write(BEAT), heartbeatMs).unref();
}
