/** Streams over HTTP: as lines, as events, and by polls. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createId } from '../../../core/base/random.js';
import { dueTimesOf, formatStreamQuery, textOf } from '../../../core/net/stream/stream.js';
import { readMetric } from '../../support/metrics.js';
import { openRaw, requestHead } from '../../support/payload-client.js';
import { openServer } from '../../support/server.js';
import { withServer, withTwoWorkers } from '../../support/two-workers.js';

/**
 * @import { Piece } from '../../../core/net/stream/stream.js'
 * @import { TestServer } from '../../support/server.js'
 * @typedef {{ response: Response, pieces: Piece[], ids: string[], isBroken: boolean }} Heard `ids`: of events
 */

const STREAM = { pieces: 8, bytes: 12, rate: 100, spread: 100, seed: 3 };
const QUERY = formatStreamQuery(STREAM);
/** It lasts for longer than any test. */
const LONG = formatStreamQuery({ pieces: 60, bytes: 5, rate: 1, spread: 0, seed: 1 });
const FORMS = /** @type {const} */ (['/pieces', '/pieces/events']);

/** @param {string} url @param {RequestInit} [init] @returns {Promise<Heard>} all that came until its end */
async function hear(url, init) {
  const response = await fetch(url, init);
  let text = '';
  let isBroken = false;
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  } catch {
    isBroken = true;
  }
  return {
    response,
    pieces: [...text.matchAll(/^(?:data: )?(\{.*\})$/gm)].map(([, piece]) => JSON.parse(piece)),
    ids: [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id),
    isBroken,
  };
}

/** @param {string} url @returns {Promise<{ id: string, pieces: Piece[] }>} */
const poll = async (url) => /** @type {any} */ (await fetch(url)).json();

/** @param {readonly Piece[]} heard @param {{ from?: number, end?: number, of: { pieces: number, bytes: number } }} expected */
function assertPieces(heard, { from = 0, of: { pieces, bytes }, end = pieces }) {
  assert.deepEqual(
    heard.map(({ n, text, last = false }) => ({ n, text, last })),
    Array.from({ length: end - from }, (_, i) => {
      const n = from + i;
      return { n, text: textOf(n, bytes), last: n === pieces - 1 };
    }),
  );
}

/** @param {() => Promise<boolean>} isSo */
async function until(isSo) {
  while (!(await isSo())) await sleep(20);
}

