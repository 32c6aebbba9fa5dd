/**
 * How much longer two visitors wait for their echoes while ten clients, or 300, flood the server than just before: each kind of
 * frame on a path of each way in which sockets are read, and each kind of request. Server and flood have processes of their own.
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
import { closeAll, openHttp, openSockjs } from '../../../bench/connections.js';
import { quantile } from '../../../core/base/statistics.js';
import { openStore } from '../../../server/store/index.js';
import { holdsOnce } from '../../support/attempts.js';
import { FLOOD_KINDS, STREAM_FLOOD_KINDS } from '../../support/flood.js';
import { startMeasuredServer } from '../../support/measured-server.js';
import { FLOOD_LABEL, FLOOD_SECRET, REQUEST_FLOODS } from '../../support/request-flood.js';
import { createDocument, createSavedRuns, hashToken } from '../../support/saved-runs.js';
import { listSocketPaths } from '../../support/socket-paths.js';
import { createShootout, postSubmission } from '../../support/submissions.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Connection } from '../../../bench/connections.js'
 * @typedef {{ kind: string, path: string, reads: boolean, clients?: number, openCount?: number }} Flood `openCount`: of them before
 *   waits are measured
 */

const FLOODER = fileURLToPath(new URL('../../programs/flooder.js', import.meta.url));
/** How much longer, at most: 95% of the echoes, and each of them. */
const P95_MORE_MS = 50;
const WORST_MORE_MS = 500;
const CLIENTS = 10;
/** What each client of so many may cost in a turn must be little. */
const CROWD = 300;
const QUIET_MS = 150;
const FLOOD_MS = 200;
/** Between two messages: a visitor who leaves none would be a load, too. */
const PAUSE_MS = 5;
const LISTED_RUNS = 2000;
/** No flood is refused, so that it lasts. */
const NO_LIMITS = { readMsPerMinute: 1e9, savesPerHour: 1e9, documentsPerMinute: 1e9 };
const STUDY_RUNS = 12;
/** By ws, by SockJS's library, and one message after another. */
const PATHS = ['/ws', '/echo/x/x/websocket', '/payload/ws/echo'];
const STREAMS = '/ws/pieces';

/**
 * Visitors ask one message at a time, as a page does. An echo that is still awaited at the end counts with what it took until
 * then.
 * @param {readonly Connection[]} visitors @param {number} forMs
 * @returns {Promise<{ p95Ms: number, worstMs: number }>} of the visitor who waited longest
 */
async function measureWaits(visitors, forMs) {
  const endsAtMs = performance.now() + forMs;
  const all = await Promise.all(
    visitors.map(async ({ exchange }) => {
      /** @type {number[]} */
      const waits = [];
      for (let startedMs = performance.now(); startedMs < endsAtMs; startedMs = performance.now()) {
        const over = sleep(endsAtMs + WORST_MORE_MS - startedMs, undefined, { ref: false });
        await Promise.race([exchange(waits.length), over]);
        waits.push(performance.now() - startedMs);
        await sleep(PAUSE_MS);
      }
      return waits.toSorted((a, b) => a - b);
    }),
  );
  const [p95Ms, worstMs] = [0.95, 1].map((p) => Math.max(...all.map((sorted) => Number(quantile(sorted, p)))));
  return { p95Ms, worstMs };
}

/** @param {ChildProcess} flooder @param {number} count @returns {Promise<void>} */
const untilOpen = (flooder, count) => new Promise((resolve) => flooder.on('message', () => --count === 0 && resolve()));

/** @param {number} port @param {Flood} flood @returns {Promise<string | undefined>} what is beyond a limit */
async function findWait(port, { clients = CLIENTS, openCount = 1, ...flood }) {
  const visitors = [await openHttp(port), await openSockjs(port)];
  const flooder = fork(FLOODER, [JSON.stringify({ ...flood, port, clients })]);
  try {
    await once(flooder, 'spawn');
    const quiet = await measureWaits(visitors, QUIET_MS);
    const opened = untilOpen(flooder, openCount);
    flooder.send('begin');
    await opened;
    const { p95Ms, worstMs } = await measureWaits(visitors, FLOOD_MS);
    const isWithin = p95Ms - quiet.p95Ms <= P95_MORE_MS && worstMs - quiet.worstMs <= WORST_MORE_MS;
    return isWithin ? undefined : JSON.stringify({ quiet, flooded: { p95Ms, worstMs } });
  } finally {
    const ended = once(flooder, 'exit');
    flooder.disconnect();
    closeAll(visitors);
    await ended;
  }
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

describe('other visitors', () => {
  /** @type {Awaited<ReturnType<typeof startMeasuredServer>>} */
  let server;
  let dataDir = '';
  before(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    await fillStore(dataDir);
    server = await startMeasuredServer(NO_LIMITS, [], { env: { DATA_DIR: dataDir, JOB_SECRET: FLOOD_SECRET } });
    for (let i = 0; i < STUDY_RUNS; i++) {
      const { status } = await postSubmission(server.origin, { document: createShootout(), label: FLOOD_LABEL });
      assert.equal(status, 201);
    }
  });
  after(async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  });

  // Each kind of clients that read and of clients that do not, at the paths in turn; all pairs: flood-pairs.test.js.
  const byFrames = PATHS.flatMap((path, i) => FLOOD_KINDS.map((kind, j) => ({ kind, path, reads: (i + j) % 2 === 0 })));
  const ofStreams = STREAM_FLOOD_KINDS.map((kind) => ({ kind, path: STREAMS, reads: true }));
  const ofCrowd = PATHS.map((path) => ({ kind: 'empty texts', path, reads: false, clients: CROWD, openCount: CROWD }));
  const byRequests = Object.entries(REQUEST_FLOODS).map(([kind, { path }]) => ({ kind, path, reads: true }));
  for (const flood of /** @type {Flood[]} */ ([...byFrames, ...ofStreams, ...ofCrowd, ...byRequests])) {
    const clients = `${flood.clients ?? CLIENTS} clients that ${flood.reads ? 'read' : 'do not read'}`;
    it(`wait little longer during ${flood.kind} on ${flood.path} of ${clients}`, (t) =>
      holdsOnce(t, () => findWait(server.port, flood)));
  }

  it('are measured beside floods on paths that there are', async () => {
    const examples = (await listSocketPaths()).map(({ example }) => example);
    assert.ok([...PATHS, STREAMS].every((path) => examples.includes(path)));
  });
});
