/** What shows how a connection fares: an echo without pings, streams, a long poll, and what the server saw of a probe. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { createProbes, joinSeen } from '../../server/endpoints/reach-probes.js';
import { openServer } from '../support/server.js';
import { withTwoWorkers } from '../support/two-workers.js';

const LIMITS = { heartbeatMs: 50, reachSessionCount: 4, reachMs: 60_000 };

/** @type {Awaited<ReturnType<typeof openServer>>} */
let server;
before(async () => {
  server = await openServer({ limits: LIMITS });
});
after(() => server.close());

/** @param {string} path */
async function ask(path) {
  const response = await fetch(server.origin + path);
  return { status: response.status, headers: response.headers, answer: await response.json() };
}

/** @param {string} probe */
async function open(probe) {
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/reach/ws?probe=${probe}`);
  await once(socket, 'open');
  return socket;
}

/** @param {string} probe */
const seenOf = async (probe) => (await ask(`/reach/seen?probe=${probe}`)).answer;

describe('the socket at /reach/ws', () => {
  it('sends text back as text and bytes as bytes, up to 1 MiB', async () => {
    const socket = await open('probe-echo');
    for (const sent of ['text', 'x'.repeat(1024 * 1024), Buffer.from([0, 255])]) {
      socket.send(sent);
      const [message, isBinary] = await once(socket, 'message');
      assert.equal(isBinary, typeof sent !== 'string');
      assert.equal(Buffer.compare(message, Buffer.from(sent)), 0);
    }
    socket.close(1000);
    await once(socket, 'close');
    const { openMs, ...seen } = await seenOf('probe-echo');
    const counts = { plainCount: 0, upgradeCount: 1, openCount: 1, textCount: 2, binaryCount: 1 };
    assert.deepEqual(seen, { ...counts, httpVersion: '1.1', closeCode: 1000 });
    assert.ok(openMs >= 0);
  });

  it('is told of by either worker, and counted once', () =>
    withTwoWorkers(async (workers) => {
      for (const { origin } of workers) {
        const socket = new WebSocket(`${origin.replace('http', 'ws')}/reach/ws?probe=probe-shared`);
        await once(socket, 'open');
        socket.send('text');
        await once(socket, 'message');
        socket.terminate();
        await once(socket, 'close');
      }
      for (const { origin } of workers) {
        const { upgradeCount, openCount, textCount, binaryCount } = await (
          await fetch(`${origin}/reach/seen?probe=probe-shared`)
        ).json();
        assert.deepEqual([upgradeCount, openCount, textCount, binaryCount], [2, 2, 2, 0]);
      }
    }));

  it('gets no pings', async () => {
    const socket = await open('probe-silent');
    let pingCount = 0;
    socket.on('ping', () => pingCount++);
    await new Promise((resolve) => setTimeout(resolve, 6 * LIMITS.heartbeatMs));
    socket.close();
    await once(socket, 'close');
    assert.equal(pingCount, 0);
  });

  it('tells of a request that lost its Upgrade header, and of one that was refused', async () => {
    const { status } = await ask('/reach/ws?probe=probe-plain');
    assert.equal(status, 426);
    const { plainCount, upgradeCount } = await seenOf('probe-plain');
    assert.deepEqual([plainCount, upgradeCount], [1, 0]);

    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      'GET /reach/ws?probe=probe-draft HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    const [head] = await once(socket, 'data');
    socket.destroy();
    assert.match(String(head), /^HTTP\/1.1 426 /);
    const seen = await seenOf('probe-draft');
    assert.deepEqual([seen.upgradeCount, seen.openCount, seen.refusal], [1, 0, 'bad-version']);
  });

  it('takes few of one address', async () => {
    const sockets = await Promise.all(['probe-1st', 'probe-2nd', 'probe-3rd'].map(open));
    const refused = new WebSocket(`${server.origin.replace('http', 'ws')}/reach/ws?probe=probe-4th`);
    const [, response] = await once(refused, 'unexpected-response');
    assert.equal(response.statusCode, 429);
    refused.on('error', () => {});
    refused.terminate();
    assert.equal((await seenOf('probe-4th')).refusal, 'too-many');
    for (const socket of sockets) socket.close();
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    (await open('probe-5th')).terminate();
  });
});

describe('the limits of /reach/', () => {
  /** @param {{ origin: string }} server @param {string} from the address that the proxy in front names */
  async function poll({ origin }, from) {
    const { status } = await fetch(`${origin}/reach/poll?ms=1`, { headers: { 'X-Forwarded-For': from } });
    return status;
  }

  /** @param {{ port: number }} server @param {string} from */
  async function hold({ port }, from) {
    const url = `ws://127.0.0.1:${port}/reach/ws?probe=probe-held`;
    const socket = new WebSocket(url, { headers: { 'X-Forwarded-For': from } });
    await once(socket, 'open');
    return socket;
  }

  for (const [what, limits, statuses] of /** @type {const} */ ([
    ['an address, or the /56 of an IPv6 one', { reachSessionCount: 3 }, [429, 200]],
    ['all', { reachSessionCount: 2 }, [503, 503]],
  ])) {
    it(`are of ${what}`, async () => {
      const own = await openServer({ env: { TRUST_PROXY: '1' }, limits });
      try {
        const sockets = [await hold(own, '2001:db8:1:200::1'), await hold(own, '2001:db8:1:201::1')];
        assert.deepEqual([await poll(own, '2001:db8:1:2ff::1'), await poll(own, '2001:db8:1:300::1')], statuses);
        for (const socket of sockets) socket.close();
        await Promise.all(sockets.map((socket) => once(socket, 'close')));
        let status = 0;
        // The server learns of it a moment later.
        while (status !== 200) status = await poll(own, '2001:db8:1:200::1');
      } finally {
        await own.close();
      }
    });
  }
});

