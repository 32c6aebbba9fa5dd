/** Feeds: numbered messages at a fixed rate, by each delivery method; and what a cut does to their connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';
import SockJS from 'sockjs-client';
import { WebSocket } from 'ws';
import { createFeeds } from '../../../server/endpoints/feeds.js';
import { countOpen } from '../../support/metrics.js';
import { openRaw, requestHead } from '../../support/payload-client.js';
import { openServer } from '../../support/server.js';
import { withServer, withTwoWorkers } from '../../support/two-workers.js';

/** @import { TestServer } from '../../support/server.js' */

/**
 * What a connection got: `numbers` of messages, the answers to pings, and its end.
 * @typedef {{ numbers: number[], pongs: number, end: Promise<string>, ping?(): void, close(): void }} Follower
 */

/** @param {any} message @param {Follower} follower */
function note(message, follower) {
  if (message === 'pong') follower.pongs++;
  else follower.numbers.push(JSON.parse(message).n);
}

/** @type {Record<string, (origin: string, query: string, transport?: string) => Promise<Follower>>} */
const SOCKETS = {
  async ws(origin, query) {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/feed?${query}`);
    /** @type {Follower} */
    const follower = {
      ...{ numbers: [], pongs: 0 },
      end: once(socket, 'close').then(([code]) => String(code)),
      ping: () => socket.send('ping'),
      close: () => socket.terminate(),
    };
    socket.on('error', () => {});
    socket.on('message', (message) => note(message.toString(), follower));
    await Promise.race([once(socket, 'open'), follower.end]);
    return follower;
  },

  async sockjs(origin, query) {
    // A busy machine takes longer than the client allows by itself.
    const socket = new SockJS(`${origin}/feeds?${query}`, null, { transports: 'websocket', timeout: 60_000 });
    const end = new Promise((resolve) => (socket.onclose = ({ code }) => resolve(String(code))));
    /** @type {Follower} */
    const follower = { numbers: [], pongs: 0, end, ping: () => socket.send('ping'), close: () => socket.close() };
    socket.onmessage = ({ data }) => note(data, follower);
    await Promise.race([new Promise((resolve) => (socket.onopen = resolve)), end]);
    return follower;
  },

  async socketio(origin, query, transport = 'websocket') {
    const options = { path: '/socket.io/feeds', transports: [transport], reconnection: false, query: parse(query) };
    const socket = io(origin, options);
    /** @type {Promise<string>} */
    const end = new Promise((resolve) => socket.on('disconnect', resolve));
    /** @type {Follower} */
    const follower = {
      ...{ numbers: [], pongs: 0, end },
      ping: () => socket.emit('message', 'ping'),
      close: () => socket.disconnect(),
    };
    socket.on('message', (message) => note(message, follower));
    await Promise.race([new Promise((resolve) => socket.on('connect', () => resolve(undefined))), end]);
    return follower;
  },

  /** Server-sent events, read as text. */
  async sse(origin, query) {
    const { feed, since } = parse(query);
    const giveUp = new AbortController();
    const start = since === undefined ? '' : `?since=${since}`;
    const response = await fetch(`${origin}/feed/${feed}/events${start}`, { signal: giveUp.signal });
    /** @type {Follower} */
    const follower = { numbers: [], pongs: 0, end: Promise.resolve(''), close: () => giveUp.abort() };
    const read = async () => {
      for await (const chunk of response.body ?? []) {
        for (const [, id] of Buffer.from(chunk)
          .toString()
          .matchAll(/^id: (\d+)$/gm))
          follower.numbers.push(Number(id));
      }
      return 'ended';
    };
    follower.end = read().catch(() => 'broken');
    return follower;
  },
};

/** What each says of a connection that a server closes for a deploy, that is reset, and that ends with its feed. */
const ENDS = {
  ws: { close: '1001', reset: '1006', end: '1000' },
  sockjs: { close: '1001', reset: '1006', end: '1000' },
  socketio: { close: 'transport close', reset: 'transport close', end: 'io server disconnect' },
  sse: { close: 'ended', reset: 'broken', end: 'ended' },
};
const NAMES = /** @type {(keyof typeof ENDS)[]} */ (Object.keys(ENDS));

/** @param {string} query @returns {Record<string, string>} */
const parse = (query) => Object.fromEntries(new URLSearchParams(query));

/** @param {number} from @param {number} end */
const range = (from, end) => Array.from({ length: end - from }, (_, i) => from + i);

/** @param {string} origin @param {string} query @returns {Promise<{ id: string, startMs: number }>} */
async function makeFeed(origin, query) {
  const response = await fetch(`${origin}/feed?${query}`, { method: 'POST' });
  assert.equal(response.status, 201);
  return /** @type {any} */ (await response.json());
}

/** @param {string} origin @param {string} id @param {string} query */
async function poll(origin, id, query) {
  const response = await fetch(`${origin}/feed/${id}?${query}`);
  return { status: response.status, answer: /** @type {any} */ (await response.json()) };
}

// Nearly all of their time is waited.
/**
 * Makes a feed, and follows it before its cut, however slow the machine is.
 * @param {keyof typeof ENDS} name @param {string} origin @param {string} cut
 */
async function followUntilCut(name, origin, cut) {
  for (let atMs = 500; ; atMs *= 2) {
    const count = (atMs + 4500) / 50;
    const { id, startMs } = await makeFeed(origin, `rate=20&count=${count}&at=${atMs}&cut=${cut}`);
    const follower = await SOCKETS[name](origin, `feed=${id}&since=0`);
    // Half a second more, as a busy machine cuts late; a second of silence is twice as many.
    const dueCount = atMs / 50 + 10;
    if (Date.now() < startMs + atMs - 200) return { id, cutMs: startMs + atMs, atMs, dueCount, count, follower };
    follower.close();
  }
}

/** Has it the first messages, in order, and none that was due long after the cut? @param {{ numbers: readonly number[] }} follower @param {number} dueCount */
function assertBegins({ numbers }, dueCount) {
  assert.deepEqual(numbers, range(0, numbers.length));
  assert.ok(numbers.length > 0 && numbers.length <= dueCount, `${numbers.length} of ${dueCount}`);
}

describe('a feed', { concurrency: true }, () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  for (const name of NAMES) {
    describe(`by ${name}`, { concurrency: true }, () => {
      it('brings each message once, in order, and ends after the last', async () => {
        const { id } = await makeFeed(server.origin, 'rate=20&count=8');
        const follower = await SOCKETS[name](server.origin, `feed=${id}&since=0`);
        assert.equal(await follower.end, ENDS[name].end);
        assert.deepEqual(follower.numbers, range(0, 8));
      });

      it('begins with the next message that is due, or repeats from the one that is asked for', async () => {
        // A busy machine may follow it only when it is over.
        for (let count = 100; count <= 800; count *= 2) {
          const { id } = await makeFeed(server.origin, `rate=20&count=${count}`);
          await sleep(300);
          const [live, replay] = await Promise.all([
            SOCKETS[name](server.origin, `feed=${id}`),
            SOCKETS[name](server.origin, `feed=${id}&since=2`),
          ]);
          await Promise.all([live.end, replay.end]);
          assert.deepEqual(replay.numbers, range(2, count));
          const [first] = live.numbers;
          if (first === undefined) continue;
          assert.ok(first >= 5, String(first));
          assert.deepEqual(live.numbers, range(first, count));
          return;
        }
        assert.fail('expected a message before a feed was over, got none');
      });

      for (const cut of /** @type {const} */ (['close', 'reset'])) {
        it(`is cut off by ${cut}, and can be followed again at once`, async () => {
          const { id, atMs, count, follower } = await followUntilCut(name, server.origin, cut);
          assert.equal(await follower.end, ENDS[name][cut]);
          const next = follower.numbers.length;
          assert.deepEqual(follower.numbers, range(0, next));
          assert.ok(next >= (atMs - 200) / 50 && next < count, String(next));
          const again = await SOCKETS[name](server.origin, `feed=${id}&since=${next}`);
          await again.end;
          assert.deepEqual(again.numbers, range(next, count));
        });
      }

      it('is silent during a stall, in both directions and for new connections, and loses nothing', async () => {
        const { id, cutMs, dueCount, count, follower } = await followUntilCut(name, server.origin, 'stall&for=3000');
        await sleep(cutMs + 200 - Date.now());
        follower.ping?.();
        const late = SOCKETS[name](server.origin, `feed=${id}&since=0`);
        await sleep(cutMs + 1000 - Date.now());
        assertBegins(follower, dueCount);
        assert.equal(follower.pongs, 0);
        const other = await late;
        assert.ok(Date.now() >= cutMs + 2990, 'a new connection got through');
        await Promise.all([follower.end, other.end]);
        assert.deepEqual(follower.numbers, range(0, count));
        assert.deepEqual(other.numbers, range(0, count));
        assert.equal(follower.pongs, follower.ping ? 1 : 0);
      });

      it('is silent when dead, then broken off, while new connections work', async () => {
        const { id, cutMs, dueCount, count, follower } = await followUntilCut(name, server.origin, 'dead&for=1500');
        await sleep(cutMs + 200 - Date.now());
        follower.ping?.();
        const other = await SOCKETS[name](server.origin, `feed=${id}&since=0`);
        assert.equal(await follower.end, ENDS[name].reset);
        assert.ok(Date.now() >= cutMs + 1490, 'it ended before its time');
        assertBegins(follower, dueCount);
        assert.equal(follower.pongs, 0);
        await other.end;
        assert.deepEqual(other.numbers, range(0, count));
      });
    });
  }

  it('answers a poll with what is due so far', async () => {
    const { id } = await makeFeed(server.origin, 'rate=20&count=6');
    await sleep(120);
    const { answer } = await poll(server.origin, id, 'since=1&poll=example-1');
    assert.equal(answer.wasCut, false);
    assert.ok(answer.sinceStartMs >= 100);
    assert.deepEqual(answer.messages, range(1, 1 + answer.messages.length));
    assert.ok(answer.messages.length >= 2);
    await sleep(300);
    const rest = await poll(server.origin, id, 'since=3&poll=example-2');
    assert.deepEqual(rest.answer.messages, [3, 4, 5]);
  });

  it('breaks off the next poll after a reset, and says so to whoever repeats it', async () => {
    const { id, startMs } = await makeFeed(server.origin, 'rate=20&count=40&cut=reset&at=300');
    await sleep(startMs + 350 - Date.now());
    const query = 'since=0&poll=after-cut&last=200';
    await assert.rejects(poll(server.origin, id, query));
    const repeated = await poll(server.origin, id, query);
    assert.equal(repeated.answer.wasCut, true);
    const next = await poll(server.origin, id, 'since=0&poll=after-cut-2&last=200&failed=1');
    assert.equal(next.answer.wasCut, false);
    assert.deepEqual(next.answer.messages, range(0, next.answer.messages.length));
  });

  it('keeps the next poll back when dead, then breaks it off, and answers others', async () => {
    const { id, startMs } = await makeFeed(server.origin, 'rate=20&count=200&cut=dead&at=300&for=4000');
    await sleep(startMs + 350 - Date.now());
    const order = ['held'];
    const held = assert
      .rejects(poll(server.origin, id, 'since=0&poll=held-poll&last=100'))
      .then(() => order.push('broken off'));
    const other = await poll(server.origin, id, 'since=0&poll=other-poll&last=100&failed=1');
    order.push('answered');
    assert.equal(other.answer.wasCut, false);
    await held;
    assert.deepEqual(order, ['held', 'answered', 'broken off']);
    assert.ok(Date.now() >= startMs + 4290);
  });

  it('keeps all polls back during a stall', async () => {
    const { id, startMs } = await makeFeed(server.origin, 'rate=20&count=60&cut=stall&at=300&for=1000');
    await sleep(startMs + 350 - Date.now());
    const { answer } = await poll(server.origin, id, 'since=0&poll=held-poll&last=100');
    assert.ok(Date.now() >= startMs + 1290);
    assert.equal(answer.wasCut, false);
  });

  it('lives on where a connection ends with the answer before one that a stall keeps back', async () => {
    const own = await openServer({ limits: { messageBytes: 1000 } });
    try {
      const { id, startMs } = await makeFeed(own.origin, 'rate=20&count=60&cut=stall&at=300&for=1000');
      await sleep(startMs + 350 - Date.now());
      const client = await openRaw(own.port);
      const tooLarge = requestHead('/ajaxecho', { method: 'POST', length: 2000 }) + 'x'.repeat(2000);
      client.send(tooLarge + requestHead(`/feed/${id}?since=0&poll=held-poll`));
      await sleep(100);
      client.send(requestHead('/healthz'));
      await client.closed;
      assert.match(client.text(), /^HTTP\/1\.1 413 /);
      await sleep(startMs + 1500 - Date.now());
      assert.equal((await fetch(`${own.origin}/healthz`)).status, 200);
    } finally {
      await own.close();
    }
  });

  it('stays silent, whatever a library does to the connection', async () => {
    const own = await openServer({ limits: { heartbeatMs: 600 } });
    try {
      const { id, cutMs, follower } = await followUntilCut('ws', own.origin, 'dead&for=2000');
      const end = await follower.end;
      assert.ok(Date.now() >= cutMs + 1990, `it ended with ${end} before its time`);
      assert.ok(id);
    } finally {
      await own.close();
    }
  });

  for (const place of ['the same worker', 'another worker']) {
    const isSame = place === 'the same worker';
    it(`brings what a recovered session of Socket.IO missed ${isSame ? 'from' : 'not from'} ${place}`, () =>
      withTwoWorkers(
        async ([first, second]) => {
          const { id } = await makeFeed(first.origin, 'rate=20&count=140');
          /** @type {number[]} */
          const numbers = [];
          const options = { path: '/socket.io/recoverable-feeds', transports: ['websocket'], query: { feed: id } };
          const socket = io(first.origin, options);
          socket.on('message', (message) => numbers.push(JSON.parse(message).n));
          while (numbers.length < 5) await sleep(20);
          /** @type {any} */ (socket.io).uri = isSame ? first.origin : second.origin;
          socket.io.engine.close();
          // The feed is over, however slow the machine is.
          await new Promise((resolve) =>
            socket.on('disconnect', (why) => why === 'io server disconnect' && resolve(why)),
          );
          assert.equal(socket.recovered, isSame);
          assert.deepEqual(
            numbers,
            [...new Set(numbers)].toSorted((a, b) => a - b),
          );
          assert.equal(numbers.at(-1), 139);
          const missed = Math.max(...numbers.slice(1).map((n, i) => n - numbers[i] - 1));
          // The client waits for at least half a second.
          if (isSame) assert.equal(missed, 0);
          else assert.ok(missed >= 9, String(missed));
        },
        { JOB_SECRET: 'a-secret-of-both-workers' },
      ));
  }

  it('takes a place for each request that a stall holds up, and gives it back', async () => {
    const own = await openServer({ limits: { feedSessionCount: 2 } });
    try {
      const { id, startMs } = await makeFeed(own.origin, 'rate=20&count=80&cut=stall&at=100&for=3000');
      await sleep(startMs + 150 - Date.now());
      const polls = ['poll-held-1', 'poll-held-2', 'poll-held-3'].map((name) =>
        poll(own.origin, id, `since=0&poll=${name}`),
      );
      const answers = await Promise.all(polls);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 503]);
      assert.equal((await poll(own.origin, id, 'since=0&poll=poll-later')).status, 200);
    } finally {
      await own.close();
    }
  });

  it('has an end for an EventSource that comes back after the last message', async () => {
    const { id } = await makeFeed(server.origin, 'rate=20&count=2');
    const response = await fetch(`${server.origin}/feed/${id}/events`, { headers: { 'Last-Event-ID': '1' } });
    assert.equal(response.status, 204);
  });

  it('is known to every worker, and kept by none', () =>
    withTwoWorkers(
      async ([first, second]) => {
        const { id } = await makeFeed(first.origin, 'rate=20&count=4');
        for (const name of NAMES) {
          const follower = await SOCKETS[name](second.origin, `feed=${id}&since=0`);
          await follower.end;
          assert.deepEqual(follower.numbers, range(0, 4));
        }
      },
      { JOB_SECRET: 'a-secret-of-both-workers' },
    ));

  it('cannot be made up, nor taken from a job', async () => {
    const secret = Buffer.alloc(32, 1);
    const feeds = createFeeds({ secret });
    const { id } = feeds.make({ rate: 2, count: 4, cut: 'none', cutAtMs: 0, cutMs: 0 });
    assert.equal(feeds.find(id)?.count, 4);
    const changed = `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`;
    assert.equal(feeds.find(changed), undefined);
    const { id: jobId } = /** @type {any} */ (
      await (await fetch(`${server.origin}/job?min=1&max=1`, { method: 'POST' })).json()
    );
    for (const unknown of [changed, jobId, 'x', '']) {
      const { status, answer } = await poll(server.origin, unknown || '%20', 'since=0&poll=example-1');
      assert.deepEqual([status, answer.error.code], [404, 'not-found']);
    }
    const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/ws/feed?feed=${jobId}`);
    const [message] = await once(socket, 'message');
    assert.equal(JSON.parse(message.toString()).error.code, 'not-found');
    socket.terminate();
  });

  it('that nobody made leaves no session of whoever asks for it', () =>
    withServer({}, async (own) => {
      for (const name of ['ws', 'sockjs', 'socketio']) {
        const { close, end } = await SOCKETS[name](own.origin, 'feed=x');
        close();
        await end;
      }
      for (const counted of ['feed ws', 'feed sockjs websocket', 'feed socketio']) {
        for (let look = 0; look < 100 && (await countOpen(own, counted)) > 0; look++) await sleep(50);
        assert.equal(await countOpen(own, counted), 0, counted);
      }
    }));

  for (const [query, expected] of [
    ['', /rate: expected a whole number from 1 to 20, got none/],
    ['rate=21&count=1', /rate: expected .* got '21'|got 21/],
    ['rate=1&count=3600', /count: expected at most 180 s/],
    ['rate=2&count=9&cut=bang', /cut: expected none or close or reset or stall or dead, got 'bang'/],
    ['rate=2&count=9&cut=dead&at=0', /for: expected a whole number/],
    ['rate=2&count=9&cut=dead&at=3500&for=1000', /for: expected a cut that ends before the feed/],
    ['rate=2&count=9&cut=reset&at=4001', /at: expected a whole number from 0 to 4000/],
    ['rate=2&count=9&colour=red', /option: expected .* got 'colour'/],
  ]) {
    it(`is refused for ?${query}`, async () => {
      const response = await fetch(`${server.origin}/feed?${query}`, { method: 'POST' });
      const { error } = /** @type {any} */ (await response.json());
      assert.equal(response.status, 400);
      assert.match(error.message, /** @type {RegExp} */ (expected));
    });
  }
});

