/**
 * Files that the developer tools of Chromium 156 have saved, with sensitive data and without, and that the Web Inspector of WebKitGTK
 * 2.50 has made, as test/engines/webkit-recording.test.js does, of pages that poll: what their servers answered is the truth.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readRecording } from '../../../core/recording/recording.js';

/** What the server answered: N for something new. */
const SERVED = Object.freeze({
  '/state': { news: 'N----N----N----N---', by: 'timer', everyMs: 250, source: 'body' },
  '/tagged': { news: 'N---N---N---', by: 'timer', everyMs: 400, source: 'body' },
  '/orders?since=*&_=*': { news: '--N-----N----', by: 'pause', everyMs: 300, source: 'body' },
});

/** @param {string} name */
const read = (name) => {
  const file = new URL(`../../fixtures/recordings/${name}.har.gz`, import.meta.url);
  return gunzipSync(readFileSync(file)).toString();
};

describe('a file that Chromium saved', () => {
  for (const name of ['chromium-156', 'chromium-156-sanitised']) {
    it(`has the polls that its server saw: ${name}`, async () => {
      const { polls, problems, requests } = await readRecording(read(name));
      assert.deepEqual([problems, requests], [[], 48]);
      assert.deepEqual(polls.map(({ pattern }) => pattern).sort(), Object.keys(SERVED).sort());
      for (const poll of polls) {
        const served = SERVED[/** @type {keyof typeof SERVED} */ (poll.pattern)];
        assert.equal(poll.dots.map(({ isNew }) => (isNew ? 'N' : '-')).join(''), served.news);
        assert.deepEqual([poll.by, poll.nothingNewBy, poll.httpVersion], [served.by, served.source, 'HTTP/1.1']);
        assert.ok(Math.abs(poll.everyMs - served.everyMs) <= 0.05 * served.everyMs, `${poll.pattern}: ${poll.everyMs}`);
      }
    });

    it(`has its event stream and its WebSocket, with their messages: ${name}`, async () => {
      const { eventStreams, webSockets, longPolls } = await readRecording(read(name));
      assert.deepEqual(
        [eventStreams, webSockets].map(([{ pattern, count, receivedCount, sentCount }]) => [
          ...[pattern, count, receivedCount, sentCount],
        ]),
        [
          ['/events', 1, 2, 0],
          ['/live', 1, 2, 1],
        ],
      );
      assert.deepEqual(longPolls, []);
    });
  }

  it('says that its cookies were taken out, where they were', async () => {
    for (const [name, isSanitised] of /** @type {const} */ ([
      ['chromium-156', false],
      ['chromium-156-sanitised', true],
    ])) {
      const { notes } = await readRecording(read(name));
      const codes = notes.map(({ code }) => code);
      assert.equal(codes.includes('credentials-missing'), isSanitised);
    }
  });

  it('has the bytes that were sent: heads with their cookies, bodies as they were compressed', async () => {
    const { polls } = await readRecording(read('chromium-156'));
    const entries = JSON.parse(read('chromium-156')).log.entries;
    const own = entries.filter((/** @type {any} */ { request }) => request.url.endsWith('/state'));
    const transferred = own.map((/** @type {any} */ one) => one.request.headersSize + one.response._transferSize);
    const state = polls.find(({ pattern }) => pattern === '/state');
    assert.equal(
      Math.round((state?.headBytes ?? 0) + (state?.bodyBytes ?? 0)),
      Math.round(
        transferred.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0) / own.length,
      ),
    );
    assert.ok(Number(state?.bodyBytes) < 100);
  });
});

describe('a file of WebKit’s Web Inspector, as Safari exports it', () => {
  it('has the polls that its server saw, and their bytes, though nothing says who asked for them', async () => {
    const { createdBy, eventStreams, notes, polls, problems } = await readRecording(read('webkit-2.50'));
    assert.match(createdBy, /^WebKit Web Inspector/);
    assert.deepEqual(problems, []);
    const found = polls.map(({ pattern, by, dots, httpVersion, nothingNewBy }) => [
      ...[pattern, by, nothingNewBy, httpVersion],
      dots.map(({ isNew }) => (isNew ? 'N' : '-')).join(''),
    ]);
    assert.deepEqual(found, [
      ['/state', 'timer', 'body', 'HTTP/1.1', 'N----N----N----N'],
      ['/tagged', 'timer', 'body', 'HTTP/1.1', 'N---N---N--'],
      ['/orders?since=*&_=*', 'pause', 'body', 'HTTP/1.1', '--N-----N'],
    ]);
    // Five kilobytes that were compressed.
    assert.equal(polls.find(({ pattern }) => pattern === '/state')?.newBodyBytes, 59);
    assert.deepEqual(
      eventStreams.map(({ pattern, count }) => [pattern, count]),
      [['/events', 1]],
    );
    assert.ok(!notes.some(({ code }) => code === 'bodies-missing' || code === 'credentials-missing'));
  });
});
