/**
 * What an operator asks of the generated nginx: lines of one's own, limits of an address, a log without health checks.
 */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { TOO_MANY } from '../../server/http/limit-requests.js';
import { launchBrowser } from '../../test/support/browser.js';
import { downloadRun } from '../../test/support/download.js';
import { openTab } from '../../test/support/tab.js';
import { withServer } from '../../test/support/two-workers.js';
import { openWebSocket } from '../../test/support/web-socket.js';
import { parseOptions } from '../nginx/options.js';
import { renderSite } from '../nginx/site.js';
import { ask } from './support/https-client.js';
import { render, requireNginx, runNginx, withFolder, withNginx } from './support/nginx.js';

/**
 * @import { Nginx } from './support/nginx.js'
 * @typedef {Parameters<typeof ask>[1]} AskOptions
 * @typedef {(urlPath: string, options?: AskOptions) => ReturnType<typeof ask>} AskSite
 */

/** The limits are divided by it, so that a flood takes a second. */
const DIVISOR = 100;
/** As many as the workers’ own limits count on. */
const VISITORS = 200;
/** After a flood, so many can all be answered only if they take as many minutes. */
const LATER = 10;
const RATE = /rate=(\d+)r\/s/;
const BURST = /burst=(\d+)/;

before(requireNginx);

/**
 * @param {string[]} args of the renderer
 * @param {(nginx: Nginx & { askSite: AskSite }) => Promise<unknown>} use
 * @param {(site: string) => string} [edit]
 */
function withSite(args, use, edit) {
  return withServer({ env: { TRUST_PROXY: '1' } }, ({ port }) =>
    withNginx(
      ['--upstream', `127.0.0.1:${port}`, ...args],
      (nginx) => {
        const origin = `https://127.0.0.1:${nginx.port}`;
        return use({ ...nginx, askSite: (urlPath, options) => askAt(origin, nginx.certificate, urlPath, options) });
      },
      edit,
    ),
  );
}

/** @param {string} origin @param {Buffer} ca @param {string} urlPath @param {AskOptions} [options] */
const askAt = (origin, ca, urlPath, options) => ask(origin + urlPath, { ca, ...options });

/** @param {string} folder @returns {Promise<string[]>} method, path and status of each request in the access log */
async function readAccessLog(folder) {
  const text = await readFile(path.join(folder, 'access.log'), 'utf8');
  return [...text.matchAll(/"(\S+ \S+) HTTP\/[\d.]+" (\d+)/g)].map(([, request, status]) => `${request} ${status}`);
}

/** A rate of next to none, so that it does not matter how long a flood takes. @param {string} site */
const divideLimits = (site) =>
  site.replace(RATE, 'rate=1r/m').replace(BURST, (_all, burst) => `burst=${burst / DIVISOR}`);

/** @param {string} site @param {RegExp} pattern of a number */
const numberIn = (site, pattern) => Number(pattern.exec(site)?.[1] ?? assert.fail(String(pattern)));

const LIMITED_SITE = renderSite(parseOptions(['--local', '--limits']));

/**
 * @param {number} count of requests, some at a time
 * @param {(agent: Agent) => ReturnType<typeof ask>} askOne
 */
async function statusesOf(count, askOne) {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  try {
    const answers = await Promise.all(Array.from({ length: count }, () => askOne(agent)));
    const refused = answers.filter(({ status }) => status === 429);
    for (const { text } of refused) assert.deepEqual(JSON.parse(text).error.code, TOO_MANY.code);
    return {
      refusedCount: refused.length,
      okCount: answers.filter(({ status }) => status === 200).length,
    };
  } finally {
    agent.destroy();
  }
}

describe('the operator’s own lines', () => {
  it('work, and are still there when the configuration is made again', () =>
    withFolder(async (folder) => {
      const port = await findFreePorts(1);
      const own = path.join(folder, 'sockshootout.d');
      await mkdir(own);
      // The second is also for a page of the site, and comes before its locations.
      const lines = ['location = /own.txt { return 200 mine; }', 'location ~ ^/res { return 403; }'];
      for (const [index, line] of lines.entries()) await writeFile(path.join(own, `${index}.conf`), line);
      for (const args of [[], ['--limits']]) {
        const made = await render('--local', '--folder', folder, '--listen', String(port), ...args);
        const [startCommand, stopCommand] = /** @type {string[]} */ (made.stdout.match(/^ {2}nginx .+$/gm));
        await runNginx({ folder, startCommand, stopCommand }, async () => {
          const ca = await readFile(path.join(folder, 'certificate.pem'));
          const { status, text } = await askAt(`https://127.0.0.1:${port}`, ca, '/own.txt');
          assert.deepEqual([status, text], [200, 'mine']);
          assert.equal((await askAt(`https://127.0.0.1:${port}`, ca, '/results')).status, 403);
        });
      }
    }));
});

