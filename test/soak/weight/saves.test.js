/**
 * How much longer a save takes while another address keeps the thread busy that reads documents: it waits for the job that is
 * under way, not for all of them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { holdsOnce } from '../../support/attempts.js';
import { startMeasuredServer } from '../../support/measured-server.js';
import { GZIPPED_FORM, GZIPPED_JSON, LARGE_RUN, MANY_FILES } from '../../support/request-flood.js';
import { createShootout, postSubmission } from '../../support/submissions.js';

/** @typedef {(signal: AbortSignal) => Promise<Response>} Ask */

const MORE_MS = 2000;
const LIMITS = { savesPerHour: 1e9, documentsPerMinute: 1e9 };
/** All of which would take longer, one after the other. */
const UPLOADS = 64;
const CSV_FILES = 20;
const FORMS = 6;
const MANY = 10;

const from = (/** @type {string} */ address) => ({ 'X-Forwarded-For': address });

/** Resolves when one is answered, so that the others wait. @param {number} count @param {Ask} ask */
async function beginMany(count, ask) {
  const leaving = new AbortController();
  const asked = Array.from({ length: count }, () => ask(leaving.signal));
  const settled = Promise.allSettled(asked);
  await Promise.race(asked);
  return async () => {
    leaving.abort();
    await settled;
  };
}

describe('the save of another address', () => {
  /** @type {Awaited<ReturnType<typeof startMeasuredServer>>} */
  let server;
  /** Of a large run. */
  let csv = '';
  before(async () => {
    server = await startMeasuredServer(LIMITS, [], { env: { TRUST_PROXY: '1' } });
    const { id } = await (await upload(AbortSignal.timeout(60_000))).json();
    csv = `/api/results/${id}.csv`;
  });
  after(() => server.close());

  /** @param {string} path @param {RequestInit} options */
  const byFirst = (path, { headers, ...options }) =>
    fetch(server.origin + path, { ...options, headers: { ...headers, ...from('192.0.2.1') } });
  /** @type {Ask} */
  const upload = (signal) =>
    byFirst('/api/results', { method: 'POST', body: LARGE_RUN, headers: GZIPPED_JSON, signal });
  /** @type {Ask} */
  const sendForm = (signal) =>
    byFirst('/submission', { method: 'POST', body: MANY_FILES, headers: GZIPPED_FORM, signal });

  async function measureSave() {
    const startedMs = performance.now();
    const { status } = await postSubmission(
      server.origin,
      { document: createShootout() },
      { headers: from('192.0.2.2') },
    );
    assert.equal(status, 201);
    return performance.now() - startedMs;
  }

  /** @type {[name: string, count: number, ask: Ask][]} */
  const attacks = [
    ['large uploads', UPLOADS, upload],
    ['CSV files', CSV_FILES, (signal) => byFirst(csv, { signal })],
    ['forms of 2019 full of files', FORMS, sendForm],
  ];
  for (const [name, count, ask] of attacks) {
    it(`takes at most ${MORE_MS} ms longer during ${count} ${name}`, (t) =>
      holdsOnce(t, async () => {
        const quietMs = await measureSave();
        const end = await beginMany(count, ask);
        const ms = await measureSave();
        await end();
        return ms - quietMs <= MORE_MS ? undefined : `${ms} ms, and ${quietMs} ms before`;
      }));
  }

  it('does not wait for uploads whose clients left, but for those under way', async () => {
    const [{ savedAt: before }] = await listNewest();
    const end = await beginMany(MANY, upload);
    await end();
    // It stands behind all that the same address still waits for.
    assert.equal((await upload(AbortSignal.timeout(60_000))).status, 201);
    const savedCount = (await listNewest()).filter(({ savedAt }) => savedAt > before).length;
    assert.ok(savedCount < MANY / 2, `${savedCount} were saved`);
  });

  /** @returns {Promise<{ savedAt: string }[]>} */
  const listNewest = async () => (await (await fetch(`${server.origin}/api/results`)).json()).results;
});
