import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { assertComplaint } from '../support/complaint.js';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { spawnServer } from '../support/server.js';

/** @import { AddressInfo } from 'node:net' */

/** @param {string} errors all that was written */
const assertOneLine = (errors) => assert.match(errors, /^.+\n$/);

describe('node server.js', { concurrency: true }, () => {
  it('says in one line that its database cannot be reached, without the password, and ends with 1', async () => {
    const url = `postgres://site:hunter2@127.0.0.1:${await findFreePorts(1)}/runs`;
    const { code, errors } = await spawnServer({ DATABASE_URL: url }).exited;
    assertComplaint(errors, 'DATABASE_URL', 'ECONNREFUSED');
    assertOneLine(errors);
    assert.doesNotMatch(errors, /hunter2/);
    assert.equal(code, 1);
  });

  it('says in one line that its host is none of this machine, and ends with 1', async () => {
    const { code, errors } = await spawnServer({ HOST: '203.0.113.1' }).exited;
    assertComplaint(errors, 'HOST', '203.0.113.1');
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  it('says in one line that its data cannot be where they should, and what to do, and ends with 1', async () => {
    const { code, errors } = await spawnServer({ DATA_DIR: '/dev/null/data' }).exited;
    assertComplaint(errors, 'DATA_DIR', "'/dev/null/data': ENOTDIR");
    assert.match(errors, /; .*another folder\n$/);
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  it('says so of a folder that it may not make, too', async () => {
    // Not even root makes one there.
    const { code, errors } = await spawnServer({ DATA_DIR: '/sys/sockshootout' }).exited;
    assertComplaint(errors, 'DATA_DIR', "'/sys/sockshootout': E");
    assert.match(errors, /; .*another folder\n$/);
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  it('says in one line that the site has the path below which it is to be, and ends with 1', async () => {
    const { code, errors } = await spawnServer({ BASE_PATH: '/Results/here' }).exited;
    assertComplaint(errors, 'BASE_PATH', "'/Results/here'");
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  it('says in one line that its port is in use, and ends with 1', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = /** @type {AddressInfo} */ (holder.address());
    const { code, errors } = await spawnServer({ PORT: String(port) }).exited;
    holder.close();
    assertComplaint(errors, 'PORT', `${port}, which is in use; `);
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  it('drains once when npm passes a Ctrl-C on that it has received already, and ends with 0', async () => {
    const server = spawnServer();
    /** @type {string[]} */
    const messages = [];
    await server.origin((line) => {
      messages.push(JSON.parse(line).msg);
      // The first signal is under way while this line is read.
      if (messages.at(-1) === 'draining') server.child.kill('SIGINT');
    });
    server.child.kill('SIGINT');
    assert.deepEqual(await server.exited, { code: 0, signal: null, errors: '' });
    assert.equal(messages.filter((message) => message === 'draining').length, 1);
  });

  it('on SIGTERM does not wait for ever for a client that never finishes', async () => {
    const server = spawnServer();
    const port = Number(new URL(await server.origin()).port);
    const half = connect(port, '127.0.0.1');
    half.on('error', () => {});
    half.write('POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
    await once(half, 'ready');
    await server.stop('SIGTERM').then(({ code }) => assert.equal(code, 0));
  });
});