describe('streams and long polls below /reach/', () => {
  for (const [path, pattern] of /** @type {const} */ ([
    ['/reach/events', /^data: (.*)$/gm],
    ['/reach/stream', /^(\{.*)$/gm],
  ])) {
    it(`${path} sends so many events, each with its time`, async () => {
      const response = await fetch(`${server.origin}${path}?count=4&interval=30`);
      assert.equal(response.headers.get('x-accel-buffering'), null);
      const events = [...(await response.text()).matchAll(pattern)].map(([, json]) => JSON.parse(json));
      assert.deepEqual(
        events.map(({ event }) => event),
        [0, 1, 2, 3],
      );
      assert.ok(events.every(({ sentMs }, i) => sentMs >= 30 * i - 1));
    });
  }

  it('a long poll is answered after the time that it asks for', async () => {
    const startedAtMs = performance.now();
    const { status, answer } = await ask('/reach/poll?ms=100');
    assert.equal(status, 200);
    assert.ok(answer.waitedMs >= 99 && performance.now() - startedAtMs >= 99);
  });

  it('what is out of bounds is refused', async () => {
    for (const path of [
      'events?count=0&interval=100',
      'stream?count=10&interval=9',
      'events',
      'poll?ms=60001',
      'poll',
      'seen',
      'seen?probe=a b',
      'ws?probe=short',
    ]) {
      const { status, answer } = await ask(`/reach/${path}`);
      assert.deepEqual([path, status, answer.error.code], [path, 400, 'bad-option']);
    }
  });
});

describe('what is remembered of probes', () => {
  it('is bounded in number and time, and joined over workers', () => {
    let nowMs = 0;
    const probes = createProbes({ limits: { probeCount: 2, probeKeptMs: 100 }, now: () => nowMs });
    for (const name of ['first', 'second', 'third']) probes.open(name, () => '192.0.2.1').openCount++;
    assert.deepEqual(
      ['first', 'second', 'third'].map((name) => probes.read(name).openCount),
      [0, 1, 1],
    );
    nowMs = 101;
    assert.equal(probes.read('third').openCount, 0);
    const [none, some] = [probes.read('none'), { ...probes.read('none'), openCount: 1, closeCode: 1006 }];
    assert.deepEqual(joinSeen([none, some]), some);
    assert.deepEqual(joinSeen([some, none]), some);
  });
});
