/** Records of browsers whose truth is known, for tests of studies of users. */

/** @import { FieldRecord } from '../../core/field/record.js' */

/**
 * Creates the record of a browser that saw a whole run.
 * @param {object} [given]
 * @param {number} [given.requestMs] of each message
 * @param {number} [given.ratio] how many times as fast a message is over the WebSocket
 * @param {FieldRecord['socket']} [given.socket]
 * @param {Partial<FieldRecord>} [given.more]
 * @returns {FieldRecord}
 */
export function createRecord({ requestMs = 50, ratio = 1, socket = 'opened', more } = {}) {
  // Some noise, the same in both: without any, an interval has no width.
  const noise = [0.99, 1.01, 0.995, 1.005, 1, 1.002];
  return {
    version: 1,
    study: 'dashboard',
    ending: 'whole',
    tookMs: 9000,
    zone: 'Europe/Zurich',
    protocol: 'h2',
    socket,
    stream: 'streamed',
    blocks: noise.map((factor) => ({
      requestMs: requestMs * factor,
      ...(socket === 'opened' && { socketMs: requestMs / ratio }),
    })),
    ...more,
  };
}
