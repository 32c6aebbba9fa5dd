/** The health check of the container image, as a program beside a site. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { runProgram } from '../support/program.js';

/** @import { Server } from 'node:http' */

const WORKERS = 2;

/** @param {Record<string, string>} env @returns {Promise<number | null>} its exit code */
const check = async (env) =>
  (await runProgram('deploy/container/check-health.js', [], { env: { PATH: process.env.PATH, ...env } })).code;

describe('the health check of the image', () => {
  /** @type {number} */
  let port;
  /** @type {Server[]} */
  const servers = [];
  /** @param {number} own @param {string} host @param {number} [status] */
  async function serve(own, host, status = 200) {
    const server = createServer((req, res) => res.writeHead(req.url === '/readyz' ? status : 404).end());
    servers.push(server);
    await once(server.listen(own, host), 'listening');
  }
  before(async () => (port = await findFreePorts(WORKERS + 1)));
  after(() => servers.forEach((server) => server.close()));

  it('asks at HOST, and is failed by whoever is not there, or not ready', async () => {
    assert.equal(await check({ PORT: `${port}` }), 1);
    await serve(port, '127.0.0.2');
    assert.equal(await check({ PORT: `${port}`, HOST: '127.0.0.2' }), 0);
    assert.equal(await check({ PORT: `${port}`, HOST: '' }), 1);
    await serve(port, '127.0.0.1', 503);
    assert.equal(await check({ PORT: `${port}`, WORKERS: '' }), 1);
  });

  it('asks each worker at its own port, which is one of the loopback interface', async () => {
    const env = { PORT: `${port}`, WORKERS: `${WORKERS}`, HOST: '127.0.0.2' };
    await serve(port + 1, '127.0.0.1');
    assert.equal(await check(env), 1);
    await serve(port + 2, '127.0.0.1');
    assert.equal(await check(env), 0);
  });
});
