/** Records of browsers whose truth is known, for tests of studies of users. */
import assert from 'node:assert/strict';

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

/** The page whose users a study counts here. */
export const HOST = 'https://shop.example';

/**
 * Makes a study of the users of {@link HOST}.
 * @param {string} origin of the site @param {string} study its label
 */
export async function createStudyOfUsers(origin, study) {
  const response = await fetch(`${origin}/api/studies`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ label: study, users: { origins: [HOST] } }),
  });
  assert.equal(response.status, 201, await response.text());
}

/**
 * Sends a record as a browser does, by sendBeacon.
 * @param {string} origin of the site @param {FieldRecord} record @returns {Promise<number>} the status
 */
export async function sendRecord(origin, record) {
  const response = await fetch(`${origin}/field/records`, {
    method: 'POST',
    headers: {
      Origin: HOST,
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      'Content-Type': 'text/plain;charset=UTF-8',
    },
    body: JSON.stringify(record),
  });
  // Read, so that the connection is used again.
  await response.arrayBuffer();
  return response.status;
}
