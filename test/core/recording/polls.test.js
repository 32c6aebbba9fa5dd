import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRecording } from '../../../core/recording/recording.js';
import { entryOf, harOf, pollEntries } from '../../support/har.js';

/** @import { Poll } from '../../../core/recording/recording.js' */

/** @param {readonly any[]} entries */
const read = (entries) =>
  readRecording(harOf([...entries].sort((a, b) => a.startedDateTime.localeCompare(b.startedDateTime))));

/** @param {readonly any[]} entries @returns {Promise<Poll>} the only one */
async function readPoll(entries) {
  const { polls } = await read(entries);
  assert.equal(polls.length, 1, polls.map(({ pattern }) => pattern).join());
  return polls[0];
}

/** @param {number} actual @param {number} expected @param {number} [share] */
const assertNear = (actual, expected, share = 0.05) =>
  assert.ok(Math.abs(actual - expected) <= share * expected, `expected about ${expected}, got ${actual}`);

const nothing = () => ({ body: '[]' });

describe('the rhythm of a poll', () => {
  for (const by of /** @type {const} */ (['timer', 'pause'])) {
    for (const everyMs of [100, 500, 2000, 15_000]) {
      it(`is found by a ${by} of ${everyMs} ms`, async () => {
        const ms = (/** @type {number} */ i) =>
          everyMs > 400 ? { body: '[]' } : { body: '[]', ms: 20 + ((7 * i) % 40) };
        const poll = await readPoll(pollEntries({ answer: ms, count: 60, everyMs, by }));
        assert.deepEqual([poll.by, poll.count], [by, 60]);
        assertNear(poll.everyMs, everyMs);
        assertNear(poll.periodMs, by === 'timer' ? everyMs : everyMs + poll.answerMs);
        assertNear(poll.perHour * poll.periodMs, 3_600_000);
      });
    }
  }

  it('is found in spite of jitter, and says how much', async () => {
    const poll = await readPoll(pollEntries({ answer: nothing, count: 200, everyMs: 1000, jitterMs: 1000 }));
    assertNear(poll.everyMs, 1500);
    assert.ok(poll.spreadMs > 350 && poll.spreadMs < 650, String(poll.spreadMs));
  });

  it('is a timer’s where answers take longer than the interval', async () => {
    const poll = await readPoll(
      pollEntries({ answer: (i) => ({ body: '[]', ms: 900 + (i % 7) * 100 }), count: 40, everyMs: 500 }),
    );
    assert.equal(poll.by, 'timer');
    assertNear(poll.everyMs, 500);
  });

  it('is the round time where answers take equally long', async () => {
    for (const by of /** @type {const} */ (['timer', 'pause'])) {
      const poll = await readPoll(
        pollEntries({ answer: () => ({ body: '[]', ms: 190 }), count: 30, everyMs: 2000, by }),
      );
      assert.equal(poll.by, by);
    }
  });

  it('may change: figures per hour use the mean, and a note says so', async () => {
    const intervalOf = (/** @type {number} */ i) => (i < 50 ? 1000 : 3000);
    const { polls, notes } = await read(pollEntries({ answer: nothing, count: 100, everyMs: 0, intervalOf }));
    assertNear(polls[0].periodMs, 2000);
    assert.ok(notes.some(({ code }) => code === 'interval-changes'));
  });

  it('goes on after a break, as of a hidden page', async () => {
    const intervalOf = (/** @type {number} */ i) => (i === 20 ? 300_000 : 2000);
    assertNear((await readPoll(pollEntries({ answer: nothing, count: 60, everyMs: 0, intervalOf }))).perHour, 1800);
  });

  it('is found where a busy device stalls it, and makes up for that', async () => {
    const intervalOf = (/** @type {number} */ i) => [300, 890, 5, 5][i % 12] ?? 300;
    const poll = await readPoll(
      pollEntries({ answer: () => ({ body: '[]', ms: 10 }), count: 60, everyMs: 0, intervalOf }),
    );
    assertNear(poll.everyMs, 300);
    assertNear(poll.periodMs, 300);
  });

  it('may be that of two timers at one address', async () => {
    const both = [0, 700].flatMap((fromMs) => pollEntries({ answer: nothing, count: 40, everyMs: 2000, fromMs }));
    const { polls, notes } = await read(both);
    assert.equal(polls.length, 1);
    assertNear(polls[0].everyMs, 2000);
    assertNear(polls[0].perHour, 3600);
    assert.ok(notes.some(({ code }) => code === 'several-timers'));
  });

  it('is none of requests at any time, as of a user, nor of those at once', async () => {
    const random = [3, 900, 12, 4000, 150, 2600, 700, 90, 8000, 40, 1900, 300, 5000, 25, 60];
    let atMs = 0;
    const typed = random.map((ms) => entryOf({ atMs: (atMs += ms), body: '[]', ms: 5 }));
    const images = Array.from({ length: 30 }, (_, i) =>
      entryOf({ url: `https://shop.example/api/${i}`, atMs: i, body: '{}' }),
    );
    const segments = pollEntries({
      answer: (i) => ({ url: `https://shop.example/part-${i}.ts`, mimeType: 'video/mp2t' }),
      count: 30,
      everyMs: 4000,
    });
    const assets = pollEntries({ answer: () => ({ type: 'image', mimeType: 'image/png' }), count: 9, everyMs: 1000 });
    assert.deepEqual((await read([...typed, ...images, ...segments, ...assets])).polls, []);
  });
});