describe('a stream over HTTP', { timeout: 60_000 }, () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer()));
  after(() => server.close());

  for (const path of FORMS) {
    describe(`at ${path}`, () => {
      it('brings each piece once, in order, none before it is due, in an answer that no proxy holds back', async () => {
        const { response, pieces } = await hear(`${server.origin}${path}?${QUERY}`);
        const type = path === '/pieces' ? 'application/x-ndjson' : 'text/event-stream';
        assert.equal(response.headers.get('content-type'), type);
        assert.equal(response.headers.get('cache-control'), 'no-store, no-transform');
        assert.equal(response.headers.get('x-accel-buffering'), 'no');
        assertPieces(pieces, { of: STREAM });
        // What it says is rounded to tenths.
        for (const [n, dueMs] of dueTimesOf(STREAM).entries()) assert.ok(pieces[n].ms >= dueMs - 0.05, `piece ${n}`);
        assert.match(String(pieces[0].id), /^[\w-]{48}$/);
        assert.deepEqual(
          pieces.slice(1).filter(({ id }) => id !== undefined),
          [],
        );
      });

      it('comes at once without a rate', async () => {
        const fast = { ...STREAM, pieces: 1000, rate: 0 };
        assertPieces((await hear(`${server.origin}${path}?${formatStreamQuery(fast)}`)).pieces, { of: fast });
      });

      it('is reset at its cut once, and goes on over another worker as it began', () =>
        withTwoWorkers(
          async ([first, second]) => {
            const cut = { ...STREAM, rate: 20, spread: 0, cut: 3 };
            const { isBroken, pieces } = await hear(`${first.origin}${path}?${formatStreamQuery(cut)}`);
            assert.equal(isBroken, true);
            const next = pieces.length;
            // A client that is slow loses what it has not read when it is reset.
            assert.ok(next > 0 && next <= cut.cut, String(next));
            assertPieces(pieces, { end: next, of: cut });
            const rest = await hear(`${second.origin}${path}?id=${pieces[0].id}&since=${next}`);
            assert.equal(rest.isBroken, false);
            assertPieces(rest.pieces, { from: next, of: cut });
            // By the clock of the stream, not by that of the second connection.
            for (const { n, ms } of rest.pieces) assert.ok(ms >= 50 * n - 1.05, `piece ${n}: ${ms}`);
          },
          { JOB_SECRET: 'a-secret-of-both-workers' },
        ));

      it('is refused with what is wrong', async () => {
        const response = await fetch(`${server.origin}${path}?${QUERY}&rate=1`);
        assert.equal(response.status, 400);
        assert.equal((await response.json()).error.code, 'bad-option');
        assert.equal((await fetch(`${server.origin}${path}?id=none`)).status, 404);
      });

      it('ends after the last piece with 204', async () => {
        const { pieces } = await hear(`${server.origin}${path}?${QUERY}`);
        const response = await fetch(`${server.origin}${path}?id=${pieces[0].id}&since=${STREAM.pieces}`);
        assert.equal(response.status, 204);
      });

      it('leaves its place when its client has gone', () =>
        withServer({ limits: { streamPiecesPerSecond: STREAM.rate } }, async ({ origin }) => {
          const gone = new AbortController();
          await fetch(`${origin}${path}?${LONG}`, { signal: gone.signal });
          const refused = await fetch(`${origin}${path}?${QUERY}`);
          assert.deepEqual([refused.status, (await refused.json()).error.code], [503, 'busy']);
          gone.abort();
          await until(async () => (await fetch(`${origin}${path}?${QUERY}`)).ok);
        }));

      it('ends without its last piece in a drain, so that its client asks another worker for the rest', async () => {
        const env = { JOB_SECRET: 'a-secret-of-both-servers' };
        const draining = await openServer({ env, limits: { drainMs: 10_000 } });
        const heard = hear(`${draining.origin}${path}?${formatStreamQuery({ ...STREAM, pieces: 100, spread: 0 })}`);
        await until(async () => (await readMetric(draining, 'streams_total\\{transport="[a-z ]*",')) === 1);
        await sleep(50);
        await draining.close();
        const { pieces, isBroken } = await heard;
        assert.equal(isBroken, false);
        const next = pieces.length;
        assert.ok(next > 0 && next < 100, String(next));
        await withServer({ env }, async ({ origin }) => {
          const rest = await hear(`${origin}${path}?id=${pieces[0].id}&since=${next}`);
          assertPieces(rest.pieces, { from: next, of: { ...STREAM, pieces: 100 } });
        });
      });

      it('is recorded with each byte that went over its connection', async () => {
        const trialId = createId(12);
        const client = await openRaw(server.port);
        const head = requestHead(`${path}?${QUERY}&trial=${trialId}`);
        client.send(head);
        while (!/^0\r\n\r\n/m.test(client.text())) await once(client.socket, 'data');
        client.socket.destroy();
        const { workers } = await (await fetch(`${server.origin}/traffic/${trialId}`)).json();
        const { requestCount, receivedBytes, sentBytes, openCount } = workers[0];
        assert.deepEqual(
          { requestCount, receivedBytes, sentBytes, openCount },
          { requestCount: 1, receivedBytes: head.length, sentBytes: client.socket.bytesRead, openCount: 0 },
        );
      });
    });
  }

  it('has an ID in each event, by which an EventSource goes on where it was, until it is told to stop', async () => {
    const url = `${server.origin}/pieces/events?${QUERY}`;
    const { pieces, ids } = await hear(url);
    const { id } = pieces[0];
    assert.deepEqual(
      ids,
      pieces.map(({ n }) => `${id}.${n}`),
    );
    const after = (/** @type {string} */ last) => ({ headers: { 'Last-Event-ID': last } });
    const rest = await hear(url, after(ids[4]));
    assertPieces(rest.pieces, { from: 5, of: STREAM });
    assert.deepEqual(rest.ids, ids.slice(5));
    assert.equal((await fetch(url, after(String(ids.at(-1))))).status, 204);
  });

  it('refuses the ID of an event that it did not send', async () => {
    const url = `${server.origin}/pieces/events?${QUERY}`;
    for (const [last, status] of /** @type {const} */ ([
      ['none', 400],
      [`${'a'.repeat(48)}.1`, 404],
    ])) {
      const response = await fetch(url, { headers: { 'Last-Event-ID': last } });
      assert.equal(response.status, status, last);
    }
  });

  it('is polled for what is due, from a piece on, over any worker', () =>
    withTwoWorkers(
      async (workers) => {
        const slow = { ...STREAM, rate: 20, spread: 0 };
        const first = await poll(`${workers[0].origin}/pieces/poll?${formatStreamQuery(slow)}`);
        assertPieces(first.pieces, { end: 1, of: slow });
        const all = [...first.pieces];
        for (let i = 1; all.length < slow.pieces; i++) {
          await sleep(60);
          const { id, pieces } = await poll(`${workers[i % 2].origin}/pieces/poll?id=${first.id}&since=${all.length}`);
          assert.equal(id, first.id);
          for (const { n, ms } of pieces) assert.ok(ms >= 50 * n, `piece ${n}: ${ms}`);
          all.push(...pieces);
        }
        assertPieces(all, { of: slow });
        const again = await poll(`${workers[0].origin}/pieces/poll?id=${first.id}&since=6`);
        assertPieces(again.pieces, { from: 6, of: slow });
      },
      { JOB_SECRET: 'a-secret-of-both-workers' },
    ));
});
