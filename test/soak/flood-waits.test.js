/**
 * How long two visitors wait for their echoes while ten clients flood the server: each kind of frame on a path of each way
 * in which sockets are read, and each kind of request. Server and flood have processes of their own.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { closeAll, openHttp, openSockjs } from '../../bench/connections.js';
import { quantile } from '../../core/base/statistics.js';
import { openStore } from '../../server/store/index.js';
import { holdsOnce } from '../support/attempts.js';
import { FLOOD_KINDS } from '../support/flood.js';
import { startMeasuredServer } from '../support/measured-server.js';
import { FLOOD_LABEL, REQUEST_FLOODS } from '../support/request-flood.js';
import { createDocument, createSavedRuns, hashToken } from '../support/saved-runs.js';
import { listSocketPaths } from '../support/socket-paths.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/**
 * @import { Connection } from '../../bench/connections.js'
 * @typedef {{ kind: string, path: string, reads: boolean, p95LimitMs: number }} Flood
 */

const FLOODER = fileURLToPath(new URL('../programs/flooder.js', import.meta.url));
/** On two cores, clients that send frames and do not read made 95% of the echoes take up to 50 to 85 ms. */
const P95_LIMITS_MS = { frames: 100, requests: 50 };
const WORST_LIMIT_MS = 500;
const CLIENTS = 10;
const FLOOD_MS = 500;
/** Between two messages: a visitor who leaves none would be a load, too. */
const PAUSE_MS = 5;
const LISTED_RUNS = 2000;
const STUDY_RUNS = 12;
/** By ws, by SockJS's library, and one message after another; all paths: flood-pairs.test.js. */
const PATHS = ['/ws', '/echo/x/x/websocket', '/payload/ws/echo'];

/**
 * A visitor asks one message at a time, as a page does. An echo that is still awaited at the end counts with what it took
 * until then.
 * @param {Connection} connection @returns {Promise<number[]>} in ms
 */
async function measureWaits(connection) {
  const endsAtMs = performance.now() + FLOOD_MS;
  /** @type {number[]} */
  const waits = [];
  for (let startedMs = performance.now(); startedMs < endsAtMs; startedMs = performance.now()) {
    const over = sleep(endsAtMs + WORST_LIMIT_MS - startedMs, undefined, { ref: false });
    await Promise.race([connection.exchange(waits.length), over]);
    waits.push(performance.now() - startedMs);
    await sleep(PAUSE_MS);
  }
  return waits;
}

/** @param {number} port @param {Flood} flood @returns {Promise<string | undefined>} whose wait is beyond a limit */
async function findWait(port, { p95LimitMs, ...flood }) {
  const visitors = { AJAX: await openHttp(port), SockJS: await openSockjs(port) };
  const flooder = fork(FLOODER, [JSON.stringify({ ...flood, port, clients: CLIENTS })]);
  try {
    await once(flooder, 'message');
    const all = await Promise.all(Object.values(visitors).map(measureWaits));
    return Object.keys(visitors)
      .map((name, i) => describeBeyond(name, all[i], p95LimitMs))
      .find(Boolean);
  } finally {
    const ended = once(flooder, 'exit');
    flooder.disconnect();
    closeAll(Object.values(visitors));
    await ended;
  }
}

/** @param {string} name @param {readonly number[]} waits @param {number} p95LimitMs @returns {string | undefined} */
function describeBeyond(name, waits, p95LimitMs) {
  const sorted = waits.toSorted((a, b) => a - b);
  const [p95, worst] = [0.95, 1].map((p) => Number(quantile(sorted, p)));
  const isWithin = p95 < p95LimitMs && worst < WORST_LIMIT_MS;
  return isWithin ? undefined : `${name}: p95 ${p95.toFixed(1)} ms, worst ${worst.toFixed(1)} ms of ${waits.length}`;
}

/** Fills it with runs that were never measured, for the lists. @param {string} dataDir */
async function fillStore(dataDir) {
  const store = await openStore({ dataDir });
  await store.migrate();
  for (const run of createSavedRuns(LISTED_RUNS)) {
    await store.save(run, { document: createDocument(run.id, 100), tokenHash: hashToken(run.id) });
  }
  await store.close();
}

describe('the echoes of other visitors', () => {
  /** @type {Awaited<ReturnType<typeof startMeasuredServer>>} */
  let server;
  let dataDir = '';
  before(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    await fillStore(dataDir);
    server = await startMeasuredServer({}, [], { env: { DATA_DIR: dataDir } });
    for (let i = 0; i < STUDY_RUNS; i++) {
      const { status } = await postSubmission(server.origin, { document: createShootout(), label: FLOOD_LABEL });
      assert.equal(status, 201);
    }
  });
  after(async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  });

  const byFrames = PATHS.flatMap((path) =>
    FLOOD_KINDS.flatMap((kind) =>
      [true, false].map((reads) => ({ kind, path, reads, p95LimitMs: P95_LIMITS_MS.frames })),
    ),
  );
  const byRequests = Object.entries(REQUEST_FLOODS).map(([kind, { path }]) => ({
    ...{ kind, path },
    ...{ reads: true, p95LimitMs: P95_LIMITS_MS.requests },
  }));
  for (const flood of [...byFrames, ...byRequests]) {
    const { kind, path, reads, p95LimitMs } = flood;
    const clients = `clients that ${reads ? 'read' : 'do not read'}`;
    it(`take less than ${WORST_LIMIT_MS} ms, 95% of them less than ${p95LimitMs} ms, during ${kind} on ${path} of ${clients}`, (t) =>
      holdsOnce(t, () => findWait(server.port, flood)));
  }

  it('are measured on paths that there are', async () => {
    const examples = (await listSocketPaths()).map(({ example }) => example);
    assert.ok(PATHS.every((path) => examples.includes(path)));
  });
});
