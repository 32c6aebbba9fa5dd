import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertComplaint } from '../support/complaint.js';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { withFolder } from '../support/folder.js';
import { openRaw } from '../support/payload-client.js';
import { runCommand } from '../support/program.js';
import { spawnServer } from '../support/server.js';
import { openSession } from '../support/sockjs-session.js';
import { openWebSocket } from '../support/web-socket.js';

/** @import { AddressInfo } from 'node:net' */
/** @import { Readable } from 'node:stream' */

const EXIT_LIMIT_MS = 60_000;
/** Of util-linux: runs a command in a terminal of its own. */
const SCRIPT = '/usr/bin/script';

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

  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
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

  // Not even root makes one there; below /proc, Node.js alone would try for ever.
  for (const dataDir of ['/sys/sockshootout', '/proc/sockshootout/data']) {
    it(`says so of a folder that it may not make, too: ${dataDir}`, async () => {
      const { code, errors } = await spawnServer({ DATA_DIR: dataDir }).exited;
      assertComplaint(errors, 'DATA_DIR', `'${dataDir}': E`);
      assert.match(errors, /; .*another folder\n$/);
      assertOneLine(errors);
      assert.equal(code, 1);
    });
  }

  for (const [what, script, name, got] of [
    ['its working folder was deleted', 'cd "$(mktemp -d)" && rmdir "$PWD"', 'Working folder', 'deleted'],
    ['too few files may be open to load its modules', 'ulimit -n 32', 'ulimit -n', '32'],
  ]) {
    it(`says in one line that ${what}, and ends with 1`, async () => {
      const { code, err } = await runCommand(['sh', '-c', `${script} && exec node "$0"`, path.resolve('server.js')]);
      assertComplaint(err, name, got);
      assertOneLine(err);
      assert.equal(code, 1);
    });
  }

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

describe('the reader of the log', () => {
  /** Ends a server, with a log of a megabyte and more. @param {(log: Readable) => unknown} spoil */
  const endWith = async (spoil) => {
    const server = spawnServer();
    try {
      const longPath = `${await server.origin()}/${'x'.repeat(4000)}`;
      spoil(server.child.stdout);
      for (let i = 0; i < 300; i++) assert.equal((await fetch(longPath)).status, 404);
      server.child.kill('SIGTERM');
      const [code] = await once(server.child, 'exit', { signal: AbortSignal.timeout(EXIT_LIMIT_MS) });
      assert.equal(code, 0);
    } finally {
      await server.stop();
    }
  };

  it('may be gone when the site ends', () => endWith((log) => log.destroy()));
  it('may stand still when the site ends', () => endWith((log) => log.pause()));

  it(
    'may be a terminal, where a line says the address, and that is closed: the site ends as with a signal',
    { skip: !existsSync(SCRIPT) },
    async () => {
      await withFolder(async (folder) => {
        const file = path.join(folder, 'ended');
        // The shell tells its job, as shells do, and writes down how the job ended.
        const job = `"${process.execPath}" server.js & job=$!; trap "kill -HUP $job" HUP`;
        const command = `${job}; wait $job; wait $job; echo $? > "${file}"`;
        const env = { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: path.join(folder, 'data') };
        const terminal = spawn(SCRIPT, ['-qfc', command, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
        for await (const line of createInterface({ input: terminal.stdout }))
          if (line.startsWith('SockShootout is ready. Open http://')) break;
        terminal.kill('SIGKILL');
        const signal = AbortSignal.timeout(EXIT_LIMIT_MS);
        while (!existsSync(file) || readFileSync(file, 'utf8') === '') await setTimeout(50, undefined, { signal });
        assert.equal(readFileSync(file, 'utf8'), '0\n');
      });
    },
  );
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
