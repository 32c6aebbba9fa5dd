/** Long polls, event streams, WebSockets and HTTP/2 of a page in Chromium, from the file that it would save. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { adviseRecording } from '../../core/recording/advice.js';
import { readRecording } from '../../core/recording/recording.js';
import { launchBrowser } from '../support/browser.js';
import { recordHar, saveHar } from '../support/har-recorder.js';

/**
 * @import { Server } from 'node:http'
 * @import { Http2SecureServer } from 'node:http2'
 * @import { AddressInfo } from 'node:net'
 * @import { Browser } from 'playwright-core'
 * @import { Recording } from '../../core/recording/recording.js'
 */

const RECORDED_MS = 6000;
/** How long the server holds a request without news, and when news comes. */
const HELD_MS = [1400, 300, 1500, 900, 1500];
const EVENT_COUNT = 4;

/** @param {string} script @returns {string} */
const pageOf = (script) => `<!doctype html><title>Page</title><script>const go = () => { ${script} }</script>`;

const LASTING = pageOf(`
  (async () => { for (;;) await fetch('/held').then((r) => r.text()).catch(() => {}); })();
  new EventSource('/events?since=17');
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/live');
  socket.onopen = () => socket.send('hello');
`);

/** @returns {Server} */
function createLastingServer() {
  let heldCount = 0;
  const server = createServer(async ({ url = '' }, res) => {
    const path = url.split('?')[0];
    if (path === '/') return void res.writeHead(200, { 'Content-Type': 'text/html' }).end(LASTING);
    if (path === '/events') {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (let i = 0; i < EVENT_COUNT; i++) res.write(`data: ${i}\n\n`);
      return;
    }
    if (path === '/held') await wait(HELD_MS[heldCount++ % HELD_MS.length]);
    res.writeHead(path === '/favicon.ico' ? 404 : 200, { 'Content-Type': 'application/json' }).end('{}');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', () => ['one', 'two'].forEach((text) => socket.send(text)));
  });
  return server;
}

/** @param {number} tag @param {Buffer[]} parts @returns {Buffer} in DER */
function der(tag, ...parts) {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** A certificate that no browser trusts, for an hour or so: https://www.rfc-editor.org/rfc/rfc5280#section-4.1 */
function createCertificate() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [SEQUENCE, SET, INTEGER, BITS, OID, TEXT, TIME] = [0x30, 0x31, 0x02, 0x03, 0x06, 0x0c, 0x17];
  const algorithm = der(SEQUENCE, der(OID, Buffer.from('2a8648ce3d040302', 'hex')));
  const commonName = der(SEQUENCE, der(OID, Buffer.from('550403', 'hex')), der(TEXT, Buffer.from('127.0.0.1')));
  const name = der(SEQUENCE, der(SET, commonName));
  const timeOf = (/** @type {number} */ ms) => new Date(ms).toISOString().replace(/^20|[-:T]|\.\d+/g, '');
  const times = [-3_600_000, 3_600_000].map((ms) => der(TIME, Buffer.from(timeOf(Date.now() + ms))));
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const serial = der(INTEGER, Buffer.from([1]));
  const signed = der(SEQUENCE, serial, algorithm, name, der(SEQUENCE, ...times), name, keyInfo);
  const signature = der(BITS, Buffer.from([0]), sign('sha256', signed, privateKey));
  const cert = der(SEQUENCE, signed, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`,
  };
}

/** @param {{ count: number }} served @returns {Http2SecureServer} */
function createHttp2Server(served) {
  const html = pageOf(`const timer = setInterval(() => fetch('/state').then((r) => r.text()), 250);
    window.stop = () => clearInterval(timer);`);
  return createSecureServer(createCertificate(), async ({ url }, res) => {
    if (url === '/') return void res.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
    if (url !== '/state') return void res.writeHead(404).end();
    const state = Math.floor(served.count++ / 4);
    await wait(20);
    res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(`{"state":${state}}`);
  });
}

describe('what lasts, of a page in Chromium', () => {
  /** @type {Browser} */
  let browser;
  before(async () => (browser = await launchBrowser()));
  after(() => browser?.close());

  /** @param {Server | Http2SecureServer} server @param {string} scheme @returns {Promise<Recording>} */
  async function record(server, scheme) {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = /** @type {AddressInfo} */ (server.address());
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    try {
      const recorded = await recordHar(page, async () => {
        await page.goto(`${scheme}://127.0.0.1:${port}`);
        await page.evaluate('go()');
        await wait(RECORDED_MS);
        await page.evaluate('stop()');
      });
      return await readRecording(saveHar(recorded));
    } finally {
      await page.close();
      server.close();
    }
  }

  it('is told from polls: long polls, an event stream, a WebSocket with its messages', async () => {
    const recording = await record(createLastingServer(), 'http');
    assert.deepEqual([recording.polls, recording.problems], [[], []]);
    const [long] = recording.longPolls;
    assert.deepEqual([recording.longPolls.length, long.pattern], [1, '/held']);
    assert.ok(long.waitMs > 800 && long.waitMs < 2000, String(long.waitMs));
    assert.deepEqual(
      recording.eventStreams.map(({ pattern, count }) => ({ pattern, count })),
      [{ pattern: '/events?since=*', count: 1 }],
    );
    const [{ origin, ...socket }] = recording.webSockets;
    assert.equal(origin, recording.eventStreams[0].origin);
    assert.deepEqual(socket, { pattern: '/live', status: 101, count: 1, receivedCount: 2, sentCount: 1, bytes: 11 });
    const { headline } = adviseRecording(recording);
    assert.match(headline, /does not poll.*long polls.*event stream.*WebSocket/);
  });

  it('may be polls over HTTP/2, whose answers count as they were compressed', async () => {
    const served = { count: 0 };
    const { polls, notes } = await record(createHttp2Server(served), 'https');
    assert.equal(polls.length, 1);
    const { httpVersion, count, failedCount, nothingNewShare, everyMs, by, headBytes, newConnectionShare } = polls[0];
    assert.deepEqual([httpVersion, by], ['HTTP/2', 'timer']);
    assert.ok(Math.abs(everyMs - 250) <= 0.05 * 250, String(everyMs));
    assert.deepEqual([count, failedCount], [served.count, 0]);
    assert.equal(nothingNewShare, 1 - Math.ceil(count / 4) / count);
    assert.ok(headBytes > 100, String(headBytes));
    // All requests share the connection of the page.
    assert.equal(newConnectionShare, 0);
    assert.ok(notes.some(({ code }) => code === 'heads-compressed'));
  });
});
