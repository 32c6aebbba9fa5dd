/**
 * How a server drains, and what it does not wait for. The program itself, as a process: test/soak/start.test.js.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { openServer } from '../support/server.js';
import { sendRaw } from '../support/raw-http.js';
import { openSession } from '../support/sockjs-session.js';
import { openWebSocket } from '../support/web-socket.js';

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
