import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { drawDurationMs } from '../../../core/net/delivery/job.js';
import { contentOf, NEWS_BYTES } from '../../../core/net/delivery/news.js';
import { ask, eventsOf, LONG, make, RUN } from '../../support/job-client.js';
import { openServer } from '../../support/server.js';
import { withServer } from '../../support/two-workers.js';

/** @import { TestServer } from '../../support/server.js' */

const ID = /^[\w-]{48}$/;
const MIB = 1024 * 1024;

describe('a job over HTTP', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  it('gets an address, and is complete once its drawn time has passed', async () => {
    const { origin } = server;
    const before = Date.now();
    const made = await ask(`${origin}/job?trial=${RUN}&seed=7&min=10&max=60`, { method: 'POST' });
    const { id, createTime } = made.answer;
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), `/job/${id}`);
    assert.match(id, ID);
    assert.ok(createTime >= before && createTime <= Date.now(), String(createTime));
    assert.deepEqual(made.answer, { id, createTime, complete: false });

    const durationMs = drawDurationMs({ seed: 7, minMs: 10, maxMs: 60 });
    let polled = await ask(`${origin}/job/${id}`);
    while (!polled.answer.complete) {
      assert.deepEqual(polled.answer, made.answer);
      polled = await ask(`${origin}/job/${id}`);
    }
    assert.ok(Date.now() >= createTime + durationMs);
    assert.deepEqual(polled.answer, { id, createTime, complete: true, durationMs });
    assert.equal(polled.headers.get('cache-control'), 'no-store, no-transform');
  });

  for (const bytes of [200, 255, 256, 32_000, NEWS_BYTES.max]) {
    it(`is told of in ${bytes} bytes where it is asked to`, async () => {
      const { id, ...made } = await make(server.origin, `min=0&max=0&bytes=${bytes}`);
      assert.deepEqual(Object.keys(made), ['createTime', 'complete']);
      const polled = await ask(`${server.origin}/job/${id}`);
      assert.equal(polled.text.length, bytes);
      assert.equal(
        polled.answer.content,
        contentOf({ id, createMs: made.createTime, durationMs: 0, newsBytes: bytes }),
      );
      const { text } = await ask(`${server.origin}/job/events?ids=${id}`);
      assert.deepEqual(eventsOf(text), [polled.answer]);
    });
  }

  it('has news that hardly gets shorter by compression, and other news with another duration', async () => {
    const news = { id: '', createMs: 0, newsBytes: NEWS_BYTES.max };
    const contents = [100, 101].map((durationMs) => String(contentOf({ ...news, durationMs })));
    assert.notEqual(contents[0], contents[1]);
    // Six of eight bits are chance.
    for (const content of contents) assert.ok(gzipSync(content).length > 0.74 * content.length);
  });

  for (const bytes of [0, 199, NEWS_BYTES.max + 1]) {
    it(`is refused with news of ${bytes} bytes`, async () => {
      const { status, answer } = await ask(`${server.origin}/job?bytes=${bytes}`, { method: 'POST' });
      assert.deepEqual([status, answer.error.code], [400, 'bad-option']);
    });
  }

  it('costs CPU time to poll where POLL_COST_MS is set, and status and page say so', () =>
    withServer({ env: { POLL_COST_MS: '30' } }, async ({ origin }) => {
      const { id } = await make(origin);
      for (const query of ['', '?wait=1']) {
        const start = process.cpuUsage();
        assert.equal((await ask(`${origin}/job/${id}${query}`)).status, 200);
        const { user, system } = process.cpuUsage(start);
        assert.ok(user + system >= 30_000, `${user + system} us`);
      }
      assert.equal((await ask(`${origin}/status`)).answer.pollCostMs, 30);
      assert.match((await ask(`${origin}/polltest`)).text, />Each poll .* 30 ms of /);
      assert.doesNotMatch((await ask(`${origin}/inflight`)).text, />Each poll /);
    }));

  it('is created for a client of 2018, which names no options and sends any body', async () => {
    const options = { method: 'POST', body: '{"any":"thing"}', headers: { 'content-type': 'application/json' } };
    const { status, answer } = await ask(`${server.origin}/job`, options);
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(answer), ['id', 'createTime', 'complete']);
  });

  it('is sent to a long poll as soon as it is complete, and not before', async () => {
    const { id, createTime } = await make(server.origin, 'min=30&max=30');
    const { answer } = await ask(`${server.origin}/job/${id}?wait=25000`);
    assert.ok(Date.now() >= createTime + 30);
    assert.deepEqual(answer, { id, createTime, complete: true, durationMs: 30 });
  });

  it('is sent as not complete to a long poll that waits for less time', async () => {
    const { id, createTime } = await make(server.origin, LONG);
    const startMs = Date.now();
    const { status, answer } = await ask(`${server.origin}/job/${id}?wait=20`);
    assert.ok(Date.now() >= startMs + 20);
    assert.deepEqual([status, answer], [200, { id, createTime, complete: false }]);
  });

  it('is sent once on a stream of several jobs, when it is due, and the stream ends after the last', async () => {
    const made = [];
    const durationsMs = [40, 0, 20];
    for (const durationMs of durationsMs) {
      made.push(await make(server.origin, `min=${durationMs}&max=${durationMs}`));
    }
    const { status, headers, text } = await ask(
      `${server.origin}/job/events?ids=${encodeURIComponent(made.map(({ id }) => id).join(','))}`,
    );
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream']);
    const notified = eventsOf(text);
    assert.equal(notified.length, durationsMs.length);
    assert.deepEqual(
      made.map((job) => notified.find(({ id }) => id === job.id)),
      made.map((job, index) => ({ ...job, complete: true, durationMs: durationsMs[index] })),
    );
    assert.ok(made.every(({ createTime }, index) => Date.now() >= createTime + durationsMs[index]));
  });

  it('is not found by an ID of which any byte was changed', async () => {
    const { id } = await make(server.origin);
    const bytes = Buffer.from(id, 'base64url');
    assert.equal(bytes.length, 36);
    await Promise.all(
      [...bytes.keys()].map(async (index) => {
        const changed = Buffer.from(bytes);
        changed[index] ^= 1 << (index % 8);
        const { status, answer } = await ask(`${server.origin}/job/${changed.toString('base64url')}`);
        assert.deepEqual([status, answer.error.code], [404, 'not-found'], `byte ${index}`);
      }),
    );
    assert.equal((await ask(`${server.origin}/job/${id}`)).status, 200);
  });

  /** @type {[string, string, number, string, RegExp?, string?][]} method, path, status, code, message, body */
  const table = [
    ['POST', '/job?trial=short', 400, 'bad-option', /^trial: expected .* got 'short'$/],
    ['POST', `/job?trial=${RUN}x`, 400, 'bad-option', /^trial: /],
    ['POST', '/job?trial=AAAAAAAAAAAA', 400, 'bad-option', /^trial: /],
    ['POST', '/job?trial=', 400, 'bad-option', /^trial: .* got ''$/],
    ['POST', '/job?seed=-1', 400, 'bad-option', /^seed: expected .* got '-1'$/],
    ['POST', '/job?seed=4294967296', 400, 'bad-option', /^seed: .* got 4294967296$/],
    ['POST', '/job?seed=1.5', 400, 'bad-option', /^seed: /],
    ['POST', '/job?seed=1e3', 400, 'bad-option', /^seed: /],
    ['POST', '/job?seed=', 400, 'bad-option', /^seed: /],
    ['POST', '/job?min=600001&max=600001', 400, 'bad-option', /^min: expected .* 600000, got 600001$/],
    ['POST', '/job?max=99999999999999', 400, 'bad-option', /^max: /],
    ['POST', '/job?min=2&max=1', 400, 'bad-option', /^min: expected at most `max` \(1\), got 2$/],
    ['POST', '/job?min=10001', 400, 'bad-option', /^min: expected at most `max` \(10000\), /],
    ['POST', '/job?max=1&max=1', 400, 'bad-option', /^max: expected one value/],
    ['POST', '/job?max=1&max=2', 400, 'bad-option', /^max: expected one value/],
    ['GET', '/jobs/info?trial=run-of_jobs1&trial=run-of_jobs2', 400, 'bad-option', /^trial: expected one value/],
    ['POST', '/job?x=1', 400, 'bad-option', /^option: expected trial or seed or min or max or bytes, got 'x'$/],
    ['POST', '/job?count=1', 400, 'bad-option', /^option: expected .* got 'count'$/],
    ['POST', '/job', 413, 'too-large', /^body: /, 'x'.repeat(MIB + 1)],
    ['GET', '/job', 405, 'wrong-method', /^method: .* POST, got GET$/],
    ['PUT', '/job/ID', 405, 'wrong-method', /^method: .* GET, got PUT$/],
    ['DELETE', '/job/events?ids=ID', 405, 'wrong-method', /^method: expected GET, /],
    ['GET', '/job/', 404, 'not-found', /^id: /],
    ['GET', '/job/ID/', 404, 'not-found', /^id: /],
    ['GET', '/job/IDA', 404, 'not-found', /^id: /],
    ['GET', '/job/constructor', 404, 'not-found', /^id: /],
    ['GET', '/job/ID?wait=0', 400, 'bad-option', /^wait: expected .* 25000, got 0$/],
    ['GET', '/job/ID?wait=25001', 400, 'bad-option', /^wait: /],
    ['GET', '/job/ID?wait=soon', 400, 'bad-option', /^wait: .* got 'soon'$/],
    ['GET', '/job/ID?wait=%E0', 400, 'bad-option', /^wait: /],
    ['GET', '/job/ID?wait=1&wait=1', 400, 'bad-option', /^wait: expected one value/],
    ['GET', '/job/ID?attempt=1&attempt=2&wait=x', 400, 'bad-option', /^wait: .* got 'x'$/],
    ['GET', '/job/IDA?attempt=1', 404, 'not-found', /^id: /],
    ['GET', '/job/events?ids=ID&attempt=1', 400, 'bad-option', /^option: expected ids, got 'attempt'$/],
    ['GET', '/job/events', 400, 'bad-option', /^ids: expected 1 to 100 .*, got 0$/],
    ['GET', '/job/events?ids=', 400, 'bad-option', /^ids: /],
    ['GET', `/job/events?ids=${'ID,'.repeat(100)}ID`, 400, 'bad-option', /^ids: .* got 101$/],
    ['GET', '/job/events?ids=ID,nobody', 404, 'not-found', /^id: /],
    ['GET', '/job/events?ids=ID,', 404, 'not-found', /^id: /],
    ['GET', '/ws/job', 426, 'upgrade-required', /^Upgrade: /],
    ['GET', '/ws/jobs', 426, 'upgrade-required', /^Upgrade: /],
    ['POST', '/ws/jobs', 405, 'wrong-method', /^method: /],
    ['GET', '/jobs/info?trial=x', 400, 'bad-option', /^trial: /],
    ['POST', '/jobs/000/session/xhr?trial=x', 400, 'bad-option', /^trial: /],
    ['GET', '/traffic/x', 400, 'bad-option', /^trial: /],
    ['POST', `/traffic/${RUN}`, 405, 'wrong-method', /^method: /],
  ];
  for (const [method, target, status, code, message, body] of table) {
    it(`answers ${method} ${target.slice(0, 60)} with ${status} ${code}`, async () => {
      const { id } = await make(server.origin, LONG);
      const got = await ask(server.origin + target.replaceAll('ID', id), { method, body });
      assert.deepEqual([got.status, got.answer?.error.code], [status, code], got.text);
      assert.match(got.answer.error.message, message ?? /\w/);
    });
  }

  for (const query of ['attempt=1', 'run=x', 'a=1&a=2', '__proto__=1', '%E0%A4=%', '&&=', 'attempt=1&wait=1']) {
    it(`answers a poll with ?${query} like a poll without it`, async () => {
      const made = await make(server.origin, LONG);
      const { status, answer } = await ask(`${server.origin}/job/${made.id}?${query}`);
      assert.deepEqual([status, answer], [200, made]);
    });
  }
});
