/** A file that the developer tools of Firefox themselves have saved, of a page that polls: the server's own count is the truth. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { mean } from '../../core/base/statistics.js';
import { readRecording } from '../../core/recording/recording.js';
import { withFolder } from '../support/folder.js';
import { FIREFOX } from './engines.js';

/**
 * @import { Server } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 * @typedef {{ atMs: number, isNew: boolean }} Served
 */

const RECORDED_MS = 8000;
const LIMIT_MS = 90_000;
const FILE = 'recorded';
const BIG = 'x'.repeat(5000);

/** The tools are open only some time after the first page is. */
const FIRST = `<!doctype html><script>setTimeout(() => (location = '/polls'), 6000)</script>`;
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

/** @param {string} folder of the files @returns {string} the settings with which the tools save a file by themselves */
const settingsOf = (folder) =>
  Object.entries({
    'devtools.netmonitor.har.enableAutoExportToFile': true,
    'devtools.netmonitor.har.forceExport': true,
    'devtools.netmonitor.har.defaultLogDir': folder,
    'devtools.netmonitor.har.defaultFileName': FILE,
    // So long without a request, and the page counts as loaded.
    'devtools.netmonitor.har.pageLoadedTimeout': 3000,
    'devtools.toolbox.selectedTool': 'netmonitor',
    'browser.aboutwelcome.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'network.proxy.type': 0,
  })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');

/** @param {Record<string, Served[]>} served by address, filled as requests come @returns {Server} */
function createPollServer(served) {
  return createServer(async (req, res) => {
    const address = String(req.url).split('?')[0];
    if (address === '/') return void res.writeHead(200, { 'Content-Type': 'text/html' }).end(FIRST);
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

/** @param {string} folder @param {number} port @returns {Promise<string>} the file */
async function recordInFirefox(folder, port) {
  const [profile, log] = ['profile', 'log'].map((name) => path.join(folder, name));
  await Promise.all([mkdir(profile), mkdir(log)]);
  await writeFile(path.join(profile, 'user.js'), settingsOf(log));
  const args = ['--headless', '--no-remote', '--profile', profile, '-devtools', `http://127.0.0.1:${port}/`];
  const browser = spawn(FIREFOX, args, { stdio: 'ignore' });
  const ended = once(browser, 'exit');
  const endMs = performance.now() + LIMIT_MS;
  try {
    for (;;) {
      const text = await readFile(path.join(log, `${FILE}.har`), 'utf8').catch(() => '');
      if (text.trimEnd().endsWith('}')) return text;
      assert.ok(performance.now() < endMs, 'expected a file that Firefox saves, got none');
      await wait(200);
    }
  } finally {
    browser.kill();
    await ended;
  }
}

it('the polls of a page in Firefox are those that the server saw, in the file that Firefox saves', async () => {
  /** @type {Record<string, Served[]>} */
  const served = { '/state': [], '/orders': [], '/tagged': [] };
  const server = createPollServer(served);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await withFolder(async (folder) => {
      const text = await recordInFirefox(folder, /** @type {AddressInfo} */ (server.address()).port);
      const { polls, eventStreams, createdBy, problems, notes } = await readRecording(text);
      assert.match(createdBy, /^Firefox \d/);
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
        const periodMs = Number(mean(list.slice(1).map(({ atMs }, i) => atMs - list[i].atMs)));
        assert.ok(Math.abs(poll.periodMs - periodMs) <= 0.05 * periodMs, `${pattern}: ${poll.periodMs}, ${periodMs}`);
      }
      const state = polls.find(({ pattern }) => pattern === '/state');
      const packed = gzipSync(JSON.stringify([1, BIG])).length;
      assert.ok(Math.abs((state?.bodyBytes ?? 0) - packed) < 20, `${state?.bodyBytes} for ${packed}`);
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
