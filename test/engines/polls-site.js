/** A page that polls in several ways, whose server counts what it asked for: the truth for files that browsers save of it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { mean } from '../../core/base/statistics.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { Server } from 'node:http'
 * @import { Recording } from '../../core/recording/recording.js'
 * @typedef {{ atMs: number, isNew: boolean }} Served
 */

export const RECORDED_MS = 8000;
const BIG = 'x'.repeat(5000);

/** How often the first page is left: longer than a recorder waits after a page for further requests. */
const FIRST_MS = 6000;
const FIRST = `<!doctype html><script>setTimeout(() => (location = '/next'), ${FIRST_MS})</script>`;
const POLLS = `<!doctype html><title>Polls</title><script>
let isOn = true;
setTimeout(() => (isOn = false), ${RECORDED_MS});
const every = (ms, poll) => { const timer = setInterval(() => (isOn ? poll() : clearInterval(timer)), ms); };
every(400, () => fetch('/state').then((r) => r.text()));
every(600, () => fetch('/tagged', { cache: 'no-cache' }).then((r) => r.text()));
(async () => {
  for (let i = 0; isOn; i++) {
    await fetch('/orders?since=' + Math.floor(i / 5) + '&_=' + Date.now()).then((r) => r.json());
    await new Promise((wake) => setTimeout(wake, 350));
  }
})();
new EventSource('/events').onerror = ({ target }) => target.close();
</script>`;

/**
 * @param {Record<string, Served[]>} served by address, filled as requests come @param {() => boolean} isRecorded whether a recorder is there
 * @returns {Server}
 */
function createPollServer(served, isRecorded) {
  return createServer(async (req, res) => {
    const address = String(req.url).split('?')[0];
    if (address === '/blank') return void res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>');
    if (address === '/') return void res.writeHead(200, { 'Content-Type': 'text/html' }).end(FIRST);
    if (address === '/next') return void res.writeHead(302, { Location: isRecorded() ? '/polls' : '/' }).end();
    if (address === '/polls')
      return void res.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'user=1' }).end(POLLS);
    if (address === '/events') {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
      return void setTimeout(() => res.end(), RECORDED_MS - 1000);
    }
    const list = served[address];
    if (!list) return void res.writeHead(404).end();
    const i = list.push({ atMs: performance.now(), isNew: false }) - 1;
    await wait(10 + ((37 * i) % 100));
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    if (address === '/state') {
      list[i].isNew = i % 5 === 0;
      const body = gzipSync(JSON.stringify([Math.floor(i / 5), BIG]));
      res.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' }).end(body);
    } else if (address === '/orders') {
      list[i].isNew = i % 6 === 2;
      res.writeHead(200, headers).end(list[i].isNew ? `[{"id":${i}}]` : '[]');
    } else {
      const tag = `"${Math.floor(i / 4)}"`;
      list[i].isNew = req.headers['if-none-match'] !== tag;
      res.writeHead(list[i].isNew ? 200 : 304, { ...headers, 'Cache-Control': 'no-cache', ETag: tag });
      res.end(list[i].isNew ? tag : undefined);
    }
  });
}

/**
 * Serves the page while it is recorded, and compares the file with what was served.
 * @param {(origin: string, start: () => void) => Promise<Recording>} record opens `/blank`, and then `/polls`; or `/`, which loads again and
 *   again, and goes to `/polls` after `start`
 */
export async function compareWithServed(record) {
  /** @type {Record<string, Served[]>} */
  const served = { '/state': [], '/orders': [], '/tagged': [] };
  let isRecorded = false;
  const server = createPollServer(served, () => isRecorded);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const origin = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`;
    const recording = await record(origin, () => (isRecorded = true));
    checkPolls(recording, served);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** @param {Recording} recording @param {Record<string, Served[]>} served */
function checkPolls({ polls, eventStreams, problems, notes }, served) {
  assert.deepEqual(problems, []);
  assert.deepEqual(
    eventStreams.map(({ pattern }) => pattern),
    ['/events'],
  );
  assert.ok(!notes.some(({ code }) => code === 'credentials-missing' || code === 'bodies-missing'));
  for (const [pattern, list] of Object.entries(served)) {
    const poll = polls.find((one) => one.pattern.split('?')[0] === pattern);
    assert.ok(poll, `${pattern}: ${polls.map((one) => one.pattern).join()}`);
    assert.equal(poll.count, list.length);
    assert.deepEqual(
      poll.dots.map(({ isNew }) => isNew),
      list.map(({ isNew }) => isNew),
    );
    // The first waits for a connection, longer than the browser's own record says.
    const gapsMs = list.slice(2).map(({ atMs }, i) => atMs - list[i + 1].atMs);
    const periodMs = Number(mean(gapsMs));
    // On a busy machine the server sees a request later than the browser begins it.
    assert.ok(Math.abs(poll.periodMs - periodMs) <= 0.1 * periodMs, `${pattern}: ${poll.periodMs}, ${periodMs}`);
  }
  const state = polls.find(({ pattern }) => pattern === '/state');
  const packed = gzipSync(JSON.stringify([1, BIG])).length;
  assert.ok(Math.abs((state?.bodyBytes ?? 0) - packed) < 20, `${state?.bodyBytes} for ${packed}`);
}
