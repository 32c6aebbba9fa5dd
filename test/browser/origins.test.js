/**
 * A page of an origin that ALLOWED_ORIGINS leaves out gets no answer over any kind of connection, as a real browser opens it; one of
 * an origin on the list does.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { kinds } from '../../core/net/channel/index.js';
import { launchBrowser } from '../support/browser.js';
import { openHostPage } from '../support/host-page.js';
import { countErrors } from '../support/metrics.js';
import { openServer } from '../support/server.js';
import { openTab } from '../support/tab.js';

/**
 * @import { Browser, Page } from 'playwright-core'
 * @import { TestServer } from '../support/server.js'
 */

/** The libraries whose builds a page gets; the platform has the others. */
const BUILDS = ['sockjs-client/dist/sockjs.min.js', 'socket.io-client/dist/socket.io.min.js'];
const CODE = 'origin-refused';
const ANYWHERE = { site: 'http://127.0.0.1', allowed: '* ws:', tag: '' };

/**
 * Sends a count, in the page.
 * @param {{ kind: string, origin: string, path: string }} asked
 * @returns {Promise<number | 'none'>} the count in the answer; none: there was no connection
 */
async function askInPage({ kind, origin, path }) {
  const url = origin + path;
  const text = '{"count":1}';
  /** @type {any} */
  const { SockJS, io } = globalThis;
  /** @param {any} socket @returns {Promise<any>} */
  const ask = (socket) =>
    new Promise((answer) => {
      socket.onopen = () => socket.send(text);
      socket.onmessage = (/** @type {any} */ { data }) => answer(JSON.parse(data));
      socket.onclose = () => answer(undefined);
    });
  /** @type {Record<string, () => Promise<any>>} */
  const openers = {
    websocket: () => ask(new WebSocket(url.replace('http', 'ws'))),
    sockjs: () => ask(new SockJS(url)),
    socketio: () =>
      new Promise((answer) => {
        const socket = io(origin, { path, reconnection: false });
        socket.on('connect', () => socket.emit('message', JSON.parse(text)));
        socket.on('message', answer);
        socket.on('connect_error', () => answer(undefined));
      }),
    'event-stream': () =>
      new Promise((answer) => {
        const address = `${url}/${crypto.randomUUID()}`;
        const source = new EventSource(address);
        source.onopen = () => fetch(address, { method: 'POST', body: text });
        source.onmessage = ({ data }) => answer(JSON.parse(data));
        source.onerror = () => answer(undefined);
      }),
    http: () =>
      fetch(`${url}?count=1`).then(
        (response) => response.json(),
        () => undefined,
      ),
  };
  const answer = await openers[kind]();
  return answer?.count ?? 'none';
}

describe('a page of another origin', () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  /** @type {Awaited<ReturnType<typeof openHostPage>>[]} */
  const hosts = [];
  /** @type {Record<'friend' | 'stranger', Page>} */
  let pages;
  before(async () => {
    browser = await launchBrowser();
    const [friend, stranger] = [await openHostPage(ANYWHERE), await openHostPage(ANYWHERE)];
    hosts.push(friend, stranger);
    server = await openServer({ env: { ALLOWED_ORIGINS: friend.origin } });
    const libraries = await Promise.all(
      BUILDS.map((build) => readFile(new URL(`../../node_modules/${build}`, import.meta.url), 'utf8')),
    );
    const open = async (/** @type {string} */ origin) => {
      const { page } = await openTab(browser, origin);
      for (const library of libraries) await page.evaluate(library);
      return page;
    };
    pages = { friend: await open(friend.origin), stranger: await open(stranger.origin) };
  });
  after(async () => {
    await browser?.close();
    for (const { close } of hosts) close();
    await server?.close();
  });

  for (const { name: kind, paths } of Object.values(kinds)) {
    it(`is answered over ${kind} if it is on the list, and else refused by the server`, async () => {
      const asked = { kind, origin: server.origin, path: paths.echo };
      assert.equal(await pages.friend.evaluate(askInPage, asked), 2);
      const before = await countErrors(server, CODE);
      assert.equal(await pages.stranger.evaluate(askInPage, asked), 'none');
      assert.ok((await countErrors(server, CODE)) > before);
    });
  }
});
