import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { dueMs } from '../../server/http/limit-requests.js';
import { LIMITS } from '../../server/http/limits.js';
import { MAX_SUBMISSION_BYTES } from '../../server/saved-runs/submission.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Limits } from '../../server/http/limits.js'
 * @import { TestServer } from '../support/server.js'
 */

const BODY = JSON.stringify({ document: createShootout() });

/**
 * Begins to save, and keeps the body to itself.
 *
 * @param {TestServer} server
 * @param {string} [from] the address that the proxy in front names
 * @returns {Promise<Socket>} when the server has its head
 */
async function beginToSave({ port }, from = '192.0.2.1') {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const lines = [
    'POST /api/results HTTP/1.1',
    'Host: x',
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(BODY)}`,
    'Expect: 100-continue',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  assert.match(String(head), /^HTTP\/1\.1 100 /);
  return socket;
}

/**
 * @param {TestServer} server
 * @param {string} from
 * @returns {Promise<[status: number, code: string | undefined]>}
 */
async function save({ origin }, from) {
  const { status, answer } = await postSubmission(origin, BODY, { headers: { 'X-Forwarded-For': from } });
  return [status, answer.error?.code];
}

/**
 * @param {Partial<Limits>} limits
 * @param {(server: TestServer) => Promise<unknown>} use
 */
async function withServer(limits, use) {
  const server = await openServer({ env: { TRUST_PROXY: '1' }, limits });
  try {
    await use(server);
  } finally {
    server.server.closeAllConnections();
    await server.close();
  }
}

/** @param {Socket} socket */
async function readStatus(socket) {
  const [answer] = await once(socket, 'data');
  return Number(/^HTTP\/1\.1 (\d+) /.exec(String(answer))?.[1]);
}

describe('uploads of runs', () => {
  it('that trickle in from one address keep nobody else from saving', () =>
    withServer({ submissionCount: 16 }, async (server) => {
      // Whoever has an IPv6 address has a network of them.
      for (let i = 0; i < 9; i++) await beginToSave(server, `2001:db8:1:20${i}::1`);
      for (let i = 0; i < 5; i++) await beginToSave(server, '192.0.2.1');
      assert.deepEqual(await save(server, '192.0.2.1'), [429, 'too-many']);
      assert.deepEqual(await save(server, '2001:db8:1:2ff:ffff::'), [429, 'too-many']);
      assert.deepEqual(await save(server, '2001:db8:1:300::'), [201, undefined]);
      assert.deepEqual(await save(server, '192.0.2.2'), [201, undefined]);
      assert.deepEqual(await save(server, '::ffff:192.0.2.3'), [201, undefined]);
    }));

  it('of one address are few at a time; when one is done there is room for the next', () =>
    withServer({ submissionCount: 3, savesPerHour: 4 }, async (server) => {
      const slow = [await beginToSave(server), await beginToSave(server)];
      // What is refused so does not count as a save.
      for (let i = 0; i < 3; i++) assert.deepEqual(await save(server, '192.0.2.1'), [429, 'too-many']);
      slow[0].write(BODY);
      assert.equal(await readStatus(slow[0]), 201);
      assert.deepEqual(await save(server, '192.0.2.1'), [201, undefined]);
      const gone = once(slow[1], 'close');
      slow[1].destroy();
      await gone;
      assert.deepEqual(await save(server, '192.0.2.1'), [201, undefined]);
    }));

  it('count by the hour for an address, or for the /56 of an IPv6 one', () =>
    withServer({ savesPerHour: 1 }, async (server) => {
      assert.deepEqual(await save(server, '2001:db8:1:200::1'), [201, undefined]);
      assert.deepEqual(await save(server, '2001:db8:1:300::1'), [201, undefined]);
      assert.deepEqual(await save(server, '2001:db8:1:2ff:ffff::'), [429, 'too-many']);
    }));

  it('are refused as busy when as many are under way as there may be', () =>
    withServer({ submissionCount: 2 }, async (server) => {
      await beginToSave(server, '192.0.2.1');
      await beginToSave(server, '192.0.2.2');
      assert.deepEqual(await save(server, '192.0.2.3'), [503, 'busy']);
      assert.deepEqual(await save(server, '192.0.2.2'), [503, 'busy']);
    }));

  it('that stand still are ended with 408, and leave their place; others go on', () =>
    withServer({ submissionGraceMs: 1000, submissionBytesPerSecond: 1 }, async (server) => {
      const steady = await beginToSave(server);
      steady.write(BODY.slice(0, -1000));
      const still = await beginToSave(server);
      const closed = once(still, 'close');
      assert.equal(await readStatus(still), 408);
      await closed;
      steady.write(BODY.slice(-1000));
      assert.equal(await readStatus(steady), 201);
      for (let i = 0; i < 2; i++) assert.deepEqual(await save(server, '192.0.2.1'), [201, undefined]);
    }));

  it('of 4 MiB at 50 kB/s are never late, and the slowest are done before the whole request must be', () => {
    const limits = { graceMs: LIMITS.submissionGraceMs, bytesPerSecond: LIMITS.submissionBytesPerSecond };
    // Even if they stand still for so long in the end.
    const stallMs = 10_000;
    for (let bytes = 0; bytes <= MAX_SUBMISSION_BYTES; bytes += 1000) {
      assert.ok(dueMs(bytes, limits) > (bytes / 50_000) * 1000 + stallMs, `${bytes} bytes`);
    }
    assert.ok(dueMs(MAX_SUBMISSION_BYTES, limits) < LIMITS.requestMs);
  });
});
