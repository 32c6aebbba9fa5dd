import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createRequestTiming } from '../../cli/net/transports.js';
import { runTrial } from '../../core/net/echo/trial.js';
import { createTransport } from '../../core/net/echo/index.js';
import { createMessages } from '../../core/net/transfer/content.js';
import { createTransfer } from '../../core/net/transfer/index.js';

/** @import { AddressInfo } from 'node:net' */

const now = () => performance.now();

/** @param {Parameters<typeof createTransport>[1]} options */
const measure = (options) => runTrial({ transport: createTransport('fetch', options), now, iterations: 8 });

describe('what fetch does with connections in Node', () => {
  let connectionCount = 0;
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(String(req.url), 'http://127.0.0.1');
    const answer = JSON.stringify({ count: Number(searchParams.get('count')) + 1 });
    if (pathname === '/compressed') res.setHeader('Content-Encoding', 'gzip').end(gzipSync(answer));
    else if (pathname === '/payload/down') res.setHeader('Content-Encoding', 'gzip').end(gzipSync('0123'));
    else res.end(answer);
  }).on('connection', () => connectionCount++);
  /** @type {string} */
  let origin;
  /** @type {string} */
  let url;
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = /** @type {AddressInfo} */ (server.address());
    origin = `http://127.0.0.1:${port}`;
    url = `${origin}/ajaxecho`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it('is told by the client beneath it: the protocol, the one that was opened, those that were reused', async () => {
    const options = { url, performance: /** @type {any} */ (createRequestTiming()) };
    const first = await measure(options);
    assert.equal(first.protocol, 'http/1.1');
    assert.ok(Number(first.setUpMs) > 0);
    assert.deepEqual(first.requests, { seenCount: 9, openedCount: connectionCount, cacheHitCount: 0 });
    assert.ok(connectionCount < 9);

    const second = await measure(options);
    assert.equal(second.setUpMs, undefined);
    assert.deepEqual(second.requests, { seenCount: 9, openedCount: 0, cacheHitCount: 0 });
  });

  it('shows which answers a proxy compressed, and such a payload is a failure', async () => {
    const performance = /** @type {any} */ (createRequestTiming());
    const { requests } = await measure({ url: `${origin}/compressed`, performance });
    assert.deepEqual([requests?.seenCount, requests?.compressedCount], [9, 9]);

    const connection = await createTransfer('fetch', { baseUrl: origin, now, performance }).connect('down', {});
    const message = createMessages(4)({ direction: 'down', bytes: 4, offset: 0, form: 'binary' });
    await assert.rejects(connection.send(message, {}), { outcome: 'mismatch', message: /compressed/ });
  });

  it('is not told by Node’s performance, and so nothing is said of it', async () => {
    const { protocol, setUpMs, requests } = await measure({ url });
    assert.deepEqual([protocol, setUpMs], [undefined, undefined]);
    assert.deepEqual(requests, { seenCount: 0, openedCount: 0, cacheHitCount: 0 });
  });
});
