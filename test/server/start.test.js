import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { describe, it } from 'node:test';
import SockJS from 'sockjs-client';
import { assertComplaint } from '../support/complaint.js';
import { findFreePorts } from '../support/free-ports.js';
import { openServer, spawnServer } from '../support/server.js';
import { sendRaw } from '../support/raw-http.js';
import { openWebSocket } from '../support/web-socket.js';

/** @param {string} errors all that was written */
const assertOneLine = (errors) => assert.match(errors, /^.+\n$/);

describe('node server.js', () => {
  it('says what is wrong with its configuration, and ends with 1', async () => {
    const { code, errors } = await spawnServer({ PORT: 'abc' }).exited;
    assertComplaint(errors, 'PORT', "'abc'");
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  it('says in one line that its data cannot be where they should, and ends with 1', async () => {
    const { code, errors } = await spawnServer({ DATA_DIR: '/dev/null/data' }).exited;
    assertComplaint(errors, 'DATA_DIR', "'/dev/null/data': ENOTDIR");
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  it('says in one line that its database cannot be reached, without the password, and ends with 1', async () => {
    const url = `postgres://site:hunter2@127.0.0.1:${await findFreePorts(1)}/runs`;
    const { code, errors } = await spawnServer({ DATABASE_URL: url }).exited;
    assertComplaint(errors, 'DATABASE_URL', 'ECONNREFUSED');
    assertOneLine(errors);
    assert.doesNotMatch(errors, /hunter2/);
    assert.equal(code, 1);
  });

  it('says in one line that its port is in use, and ends with 1', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (holder.address());
    const { code, errors } = await spawnServer({ PORT: String(port) }).exited;
    holder.close();
    assert.match(errors, new RegExp(`^PORT: ${port} is in use;`));
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  it('says in one line that its host is none of this machine, and ends with 1', async () => {
    const { code, errors } = await spawnServer({ HOST: '203.0.113.1' }).exited;
    assert.match(errors, /^HOST: 203\.0\.113\.1 is no address/);
    assertOneLine(errors);
    assert.equal(code, 1);
  });

  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    it(`on ${signal} closes sessions with 1001, finishes answers, and ends with 0`, async () => {
      const server = spawnServer();
      const origin = await server.origin();
      const port = Number(new URL(origin).port);
      try {
        const closes = ['websocket', 'xhr-streaming', 'xhr-polling'].map((transport) =>
          closeOf(`${origin}/echo`, transport),
        );
        const webSocket = await openWebSocket(`ws://127.0.0.1:${port}/ws`);
        await Promise.all(closes.map(({ opened }) => opened));

        // Half a request: its answer must still come after the signal.
        const body = '{"count":1}';
        const half = connect(port, '127.0.0.1');
        let answer = '';
        half.on('data', (chunk) => (answer += chunk));
        half.write(`POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n{`);
        await fetch(`${origin}/healthz`);

        server.child.kill(signal);
        const codes = await Promise.all(closes.map(({ closed }) => closed));
        assert.deepEqual(codes, [1001, 1001, 1001]);
        assert.equal((await webSocket.closed).code, 1001);
        half.write(body.slice(1));
        await once(half, 'close');
        assert.match(answer, /^HTTP\/1.1 200 OK[^]*\{"count":2\}$/);
        assert.deepEqual(await server.exited, { code: 0, signal: null, errors: '' });
      } finally {
        await server.stop();
      }
    });
  }

  it('tells a session that is between two polls 1001 at its next, and logs its end once', async () => {
    const server = spawnServer();
    /** @type {string[]} */
    const messages = [];
    try {
      const origin = await server.origin((line) => {
        const { msg } = JSON.parse(line);
        messages.push(msg);
        server.child.emit(`logged ${msg}`);
      });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const poll = async () => {
        const req = request(`${origin}/echo/000/session/xhr`, { method: 'POST', agent }).end();
        const [res] = await once(req, 'response');
        let text = '';
        for await (const chunk of res) text += chunk;
        return text;
      };
      assert.equal(await poll(), 'o\n');
      // The connection is back in the agent's hands a moment after its answer was read.
      await new Promise(setImmediate);
      server.child.kill('SIGTERM');
      await once(server.child, 'logged draining');
      assert.equal(await poll(), 'c[1001,"Server is going away"]\n');
      await server.exited;
      assert.equal(messages.filter((message) => message === 'sockjs session').length, 1);
    } finally {
      await server.stop();
    }
  });

  it('does not wait for ever for a client that never finishes', async () => {
    const server = spawnServer();
    const port = Number(new URL(await server.origin()).port);
    const half = connect(port, '127.0.0.1');
    half.on('error', () => {});
    half.write('POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
    await once(half, 'ready');
    await server.stop('SIGTERM').then(({ code }) => assert.equal(code, 0));
  });
});

describe('a request that does not come', () => {
  it('is answered with 408 after its time', async () => {
    const server = await openServer({ limits: { requestMs: 50, headersMs: 50, timeoutLookMs: 20 } });
    try {
      const answer = await sendRaw(server.port, 'POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
      assert.match(answer, /^HTTP\/1.1 408 /);
    } finally {
      await server.close();
    }
  });

  it('has by default a minute for its headers and five for all; an idle connection lasts 65 s', async () => {
    const { server, close } = await openServer();
    assert.deepEqual(
      [server.headersTimeout, server.requestTimeout, server.keepAliveTimeout],
      [60_000, 300_000, 65_000],
    );
    await close();
  });
});

/**
 * @param {string} url
 * @param {string} transport
 */
function closeOf(url, transport) {
  const socket = new SockJS(url, null, { transports: transport });
  const opened = new Promise((resolve) => (socket.onopen = () => resolve(undefined)));
  /** @type {Promise<number>} */
  const closed = new Promise((resolve) => (socket.onclose = ({ code }) => resolve(code)));
  return { opened, closed };
}