describe('the address of a poll', () => {
  for (const [name, urlOf, pattern] of /** @type {[string, (i: number) => string, string][]} */ ([
    ['a stamp against caches', (i) => `/orders?_=${1_700_000_000_000 + i}`, '/orders?_=*'],
    ['a cursor of digits', (i) => `/orders?since=${Math.floor(i / 9)}`, '/orders?since=*'],
    ['a cursor of letters', (i) => `/orders?after=${'abcdefgh'[Math.floor(i / 9)]}`, '/orders?after=*'],
    ['an identifier in its path', (i) => `/job/3f2b${i}e-77/status`, '/job/*/status'],
    ['a version', () => '/api/v2/orders', '/api/v2/orders'],
    ['a value that stays', () => '/orders?list=open', '/orders?list=open'],
    ['a mail address', () => '/of/jo@shop.example', '/of/*'],
    ['a name in another script', () => '/%D0%B6/x?name=%D0%B6', '/*/x?name=*'],
    ['an extension', (i) => `/board-${i}.json`, '/*.json'],
  ])) {
    it(`may have ${name}`, async () => {
      const answer = (/** @type {number} */ i) => ({ url: `https://shop.example${urlOf(i)}`, body: '[]' });
      assert.equal((await readPoll(pollEntries({ answer, count: 40, everyMs: 1000 }))).pattern, pattern);
    });
  }

  it('tells polls apart whose values take turns, whose methods or whose operations differ', async () => {
    const polls = [
      { url: 'https://shop.example/list?of=orders' },
      { url: 'https://shop.example/list?of=messages' },
      { url: 'https://shop.example/list?of=orders', method: 'POST' },
      { url: 'https://shop.example/graphql', method: 'POST', sent: '{"operationName":"Orders"}' },
      { url: 'https://shop.example/graphql', method: 'POST', sent: '{"operationName":"Inbox"}' },
      { url: 'https://other.example/list?of=orders' },
    ].flatMap((one, i) =>
      pollEntries({ answer: () => ({ ...one, body: '[]' }), count: 20, everyMs: 2000, fromMs: 100 * i }),
    );
    const found = (await read(polls)).polls.map(({ method, pattern, count }) => `${method} ${pattern} ${count}`);
    assert.deepEqual(found.sort(), [
      'GET /list?of=messages 20',
      'GET /list?of=orders 20',
      'GET /list?of=orders 20',
      'POST /graphql (Inbox) 20',
      'POST /graphql (Orders) 20',
      'POST /list?of=orders 20',
    ]);
  });
});

