import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openStore } from '../../server/store/index.js';
import { holdsOnce } from '../support/attempts.js';
import { spawnServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

const WORKERS = 4;
/** Fewer than one address may save with a worker. */
const SAVES_PER_WORKER = 50;
/** Far fewer than one address may upload at a time. */
const AT_ONCE = 2;
/** Of all workers together, when they are killed. */
const ACKNOWLEDGED = 20;

describe('workers that are killed while visitors save', () => {
  // That they lose nothing holds in every attempt; that something was under way when they were killed, in one.
  it('lose nothing that they acknowledged, and keep nothing in part', (t) =>
    holdsOnce(t, async () => {
      const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-kill-'));
      try {
        const { acknowledged, sent } = await saveUntilKilled(dataDir);
        await checkStore(dataDir, acknowledged, sent);
        const counts = `${acknowledged.size} of ${sent.size} runs acknowledged by ${WORKERS} workers`;
        t.diagnostic(counts);
        return acknowledged.size >= ACKNOWLEDGED && acknowledged.size < sent.size ? undefined : counts;
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    }));
});

/**
 * @param {string} dataDir
 * @returns {Promise<{ acknowledged: Map<string, string>, sent: Map<string, string> }>} the labels of the runs that were
 *   answered with 201 by their ids, and the documents of all that were sent by their labels
 */
async function saveUntilKilled(dataDir) {
  /** @type {Map<string, string>} */
  const acknowledged = new Map();
  /** @type {Map<string, string>} */
  const sent = new Map();
  const servers = Array.from({ length: WORKERS }, () => spawnServer({ DATA_DIR: dataDir, LOG_LEVEL: 'info' }));
  let isKilled = false;
  const killAll = () => {
    isKilled = true;
    for (const { child } of servers) child.kill('SIGKILL');
  };

  /** @param {string} origin @param {string[]} labels those left, which several take from */
  const saveOneByOne = async (origin, labels) => {
    for (let label = labels.pop(); label !== undefined && !isKilled; label = labels.pop()) {
      const document = createShootout({ startedAt: new Date(Date.UTC(2026, 10, 21) + sent.size * 1000).toISOString() });
      sent.set(label, JSON.stringify(document));
      const saved = await postSubmission(origin, { label, document }).catch((error) => {
        if (!isKilled) throw error;
      });
      if (!saved) return;
      assert.equal(saved.status, 201, JSON.stringify(saved.answer));
      acknowledged.set(saved.answer.id, label);
      if (acknowledged.size === ACKNOWLEDGED) killAll();
    }
  };

  try {
    const origins = await Promise.all(servers.map((server) => server.origin()));
    await Promise.all(
      origins.flatMap((origin, worker) => {
        const labels = Array.from({ length: SAVES_PER_WORKER }, (_, index) => `${worker} ${index}`);
        return Array.from({ length: AT_ONCE }, () => saveOneByOne(origin, labels));
      }),
    );
  } finally {
    killAll();
    await Promise.all(servers.map(({ exited }) => exited));
  }
  return { acknowledged, sent };
}

/**
 * @param {string} dataDir
 * @param {Map<string, string>} acknowledged
 * @param {Map<string, string>} sent
 */
async function checkStore(dataDir, acknowledged, sent) {
  const store = await openStore({ dataDir });
  try {
    await store.check();
    const listed = await store.list({ limit: 1000 });
    const labels = new Map(listed.map(({ id, label }) => [id, label]));
    for (const [id, label] of acknowledged) assert.equal(labels.get(id), label, `${id} is lost`);
    // What was under way is there whole, or not at all.
    for (const { id, label = '' } of listed) {
      const document = await store.getDocument(id);
      assert.ok(document, id);
      assert.deepEqual(JSON.parse(String(gunzipSync(document))), JSON.parse(sent.get(label) ?? 'null'), id);
    }
    assert.deepEqual(await store.list({ filter: { transport: 'sockjs' }, limit: 1000 }), listed);
  } finally {
    await store.close();
  }
}