describe('a drain', () => {
  it('ends all that follow a feed, silent ones as well', async () => {
    const server = await openServer({ limits: { drainMs: 2000 } });
    const { id } = await makeFeed(server.origin, 'rate=20&count=400&cut=dead&at=300&for=10000');
    const followers = await Promise.all(NAMES.map((name) => SOCKETS[name](server.origin, `feed=${id}&since=0`)));
    await sleep(500);
    const late = await Promise.all(NAMES.map((name) => SOCKETS[name](server.origin, `feed=${id}`)));
    await server.close();
    await Promise.all([...followers, ...late].map(({ end }) => end));
    assert.deepEqual(await Promise.all(late.map(({ end }) => end)), ['1001', '1001', 'transport close', 'ended']);
  });

  it('ends Socket.IO that polls so that its client connects again, as a cut does', () =>
    withServer({ limits: { drainMs: 2000 } }, async (server) => {
      const { id } = await makeFeed(server.origin, 'rate=20&count=400&cut=close&at=1000');
      const { end } = await SOCKETS.socketio(server.origin, `feed=${id}`, 'polling');
      // An error where its next poll had not come yet: it connects again after either.
      assert.match(await end, /^transport (?:close|error)$/);
      const late = await SOCKETS.socketio(server.origin, `feed=${id}`, 'polling');
      await server.close();
      assert.match(await late.end, /^transport (?:close|error)$/);
    }));
});