describe('the figures of a poll', () => {
  it('are bytes both ways, of heads and of bodies', async () => {
    const poll = await readPoll(
      pollEntries({
        answer: () => ({ method: 'POST', sent: '{"x":1}', body: 'x'.repeat(50) }),
        count: 10,
        everyMs: 1000,
      }),
    );
    assert.deepEqual([poll.headBytes, poll.bodyBytes], [500 + 300, 7 + 50]);
  });

  it('are the bytes as sent where the answer was compressed', async () => {
    const more = { response: { ...entryOf({ body: 'x'.repeat(900) }).response, bodySize: 40, _transferSize: 340 } };
    const poll = await readPoll(
      pollEntries({ answer: () => ({ body: 'x'.repeat(900), more }), count: 10, everyMs: 1000 }),
    );
    assert.deepEqual([poll.headBytes, poll.bodyBytes], [800, 40]);
  });

  it('are those of a body where Firefox counts its head as a part of it', async () => {
    const response = { ...entryOf().response, _transferSize: undefined };
    const more = {
      response: { ...response, headersSize: 199, bodySize: 202, content: { size: 3, text: 'x'.repeat(50) } },
    };
    const poll = await readPoll(pollEntries({ answer: () => ({ more }), count: 10, everyMs: 1000 }));
    assert.deepEqual([poll.headBytes, poll.bodyBytes], [500 + 199, 3]);
  });

  it('are connections, versions, and the server’s time without the round trip', async () => {
    const answer = (/** @type {number} */ i) => ({ body: '[]', ms: 100, connectMs: i % 4 === 0 ? 40 : -1 });
    const poll = await readPoll(pollEntries({ answer, count: 40, everyMs: 1000 }));
    assert.deepEqual([poll.newConnectionShare, poll.roundTripMs, poll.serverMs], [0.25, 40, 58]);
    const { polls, notes } = await read(
      pollEntries({ answer: () => ({ body: '[]', httpVersion: 'h2' }), count: 10, everyMs: 1000 }),
    );
    assert.equal(polls[0].httpVersion, 'HTTP/2');
    const codes = notes.map(({ code }) => code);
    assert.ok(codes.includes('heads-compressed'));
  });

  it('name the library, where its script or its parameter tells', async () => {
    const more = {
      _initiator: { type: 'script', stack: { parent: { callFrames: [{ url: 'https://cdn/axios.min.js?v=1' }] } } },
    };
    for (const [own, library] of /** @type {const} */ ([
      [{ more }, 'axios'],
      [{ url: 'https://shop.example/orders?_=1700000000000' }, 'jQuery'],
      [{ requestHeaders: { 'HX-Request': 'true' } }, 'htmx'],
      [{}, undefined],
    ]))
      assert.equal(
        (await readPoll(pollEntries({ answer: () => ({ body: '[]', ...own }), count: 9, everyMs: 999 }))).library,
        library,
      );
  });

  it('count failures apart from answers', async () => {
    const answer = (/** @type {number} */ i) => ({ body: '[]', status: i % 5 === 0 ? 500 : i % 5 === 1 ? 0 : 200 });
    const poll = await readPoll(pollEntries({ answer, count: 50, everyMs: 1000 }));
    assert.deepEqual([poll.count, poll.failedCount, poll.nothingNewShare, poll.dots.length], [50, 20, 1, 30]);
  });

  it('do not judge an answer that was cut off', async () => {
    const more = { response: { ...entryOf().response, _error: 'net::ERR_ABORTED' } };
    const answer = (/** @type {number} */ i) => (i === 19 ? { more } : { body: '[]' });
    const poll = await readPoll(pollEntries({ answer, count: 20, everyMs: 1000 }));
    assert.deepEqual([poll.failedCount, poll.nothingNewBy, poll.nothingNewShare], [1, 'body', 1]);
  });

  it('stay bounded for an hour of quick polls', async () => {
    const { polls, requests } = await read(
      [1, 2].flatMap((one) =>
        pollEntries({
          answer: () => ({ url: `https://shop.example/${'ab'[one - 1]}`, body: '[]' }),
          count: 5000,
          everyMs: 300 * one,
        }),
      ),
    );
    assert.equal(requests, 10_000);
    assert.deepEqual(
      polls.map(({ count, dots }) => [count, dots.length]),
      [
        [5000, 2000],
        [5000, 2000],
      ],
    );
  });

  it('tell what is new by its body, also where the file has that in Base64', async () => {
    const shareOf = async (/** @type {(body: string) => object} */ contentOf) => {
      const entries = pollEntries({ answer: (i) => ({ body: i % 4 ? '[ ]' : `[${i}]` }), count: 40, everyMs: 1000 });
      for (const { response } of entries) Object.assign(response.content, contentOf(response.content.text));
      return (await read(entries)).polls[0].nothingNewShare;
    };
    assert.equal(await shareOf((body) => ({ text: btoa(body), encoding: 'base64' })), 0.75);
    // What is no Base64 is compared as it is.
    assert.equal(await shareOf(() => ({ encoding: 'base64' })), 0.75);
  });
});

