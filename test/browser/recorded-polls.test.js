/** Polls of a page in Chromium, from the file that it would save: the server's own count is the truth. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createRandom } from '../../core/base/random.js';
import { sumOf } from '../../core/base/statistics.js';
import { readRecording } from '../../core/recording/recording.js';
import { launchBrowser } from '../support/browser.js';
import { recordHar, saveHar } from '../support/har-recorder.js';

/**
 * @import { IncomingMessage, Server, ServerResponse } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 * @import { Browser } from 'playwright-core'
 * @import { Poll, Recording } from '../../core/recording/recording.js'
 * @typedef {{ atMs: number, isNew: boolean }} Served
 * @typedef {{ everyMs?: number, pattern: string, answer: (req: IncomingMessage, res: ServerResponse, i: number) => boolean }}
 *   Case `everyMs`: by a timer, else by a pause; `answer` says whether it answered something new
 */

const RECORDED_MS = 9000;
const JQUERY = readFileSync(new URL('../../node_modules/jquery/dist/jquery.min.js', import.meta.url), 'utf8');

/** The page: each poll in the form that its authors have used. */
const HTML = `<!doctype html><title>Polls</title><script src="/jquery.min.js"></script><script>
let isOn = true;
const every = (ms, poll) => {
  const timer = setInterval(() => (isOn ? poll() : clearInterval(timer)), ms);
};
const go = () => {
  every(300, () => fetch('/state').then((r) => r.text()));
  let since = 0;
  (function poll() {
    $.getJSON({ url: '/orders', cache: false, data: { since } }, (orders) => { if (orders.length) since = orders.at(-1).id; })
      .always(() => isOn && setTimeout(poll, 250));
  })();
  every(400, () => fetch('/tagged', { cache: 'no-cache' }).then((r) => r.text()));
  (async () => {
    for (let i = 0; isOn; i++) {
      await fetch('/job/' + (i < 12 ? '8c1f0e2a-77b4' : '90ab12cd-0001') + '/status').then((r) => r.json()).catch(() => {});
      await new Promise((wake) => setTimeout(wake, 200 + 60 * Math.random()));
    }
  })();
  let count = 0;
  every(500, () => {
    const signal = ++count % 4 === 0 ? AbortSignal.timeout(5) : undefined;
    fetch('/shaky', { method: 'POST', body: 'same', signal }).catch(() => {});
  });
};
</script>`;

/** @param {ServerResponse} res @param {string} body @param {Record<string, string>} [headers] */
const send = (res, body, headers = {}) =>
  void res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers }).end(body);

const BIG = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: 'an entry of a list' })));

/** @type {Record<string, Case>} */
const CASES = {
  '/state': {
    everyMs: 300,
    pattern: '/state',
    answer(_, res, i) {
      const state = Math.floor(i / 5);
      const body = gzipSync(BIG.replace('an entry', `state ${state} of`));
      res.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'Cache-Control': 'no-store',
      });
      res.end(body);
      return i % 5 === 0;
    },
  },
  '/orders': {
    pattern: '/orders?since=*&_=*',
    answer(_, res, i) {
      const isNew = i % 6 === 2;
      send(res, isNew ? JSON.stringify([{ id: i }]) : '[]');
      return isNew;
    },
  },
  '/tagged': {
    everyMs: 400,
    pattern: '/tagged',
    answer(req, res, i) {
      const tag = `"${Math.floor(i / 4)}"`;
      const isNew = req.headers['if-none-match'] !== tag;
      if (isNew) send(res, tag, { ETag: tag, 'Cache-Control': 'no-cache' });
      else res.writeHead(304, { ETag: tag }).end();
      return isNew;
    },
  },
  '/job': {
    pattern: '/job/*/status',
    answer(_, res, i) {
      send(res, JSON.stringify({ done: i === 9 || i > 20 }));
      return [0, 9, 10, 21].includes(i);
    },
  },
  '/shaky': {
    everyMs: 500,
    pattern: '/shaky',
    answer(_, res, i) {
      if (i % 5 === 1) res.writeHead(500).end();
      else send(res, '{"is":"same"}');
      return i === 0;
    },
  },
};

/** @param {Map<string, Served[]>} served @returns {Server} whose answers take 10 to 130 ms */
function createPollServer(served) {
  const random = createRandom(11);
  return createServer(async (req, res) => {
    const path = String(req.url).split('?')[0];
    if (path === '/') return void res.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'user=1' }).end(HTML);
    if (path === '/jquery.min.js') return void res.writeHead(200, { 'Content-Type': 'text/javascript' }).end(JQUERY);
    const name = `/${path.split('/')[1]}`;
    const list = served.get(name) ?? [];
    served.set(name, list);
    const one = { atMs: performance.now(), isNew: false };
    const i = list.push(one) - 1;
    await wait(10 + 120 * random());
    if (CASES[name]) one.isNew = CASES[name].answer(req, res, i);
    else res.writeHead(404).end();
  });
}

/** @param {readonly Served[]} list @returns {number[]} */
const gapsOf = (list) => list.slice(1).map(({ atMs }, i) => atMs - list[i].atMs);

/** @param {number} actual @param {number | undefined} expected @param {string} what */
const assertWithin5Percent = (actual, expected = NaN, what) =>
  assert.ok(Math.abs(actual - expected) <= 0.05 * expected, `${what}: expected about ${expected}, got ${actual}`);