describe('health checks through nginx', () => {
  it('are answered, and have no line in its log', () =>
    withSite([], async ({ askSite, folder }) => {
      for (const urlPath of ['/healthz', '/readyz', '/readyz?t=1', '/tests']) {
        assert.equal((await askSite(urlPath)).status, 200, urlPath);
      }
      // A line is written once its answer has been sent.
      let lines = await readAccessLog(folder);
      for (; lines.length === 0; lines = await readAccessLog(folder)) await sleep(10);
      assert.deepEqual(lines, ['GET /tests 200']);
    }));
});

describe('npm run nginx -- --limits', () => {
  it('refuses a flood of pages with 429, and none of the same visitor’s echoes', () =>
    withSite(
      ['--limits'],
      async ({ askSite, port, certificate }) => {
        const burst = numberIn(LIMITED_SITE, BURST) / DIVISOR;
        const flood = await statusesOf(3 * burst, (agent) => askSite('/tests', { agent }));
        assert.ok(flood.okCount >= burst && flood.refusedCount > 0, JSON.stringify(flood));
        assert.equal(flood.okCount + flood.refusedCount, 3 * burst);

        for (const urlPath of ['/ajaxecho?count=1', '/xhr?count=2', '/payload/down?bytes=10', '/echo/info']) {
          const echoes = await statusesOf(3 * burst, (agent) => askSite(urlPath, { agent }));
          assert.deepEqual(echoes, { okCount: 3 * burst, refusedCount: 0 }, urlPath);
        }
        const socket = await openWebSocket(`wss://127.0.0.1:${port}/ws/echo`, { ca: certificate });
        for (let count = 0; count < 3 * burst; count++) {
          assert.equal(await socket.ask(JSON.stringify({ count })), JSON.stringify({ count: count + 1 }));
        }
        socket.close();

        const later = await statusesOf(LATER, (agent) => askSite('/tests', { agent }));
        assert.ok(later.refusedCount > 0, JSON.stringify(later));
        assert.equal((await askSite('/tests', { localAddress: '127.0.0.2' })).status, 200);
      },
      divideLimits,
    ));

  it('counts the addresses of an IPv6 network of 56 bits as one', () =>
    withSite(
      ['--limits'],
      async ({ askSite }) => {
        const burst = numberIn(LIMITED_SITE, BURST) / DIVISOR;
        /** @param {number} count @param {string} address */
        const flood = (count, address) =>
          statusesOf(count, (agent) => askSite('/tests', { agent, headers: { 'x-own-address': address } }));
        await flood(2 * burst, '2001:db8:1:100::1');
        assert.ok((await flood(LATER, '2001:db8:1:1ff:5::9')).refusedCount > 0);
        for (const other of ['2001:db8:1:200::1', '2001:db8::1', '192.0.2.1']) {
          assert.deepEqual(await flood(LATER, other), { okCount: LATER, refusedCount: 0 }, other);
        }
      },
      // As behind one more proxy.
      (site) =>
        divideLimits(site).replace(/ {4}include .+/, 'set_real_ip_from 127.0.0.1; real_ip_header X-Own-Address;'),
    ));

  it('refuses an address that holds too many connections, whatever they are for', () =>
    withSite(
      ['--limits'],
      async ({ askSite, port, certificate }) => {
        const url = `wss://127.0.0.1:${port}/ws/echo`;
        const sockets = [];
        for (let count = 0; count < 3; count++) sockets.push(await openWebSocket(url, { ca: certificate }));
        await assert.rejects(openWebSocket(url, { ca: certificate }), /status 429/);
        for (const urlPath of ['/ajaxecho?count=1', '/tests', '/api/results']) {
          const { status, text } = await askSite(urlPath);
          assert.deepEqual([status, JSON.parse(text).error.message], [429, TOO_MANY.message], urlPath);
        }
        assert.equal((await askSite('/tests', { localAddress: '127.0.0.2' })).status, 200);
        for (const socket of sockets) socket.close();
      },
      (site) => site.replace(/(limit_conn sockshootout_connections) \d+/, '$1 3'),
    ));

  it('allows each of 200 visitors at one address, at once, what opening the home page and measuring takes', (t) =>
    withSite(['--limits'], async ({ port, folder }) => {
      const browser = await launchBrowser();
      try {
        const tab = await openTab(browser, `https://localhost:${port}/?autostart=1`, { ignoreHTTPSErrors: true });
        await downloadRun(tab.page, { timeout: 120_000 });
        assert.deepEqual(tab.complaints, []);
        await tab.close();
      } finally {
        await browser.close();
      }
      const requests = await readAccessLog(folder);
      t.diagnostic(`${requests.length} requests of a visitor, without the measured ones`);
      const refused = requests.filter((request) => request.endsWith(' 429'));
      assert.deepEqual(refused, []);
      // The traffic of a trial is read before and after it, and again while its connections close, which a busy machine prolongs.
      const needed = requests.filter(
        (request, index) =>
          !request.includes('/traffic/') || requests.slice(0, index).filter((one) => one === request).length < 2,
      );
      const allowed = numberIn(LIMITED_SITE, BURST) / VISITORS;
      assert.ok(needed.length > 10 && needed.length <= allowed, `${allowed} allowed: ${needed.join(', ')}`);
    }));
});
