import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { it } from 'node:test';
import { shareRun } from '../../cli/run/share.js';

/** @import { AddressInfo } from 'node:net' */

it('a run is not shared whose device has a wrong clock, and this is said of it', async () => {
  const error = { code: 'bad-run', path: 'document.startedAt', message: 'expected a time, got another' };
  const server = createServer((_req, res) => {
    res.writeHead(400, { Date: new Date(Date.now() - 3 * 24 * 3600 * 1000).toUTCString() });
    res.end(JSON.stringify({ error }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`;
  try {
    await assert.rejects(shareRun({}, { baseUrl, label: 'x' }), /^Error: Not shared: .* clock is 3 days ahead/);
  } finally {
    server.close();
  }
});