describe('the polls of a page in Chromium', () => {
  /** @type {Browser} */
  let browser;
  /** @type {Server} */
  let server;
  /** @type {{ entries: any[] }} */
  let recorded;
  /** @type {Recording} */
  let recording;
  /** @type {Map<string, Served[]>} */
  const served = new Map();
  before(async () => {
    server = createPollServer(served);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = /** @type {AddressInfo} */ (server.address());
    browser = await launchBrowser();
    const page = await browser.newPage();
    recorded = await recordHar(page, async () => {
      await page.goto(`http://127.0.0.1:${port}`);
      await page.evaluate('go()');
      await wait(RECORDED_MS);
      await page.evaluate('isOn = false');
    });
    recording = await readRecording(saveHar(recorded));
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  /** @param {Recording} from @param {string} pattern @returns {Poll} */
  function pollOf({ polls }, pattern) {
    const poll = polls.find((one) => one.pattern === pattern);
    assert.ok(poll, `expected ${pattern}, got ${polls.map((one) => one.pattern).join()}`);
    return poll;
  }

  it('are all found, and nothing else is', () => {
    assert.deepEqual(
      recording.polls.map(({ pattern }) => pattern).sort(),
      Object.values(CASES)
        .map(({ pattern }) => pattern)
        .sort(),
    );
    assert.deepEqual(recording.problems, []);
  });

  for (const [name, { everyMs, pattern }] of Object.entries(CASES)) {
    it(`have the interval of their timer, or that the server saw: ${pattern}`, () => {
      const poll = pollOf(recording, pattern);
      const gaps = gapsOf(served.get(name) ?? []);
      // Not all that a busy page asks for arrives, or when it should: a timer's interval is what the page says.
      const trueMs = everyMs ?? sumOf(gaps, (gap) => gap) / gaps.length;
      assert.equal(poll.by, everyMs ? 'timer' : 'pause');
      assertWithin5Percent(poll.periodMs, trueMs, 'period');
      // On a busy machine, requests arrive less evenly than they leave.
      if (everyMs) assertWithin5Percent(poll.everyMs, everyMs, 'interval');
      assertWithin5Percent(poll.perHour, 3_600_000 / trueMs, 'per hour');
    });
  }

  for (const name of ['/state', '/orders', '/tagged', '/job']) {
    it(`have exactly the share of news that the server sent: ${name}`, () => {
      const poll = pollOf(recording, CASES[name].pattern);
      const own = served.get(name) ?? [];
      assert.deepEqual([poll.count, poll.failedCount], [own.length, 0]);
      assert.equal(poll.nothingNewShare, 1 - own.filter(({ isNew }) => isNew).length / own.length);
      assert.deepEqual(
        poll.dots.map(({ isNew }) => isNew),
        own.map(({ isNew }) => isNew),
      );
      assert.equal(poll.nothingNewBy, 'body');
    });
  }

  it('count what failed or was given up', () => {
    const { count, failedCount } = pollOf(recording, '/shaky');
    assert.ok(failedCount >= Math.floor(count / 4), `${failedCount} of ${count}`);
    assert.ok(recording.notes.some(({ code }) => code === 'failed'));
  });

  it('have the bytes that were sent, not those that were unpacked', () => {
    const { bodyBytes, headBytes } = pollOf(recording, '/state');
    const packed = gzipSync(BIG).length;
    // What carries a chunked body is a part of it.
    assert.ok(Math.abs(bodyBytes - packed) < 100, `${bodyBytes} for ${packed} of ${BIG.length}`);
    assert.ok(headBytes > 300 && headBytes < 1500, String(headBytes));
  });

  it('name jQuery, which sent them, by its script', () => {
    assert.equal(pollOf(recording, '/orders?since=*&_=*').library, 'jQuery');
    assert.equal(pollOf(recording, '/state').library, undefined);
  });

  it('are the same without bodies, of which the sizes or the status tell', async () => {
    const bare = await readRecording(saveHar(recorded, { withBodies: false }));
    assert.ok(bare.notes.some(({ code }) => code === 'bodies-missing'));
    for (const [name, source] of /** @type {const} */ ([
      ['/orders', 'size'],
      ['/tagged', 'status'],
    ])) {
      const { pattern } = CASES[name];
      const poll = pollOf(bare, pattern);
      assert.equal(poll.nothingNewBy, source);
      assert.equal(poll.count, pollOf(recording, pattern).count);
    }
    assert.equal(pollOf(bare, '/tagged').nothingNewShare, pollOf(recording, '/tagged').nothingNewShare);
  });

  it('are the same in a sanitised file, which a note says', async () => {
    const sanitised = await readRecording(saveHar(recorded, { isSanitised: true }));
    const codes = (/** @type {Recording} */ { notes }) => notes.map(({ code }) => code);
    assert.ok(codes(sanitised).includes('credentials-missing') && !codes(recording).includes('credentials-missing'));
    assert.deepEqual(
      sanitised.polls.map(({ pattern, count, nothingNewShare }) => [pattern, count, nothingNewShare]),
      recording.polls.map(({ pattern, count, nothingNewShare }) => [pattern, count, nothingNewShare]),
    );
    // The sizes in the file are those from before; what had no answer has none.
    for (const { pattern, headBytes, failedCount } of sanitised.polls)
      if (failedCount === 0) assert.equal(headBytes, pollOf(recording, pattern).headBytes);
  });

  it('are found in the half of a file', async () => {
    const text = saveHar(recorded);
    const { polls, problems } = await readRecording(text.slice(0, text.length / 2));
    assert.equal(problems.length, 1);
    assert.ok(polls.length >= 4, String(polls.length));
  });
});
