import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertComplaint } from '../support/complaint.js';
import { openServer, spawnServer } from '../support/server.js';
import { openRaw } from '../support/payload-client.js';
import { sendRaw } from '../support/raw-http.js';
import { openSession } from '../support/sockjs-session.js';
import { openWebSocket } from '../support/web-socket.js';

/** @param {string} errors all that was written */
const assertOneLine = (errors) => assert.match(errors, /^.+\n$/);

// What else it says of its settings, and the end that takes seconds: test/soak/start.test.js.
describe('node server.js', { concurrency: true }, () => {
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

describe('a server that drains', () => {
  it('closes sessions with 1001, also between two polls, counts the end of each once, and finishes answers', async () => {
    // Nothing here has to be in time.
    const server = await openServer({ limits: { drainMs: 600_000, idleGraceMs: 600_000 } });
    const { origin, port } = server;
    /** @type {string[]} */
    const asked = [];
    server.server.on('request', ({ url = '' }) => {
      asked.push(url);
      server.server.emit('asked');
    });
    /** @param {string} ending @param {number} count */
    const untilAsked = async (ending, count) => {
      while (asked.filter((url) => url.endsWith(ending)).length < count) await once(server.server, 'asked');
    };
    const streaming = await Promise.all(
      ['/echo', '/echo2012'].flatMap((prefix) =>
        ['websocket', 'xhr-streaming'].map((transport) => openSession(origin + prefix, transport)),
      ),
    );
    const polling = await openSession(`${origin}/echo`, 'xhr-polling');
    // The first poll was answered when it opened.
    await untilAsked('/xhr', 2);
    const webSocket = await openWebSocket(`ws://127.0.0.1:${port}/ws`);
    const ask = askOnOneConnection();
    const askElsewhere = askOnOneConnection();
    assert.equal(await ask('POST', `${origin}/echo/000/session/xhr`), 'o\n');
    assert.match(await askElsewhere('GET', `${origin}/metrics`), openSessions(2));

    // Half a request: its answer must still come.
    const body = '{"count":1}';
    const half = connect(port, '127.0.0.1');
    let answer = '';
    half.on('data', (chunk) => (answer += chunk));
    half.write(`POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n{`);
    await untilAsked('/ajaxecho', 1);

    const drained = server.drain();
    assert.equal(await ask('POST', `${origin}/echo/000/session/xhr`), 'c[1001,"Server is going away"]\n');
    for (const { closed } of [...streaming, polling, webSocket]) assert.equal((await closed).code, 1001);
    assert.match(await askElsewhere('GET', `${origin}/metrics`), openSessions(0));
    half.write(body.slice(1));
    while (!answer.includes('}')) await once(half, 'data');
    assert.match(answer, /^HTTP\/1.1 200 OK[^]*\{"count":2\}$/);
    server.server.closeAllConnections();
    await drained;
    await server.close();
  });
});

describe('a request that does not come', () => {
  // Of the program itself, which waits for longer: test/soak/start.test.js.
  it('is not waited for for ever by a server that ends', async () => {
    const server = await openServer({ limits: { drainMs: 50 } });
    const half = connect(server.port, '127.0.0.1');
    half.on('error', () => {});
    half.write('POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
    await once(server.server, 'request');
    await server.close();
  });

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

/** @param {number} count of those that poll */
const openSessions = (count) =>
  new RegExp(`^sockshootout_sessions_open\\{transport="sockjs xhr-polling".*\\} ${count}$`, 'm');

/** @returns {(method: string, url: string) => Promise<string>} asks always on the same connection */
function askOnOneConnection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (method, url) => {
    // The connection is back in the agent's hands a moment after an answer was read.
    await new Promise(setImmediate);
    const [res] = await once(request(url, { method, agent }).end(), 'response');
    let text = '';
    for await (const chunk of res) text += chunk;
    return text;
  };
}