describe('what is no poll', () => {
  it('is a long poll, whenever its answers come', async () => {
    const waits = [25_000, 300, 4000, 25_000, 12_000, 900, 25_000];
    const long = pollEntries({ answer: (i) => ({ body: '[]', ms: waits[i % 7] }), count: 21, everyMs: 3, by: 'pause' });
    const { polls, longPolls } = await read(long);
    assert.deepEqual(polls, []);
    assert.deepEqual([longPolls[0].count, longPolls[0].waitMs], [21, 12_000]);
  });

  it('is an event stream or a WebSocket, with its messages where they were saved', async () => {
    const frames = [
      { type: 'send', data: 'hello' },
      { type: 'receive', data: 'news' },
      { type: 'receive', data: 'more' },
    ];
    const { eventStreams, webSockets, polls } = await read([
      ...pollEntries({
        answer: () => ({ type: 'eventsource', mimeType: 'text/event-stream' }),
        count: 5,
        everyMs: 1000,
      }),
      entryOf({ url: 'wss://shop.example/live', status: 101, type: 'websocket', more: { _webSocketMessages: frames } }),
      entryOf({ url: 'wss://shop.example/quiet', status: 101, type: 'websocket' }),
    ]);
    assert.deepEqual(polls, []);
    const origin = 'https://shop.example';
    assert.deepEqual(eventStreams, [{ pattern: '/orders', origin, status: 200, count: 5 }]);
    assert.deepEqual(webSockets, [
      { pattern: '/live', origin, status: 101, count: 1, receivedCount: 2, sentCount: 1, bytes: 13 },
      { pattern: '/quiet', origin, status: 101, count: 1 },
    ]);
  });

  it('is a chain of requests that wait for each other', async () => {
    const chain = ['/user', '/cart', '/prices', '/delivery'].map((path, i) =>
      entryOf({ url: `https://shop.example${path}`, atMs: 110 * i, ms: 100, body: '{}' }),
    );
    const beside = entryOf({ url: 'https://shop.example/alone', atMs: 50, ms: 20, body: '{}' });
    const { chains, rest } = await read([...chain, beside]);
    assert.deepEqual(
      chains.map(({ steps, ms }) => [steps.map(({ pattern }) => pattern), ms]),
      [[['/user', '/cart', '/prices', '/delivery'], 430]],
    );
    assert.equal(rest.requests, 5);
  });

  it('is a question for permission, which a note counts', async () => {
    const answer = (/** @type {number} */ i) => (i % 2 ? { body: '[]' } : { method: 'OPTIONS', type: 'preflight' });
    const { polls, notes } = await read(pollEntries({ answer, count: 40, everyMs: 1000 }));
    assert.equal(polls[0].count, 20);
    assert.equal(notes.find(({ code }) => code === 'preflights')?.count, 20);
  });

  it('is what came from the cache, as Chromium says it, or Safari', async () => {
    for (const more of [{ _fromCache: 'memory' }, { _fetchType: 'Disk Cache' }, { _fetchType: 'Memory Cache' }]) {
      const { polls, rest } = await read(
        pollEntries({ answer: () => ({ body: '[]', more }), count: 40, everyMs: 1000 }),
      );
      assert.deepEqual([polls, rest], [[], { requests: 40, bytes: 0, sends: 0 }]);
    }
    const asked = { body: '[]', more: { _fetchType: 'Network Load' } };
    assert.equal((await read(pollEntries({ answer: () => asked, count: 40, everyMs: 1000 }))).polls[0].count, 40);
  });

  it('notes that cookies may have been taken out', async () => {
    const { notes } = await read(pollEntries({ answer: () => ({ requestHeaders: {} }), count: 9, everyMs: 1000 }));
    assert.ok(notes.some(({ code }) => code === 'credentials-missing'));
  });
});
