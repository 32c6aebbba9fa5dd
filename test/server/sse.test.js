import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../support/lean.js';
import { openRaw, requestHead } from '../support/payload-client.js';
import { withServer, withTwoWorkers } from '../support/two-workers.js';

const LIMIT_MS = 60_000;

/**
 * @param {string} url
 * @returns {Promise<{ status: number, type: string | null, next(): Promise<string>, close(): void }>} `next` gives the data
 *   of the next event, or '' when the stream has ended
 */
async function openStream(url) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), LIMIT_MS);
  const response = await fetch(url, { signal: controller.signal });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let text = '';
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    async next() {
      for (;;) {
        const event = /^data: (.*)\n\n/m.exec(text);
        if (event) {
          text = text.slice(event.index + event[0].length);
          return event[1];
        }
        const { done, value } = await reader.read();
        if (done) return '';
        text += decoder.decode(value, { stream: true });
      }
    },
    close() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}

/**
 * @param {string} url
 * @param {string} body
 */
const post = async (url, body) => {
  const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(LIMIT_MS) });
  return { status: response.status, text: await response.text() };
};

/** @param {string} text */
const codeOf = (text) => JSON.parse(text).error.code;

describe('/sse', { concurrency: true }, () => {
  it('echoes a POST on the stream of its id, as one line of data', () =>
    withServer({}, async ({ origin }) => {
      const url = `${origin}/sse/abcdefgh`;
      const stream = await openStream(url);
      assert.deepEqual([stream.status, stream.type], [200, 'text/event-stream']);
      assert.deepEqual(await post(url, '{"count":1,"body":"a\\nb"}'), { status: 204, text: '' });
      assert.deepEqual(JSON.parse(await stream.next()), { count: 2, body: 'a\nb' });
      stream.close();
    }));

  it('tells of a bad count on the stream, and goes on', () =>
    withServer({}, async ({ origin }) => {
      const url = `${origin}/sse/abcdefgh`;
      const stream = await openStream(url);
      for (const body of ['{"count":-1}', 'x', '']) {
        assert.equal((await post(url, body)).status, 204);
        assert.ok(JSON.parse(await stream.next()).error.code.startsWith('bad-'));
      }
      await post(url, '{"count":3}');
      assert.deepEqual(JSON.parse(await stream.next()), { count: 4 });
      stream.close();
    }));

  it('refuses what it cannot serve, each with its code', () =>
    withServer({ limits: { sessionCount: 1, messageBytes: 100 } }, async ({ origin }) => {
      const url = `${origin}/sse/abcdefgh`;
      assert.deepEqual(await post(url, '{"count":1}').then(({ status, text }) => [status, codeOf(text)]), [
        404,
        'no-stream',
      ]);
      const stream = await openStream(url);
      for (const [other, method, status, code] of [
        ['abcdefgh', 'GET', 409, 'taken'],
        ['ijklmnop', 'GET', 503, 'busy'],
        ['short', 'GET', 404, 'not-found'],
        ['abcdefgh/x', 'GET', 404, 'not-found'],
        ['abcdefgh', 'PUT', 405, 'wrong-method'],
      ]) {
        const response = await fetch(`${origin}/sse/${other}`, { method: String(method) });
        assert.deepEqual([response.status, codeOf(await response.text())], [status, code]);
      }
      assert.equal((await post(url, 'x'.repeat(101))).status, 413);
      stream.close();
    }));

  it('frees the id when its stream has gone', () =>
    withServer({}, async ({ origin }) => {
      const url = `${origin}/sse/abcdefgh`;
      (await openStream(url)).close();
      let stream = await openStream(url);
      while (stream.status === 409) stream = await openStream(url);
      assert.equal(stream.status, 200);
      stream.close();
    }));

  it('ends its streams when the server drains', () =>
    withServer({ limits: { idleGraceMs: 0 } }, async ({ origin, drain }) => {
      const stream = await openStream(`${origin}/sse/abcdefgh`);
      const drained = drain();
      assert.equal(await stream.next(), '');
      await drained;
      stream.close();
    }));

  it('answers on the stream of another worker', () =>
    withTwoWorkers(async ([first, second]) => {
      // Of eight ids some belong to either.
      for (const id of Array.from({ length: 8 }, (_, i) => `stream-${i}`)) {
        const stream = await openStream(`${first.origin}/sse/${id}`);
        assert.equal((await post(`${second.origin}/sse/${id}`, '{"count":1}')).status, 204);
        assert.deepEqual(JSON.parse(await stream.next()), { count: 2 });
        stream.close();
      }
    }));

  it('gives up what was asked on connections that break, at either worker, though nothing was answered yet', () =>
    withTwoWorkers(async ([first]) => {
      const openSessions = async () => {
        const { workers } = await (await fetch(`${first.origin}/status`)).json();
        return workers.map((/** @type {{ openSessions: number }} */ worker) => worker.openSessions);
      };
      const ids = Array.from({ length: 8 }, (_, i) => `stream-${i}`);
      const clients = await Promise.all(ids.map(() => openRaw(first.port)));
      for (const [i, { send }] of clients.entries()) send(requestHead(`/sse/${ids[i]}`));
      let counts = await openSessions();
      while (counts[0] + counts[1] < ids.length) counts = await openSessions();
      assert.ok(counts.every((/** @type {number} */ count) => count > 1));
      for (const { socket } of clients) socket.destroy();
      while (counts[0] + counts[1] > 0) counts = await openSessions();
    }));

  it('ends the streams that come through a worker when that drains', () =>
    withTwoWorkers(async ([first]) => {
      const streams = await Promise.all(
        Array.from({ length: 8 }, (_, i) => openStream(`${first.origin}/sse/stream-${i}`)),
      );
      const drained = first.drain();
      for (const stream of streams) {
        assert.equal(await stream.next().catch(() => ''), '');
        stream.close();
      }
      await drained;
    }));
});
