/** The examples on the pages about moving, as they stand there: a server of each method, and its page in a browser. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { News } from '../../examples/news.js';
import { launchBrowser } from '../support/browser.js';

/**
 * @import { Server } from 'node:http'
 * @import { AddressInfo, Socket } from 'node:net'
 * @import { Browser } from 'playwright-core'
 */

const ROOT = new URL('../../', import.meta.url);
const IMPORTS = JSON.stringify({
  imports: {
    'sockjs-client': '/sockjs-client.js',
    jquery: '/modules/jquery/dist-module/jquery.module.min.js',
    'socket.io-client': '/modules/socket.io-client/dist/socket.io.esm.min.js',
  },
});
const HTML = `<!doctype html>
<script type="importmap">${IMPORTS}</script>
<script src="/modules/sockjs-client/dist/sockjs.min.js"></script>
<ol></ol>`;

/** @param {string} method @param {object} parts what its servers get besides the site */
async function openSite(method, parts) {
  const app = express();
  const server = createServer(app);
  app.get('/', (_, res) => res.type('html').send(HTML));
  app.get('/sockjs-client.js', (_, res) => res.type('js').send('export default window.SockJS;'));
  app.use('/modules', express.static(fileURLToPath(new URL('node_modules', ROOT))));
  app.use('/examples', express.static(fileURLToPath(new URL('examples', ROOT))));
  const load = (/** @type {string} */ name) =>
    import(new URL(`examples/${method}/${name}.js`, ROOT).href).catch((error) => {
      if (error.code === 'ERR_MODULE_NOT_FOUND') return {};
      throw error;
    });
  const io = method === 'socketio' ? (await load('accept')).acceptSockets(server) : undefined;
  // Both on one server, as on a page that does both.
  const { serveNews } = await load('news-server');
  const { serveMessages } = await load('request-server');
  serveNews({ app, server, io, ...parts });
  serveMessages?.({ app, server, io, ...parts });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}` };
}

/** One line for server-sent events, two for regular expressions. */
const TEXT = 'during\u2028it';

const answer = (/** @type {{ n: number }} */ { n }) => ({ n: n + 1 });

/** As a deployment or a network does it. @param {Server} server @returns {() => void} */
function cutter(server) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  server.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  return () => sockets.forEach((socket) => socket.destroy());
}

describe('the examples about moving', () => {
  /** @type {Browser} */
  let browser;
  before(async () => (browser = await launchBrowser()));
  after(() => browser.close());

  for (const [method, file] of [
    ...['before', 'long-poll', 'sse', 'ws', 'sockjs', 'socketio'].map((one) => [one, 'news-page']),
    ['before', 'news-page-jquery'],
  ]) {
    it(`${method}/${file}: shows each piece of news once, also what came while the connection was cut`, async () => {
      const news = new News();
      const { server, url } = await openSite(method, { news, answer });
      const cut = cutter(server);
      const page = await browser.newPage();
      try {
        news.add('before');
        await page.goto(url);
        await page.evaluate(async (module) => {
          const { followNews } = await import(module);
          followNews((/** @type {string} */ text) => {
            document.querySelector('ol')?.append(Object.assign(document.createElement('li'), { textContent: text }));
          });
        }, `/examples/${method}/${file}.js`);
        await page.waitForSelector('li:nth-child(1)');
        news.add(TEXT);
        await page.waitForSelector('li:nth-child(2)');
        cut();
        news.add('cut');
        await page.waitForSelector('li:nth-child(3)');
        news.add('after');
        await page.waitForSelector('li:nth-child(4)');
        assert.deepEqual(await page.locator('li').allTextContents(), ['before', TEXT, 'cut', 'after']);
      } finally {
        await page.close();
        cut();
        server.close();
      }
    });
  }

  for (const method of ['before', 'ws', 'sockjs', 'socketio']) {
    it(`${method}: gives each message its own answer, and after a cut too`, async () => {
      const { server, url } = await openSite(method, { news: new News(), answer });
      const cut = cutter(server);
      const page = await browser.newPage();
      const askAll = () =>
        page.evaluate(async (module) => {
          const { ask } = await import(module);
          return Promise.all([1, 2, 3].map((n) => ask({ n })));
        }, `/examples/${method}/request-page.js`);
      try {
        await page.goto(url);
        assert.deepEqual(await askAll(), [{ n: 2 }, { n: 3 }, { n: 4 }]);
        cut();
        // A page that has not noticed it yet says so with each message.
        assert.deepEqual(await askAll().catch(askAll), [{ n: 2 }, { n: 3 }, { n: 4 }]);
      } finally {
        await page.close();
        cut();
        server.close();
      }
    });
  }
});
