import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertComplaint } from '../support/complaint.js';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { openRaw } from '../support/payload-client.js';
import { spawnServer } from '../support/server.js';
import { openSession } from '../support/sockjs-session.js';
import { openWebSocket } from '../support/web-socket.js';

/** @import { AddressInfo } from 'node:net' */

/** @param {string} errors all that was written */
const assertOneLine = (errors) => assert.match(errors, /^.+\n$/);

// Some at a time: all of the servers at once would start in half a minute on a busy machine.
describe('node server.js', { concurrency: 3 }, () => {
  it('says what is wrong with its configuration, and ends with 1', async () => {
    const { code, errors } = await spawnServer({ PORT: 'abc' }).exited;
    assertComplaint(errors, 'PORT', "'abc'");
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    it(`on ${signal} closes sessions with 1001, logs the end of each once, and ends with 0`, async () => {
      const server = spawnServer();
      /** @type {string[]} */
      const messages = [];
      const origin = await server.origin((line) => messages.push(JSON.parse(line).msg));
      try {
        // What is under way all the time: a poll would have to be there when the signal comes.
        const sessions = await Promise.all(
          ['websocket', 'xhr-streaming'].map((transport) => openSession(`${origin}/echo`, transport)),
        );
        const webSocket = await openWebSocket(`${origin.replace('http', 'ws')}/ws`);
        server.child.kill(signal);
        for (const { closed } of [...sessions, webSocket]) assert.equal((await closed).code, 1001);
        assert.deepEqual(await server.exited, { code: 0, signal: null, errors: '' });
        assert.equal(messages.filter((message) => message === 'sockjs session').length, sessions.length);
      } finally {
        await server.stop();
      }
    });
  }

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

describe('an uncaught exception', () => {
  it('is logged; the worker reports that it drains, lets answers finish, and ends with 1', async () => {
    const fault = "process.on('SIGUSR2',()=>{throw new Error('a_fault')})";
    const server = spawnServer({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` });
    /** @type {any[]} */
    const lines = [];
    const origin = await server.origin((line) => lines.push(JSON.parse(line)));
    try {
      const { port } = new URL(origin);
      const client = await openRaw(Number(port));
      // Half of a request: its answer is to come yet.
      client.send('POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n{"count"');
      const other = await openRaw(Number(port));
      other.send('GET /readyz HTTP/1.1\r\nHost: x\r\n');
      await (await fetch(`${origin}/healthz`)).text();
      server.child.kill('SIGUSR2');
      while (!lines.some(({ level }) => level === 60)) await setTimeout(10);
      other.send('\r\n');
      await other.closed;
      assert.match(other.text(), /^HTTP\/1\.1 503 [^]*"draining"/);
      client.send(':1}');
      await client.closed;
      assert.match(client.text(), /^HTTP\/1\.1 200 [^]*\{"count":2\}$/);
      assert.deepEqual(await server.exited, { code: 1, signal: null, errors: '' });
      assert.equal(lines.find(({ level }) => level === 60).err.message, 'a_fault');
      assert.equal(lines.at(-1).msg, 'ended');
    } finally {
      await server.stop();
    }
  });
});

describe('connections that wait to be accepted', () => {
  const COUNT = 600;
  const most = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));

  it(`may be ${COUNT}, more than Node.js has by default`, { skip: most < COUNT }, async () => {
    const server = spawnServer();
    const { port } = new URL(await server.origin());
    try {
      server.child.kill('SIGSTOP');
      const sockets = Array.from({ length: COUNT }, () => connect(Number(port), '127.0.0.1'));
      await Promise.all(sockets.map((socket) => once(socket, 'connect', { signal: AbortSignal.timeout(30_000) })));
      for (const socket of sockets) socket.destroy();
    } finally {
      server.child.kill('SIGCONT');
      await server.stop();
    }
  });
});
