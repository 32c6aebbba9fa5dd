/**
 * One address that has many documents checked, or written as CSV: another's save waits for one or two of them, not for all. What
 * is counted is how many were done by then: two in theory, some more where a busy machine is slow to take the other's request.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

const LIMITS = { savesPerHour: 10_000, readMsPerMinute: 1e6, documentsPerMinute: 10_000 };
/** A document of 2 MB, which takes long to check, in a body that takes no time to send. */
const LARGE = gzipSync(
  JSON.stringify({
    document: createShootout({
      plan: {
        transports: ['ajax', 'sockjs'],
        blocks: 50,
        iterations: 1000,
        warmUpCount: 0,
        payloadBytes: 0,
        seed: 1,
      },
    }),
  }),
);
const ITS_HEADERS = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
const MANY = 10;
const MOST_BEFORE = MANY / 2 - 1;

const from = (/** @type {string} */ address) => ({ 'X-Forwarded-For': address });

/** @param {string} origin @param {AbortSignal} [signal] */
const upload = (origin, signal) =>
  fetch(`${origin}/api/results`, {
    method: 'POST',
    body: LARGE,
    headers: { ...ITS_HEADERS, ...from('192.0.2.1') },
    signal,
  });

/** @param {(server: TestServer) => Promise<void>} use */
async function withServer(use) {
  const server = await openServer({ env: { TRUST_PROXY: '1' }, limits: LIMITS });
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

/**
 * @param {string} origin
 * @param {number} count of requests
 * @param {() => Promise<Response>} ask one of them, by the first address
 */
async function checkOthersSave(origin, count, ask) {
  let doneCount = 0;
  const asked = Array.from({ length: count }, async () => {
    const response = await ask();
    await response.arrayBuffer();
    doneCount++;
    return response.status;
  });
  await Promise.race(asked);
  const before = doneCount;
  const { status } = await postSubmission(origin, { document: createShootout() }, { headers: from('192.0.2.2') });
  assert.equal(status, 201);
  assert.ok(doneCount - before <= MOST_BEFORE, `${doneCount - before} of ${count} went before`);
  return Promise.all(asked);
}

describe('the save of another address', () => {
  it(`waits for few of ${MANY} large uploads`, () =>
    withServer(async ({ origin }) => {
      const statuses = await checkOthersSave(origin, MANY, () => upload(origin));
      assert.deepEqual(new Set(statuses), new Set([201]));
    }));

  it(`waits for few of ${MANY} CSV files`, () =>
    withServer(async ({ origin }) => {
      const { id } = await (await upload(origin)).json();
      const csv = `${origin}/api/results/${id}.csv`;
      const statuses = await checkOthersSave(origin, MANY, () => fetch(csv, { headers: from('192.0.2.1') }));
      assert.deepEqual(new Set(statuses), new Set([200]));
    }));
});

describe('uploads whose clients left', () => {
  it('are not checked, but for those under way', () =>
    withServer(async ({ origin }) => {
      const leaving = new AbortController();
      const asked = Array.from({ length: MANY }, () => upload(origin, leaving.signal));
      const settled = Promise.allSettled(asked);
      await Promise.race(asked);
      leaving.abort();
      await settled;
      // It stands behind all that the same address still waits for.
      assert.equal((await upload(origin)).status, 201);
      const { results } = await (await fetch(`${origin}/api/results`)).json();
      assert.ok(results.length <= 2 + MOST_BEFORE, `${results.length} were saved`);
    }));
});
