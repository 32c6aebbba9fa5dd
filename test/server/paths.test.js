import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import express from 'express';
import { pathsOf } from '../../server/paths.js';
import { upgradeHead } from '../support/payload-client.js';
import { sendRaw } from '../support/raw-http.js';
import { openServer } from '../support/server.js';
import { fillPattern } from '../support/socket-paths.js';

/** @import { TestServer } from '../support/server.js' */

/** The address of a page that there is not. */
const NOT_FOUND = 'There is no page at this URL.';

const MEASURED = /^\/(?:ajaxecho|xhr|status|payload|jobs?|feeds?|pieces|echo|echo2012|sse|socket\.io|traffic)\b/;
/** A greeting of SockJS, its frame for other sites, and WebSockets. */
const NOT_MEASURED = /^\/(?:echo|echo2012|jobs|feeds|payload\/sockjs|pieces\/sockjs)(?:\?.*)?$|iframe|websocket|\/ws\b/;

describe('the list of all paths', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer({ limits: { drainMs: 0 } })));
  after(() => server.close());

  it('has each path once', () => {
    const patterns = server.paths.map(({ pattern }) => pattern);
    assert.deepEqual(patterns, [...new Set(patterns)]);
  });

  it('has endpoints, those below others, and the routes of Express, with their methods', () => {
    const methodsAt = (/** @type {string} */ pattern) =>
      server.paths.find((path) => path.pattern === pattern)?.methods.join();
    assert.equal(methodsAt('/ajaxecho?count=1'), 'GET,POST');
    assert.equal(methodsAt('/echo/:server/:session/xhr_send'), 'POST');
    assert.equal(methodsAt('/payload/sockjs/:server/:session/jsonp?direction=echo&c=callback'), 'GET');
    assert.equal(methodsAt('/job/:job?wait=10'), 'GET');
    assert.equal(methodsAt('/'), 'GET');
    assert.equal(methodsAt('/traffic/:trialId'), 'GET');
    assert.equal(methodsAt('/api/results/:id'), 'GET,PATCH,DELETE');
  });

  it('has limits exactly where a WebSocket can be opened', async () => {
    for (const { pattern, socketLimits } of server.paths) {
      // A frame that is not masked closes it.
      const answer = await sendRaw(server.port, `${upgradeHead(fillPattern(pattern))}\x81\x01x`);
      // A library may take only some requests at its path.
      assert.match(answer, socketLimits ? /^HTTP\/1\.1 101 / : /^HTTP\/1\.1 40[04] /, pattern);
    }
  });

  it('has the WebSockets of SockJS, with its frames and, but for payload, without', () => {
    const sockets = server.paths.flatMap(({ pattern, socketLimits }) => (socketLimits ? [pattern.split('?')[0]] : []));
    const ofSockjs = sockets.filter((path) => path.endsWith('/websocket'));
    assert.deepEqual(ofSockjs.toSorted(), [
      '/echo/:server/:session/websocket',
      '/echo/websocket',
      '/echo2012/:server/:session/websocket',
      '/echo2012/websocket',
      '/feeds/:server/:session/websocket',
      '/jobs/:server/:session/websocket',
      '/jobs/websocket',
      '/payload/sockjs/:server/:session/websocket',
      '/pieces/sockjs/:server/:session/websocket',
    ]);
  });

  it('has none that nobody answers, and none that is measured whose size a proxy may change', async () => {
    const giveUp = new AbortController();
    // What workers ask each other does not exist for visitors.
    const paths = server.paths.filter(({ pattern }) => !/\/own\b/.test(pattern));
    for (const { pattern, methods } of paths) {
      for (const method of methods) {
        const response = await fetch(server.origin + fillPattern(pattern), { method, signal: giveUp.signal });
        assert.notEqual(response.status, 405, `${method} ${pattern}`);
        const isMeasured = MEASURED.test(pattern) && !NOT_MEASURED.test(pattern);
        if (isMeasured)
          assert.match(String(response.headers.get('cache-control')), /no-transform/, `${method} ${pattern}`);
        if (response.status !== 404) continue;
        assert.ok(!(await response.text()).includes(NOT_FOUND) || /[:*]/.test(pattern), `${method} ${pattern}`);
      }
    }
    giveUp.abort();
  });
});

describe('the paths of a router', () => {
  it('are those of the routers in it, too', () => {
    const [outer, inner] = [express.Router(), express.Router()];
    inner
      .route('/:id')
      .get(() => {})
      .all(() => {});
    inner.post('/:id', () => {});
    outer.use(inner).all('/all', () => {});
    assert.deepEqual(pathsOf(outer), [
      { pattern: '/:id', methods: ['GET', 'POST'] },
      { pattern: '/all', methods: [] },
    ]);
  });

  it('are not guessed where a router is below a path', () => {
    const outer = express.Router().use('/below', express.Router());
    assert.throws(() => pathsOf(outer), /router: expected a router without a path/);
  });
});
