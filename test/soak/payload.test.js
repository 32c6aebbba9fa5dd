import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { formatCrc32 } from '../../core/base/crc32.js';
import { OFFSET_SPAN } from '../../core/net/transfer/content.js';
import { createBytesInFlight, HeldBody } from '../../server/http/body.js';
import { MessageQueue } from '../../server/sockets/message-queue.js';
import { payloadLimits } from '../../server/sockets/limits.js';
import { SocketMeter } from '../../server/sockets/socket-meter.js';
import { createTurnQueue } from '../../server/http/turns.js';
import { LIMITS as SERVER_LIMITS } from '../../server/http/limits.js';
import { bytesInFlight, frame, openRaw, requestHead, untilInFlight, upgradeHead } from '../support/payload-client.js';
import { createTransfers, describePayloadSizes, openSocket } from '../support/payload-sizes.js';
import { openServer } from '../support/server.js';
import {
  messageOf as messageOfSocketio,
  openPackets,
  openPolling,
  upgradeSession,
  valueOf,
} from '../support/socketio-session.js';
import { openSession } from '../support/sockjs-session.js';

/** @import { TestServer } from '../support/server.js' */

const MOST_BYTES = 16 * 1024 * 1024;
const { transfers, content, messageOf } = createTransfers(3_000_000);

/**
 * @param {Awaited<ReturnType<typeof openRaw>>} client
 * @param {RegExp} pattern
 * @returns {Promise<RegExpExecArray>}
 */
async function untilSaid(client, pattern) {
  for (;;) {
    const match = pattern.exec(client.text());
    if (match) return match;
    assert.ok(!client.socket.destroyed, `expected ${pattern}, got ${client.text()}`);
    await client.received(client.text().length + 1);
  }
}

// What a real server takes is held in test/soak/payload-sizes.test.js, and by test/contract/.
describePayloadSizes({
  sizes: [0, 1, 125, 126, 500, 65_535, 65_536, 1_000_000, 2_000_000],
  limits: { payloadBytes: 2_000_000 },
});

describe('payload', { concurrency: true }, () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  it('ends its connection over HTTP when so asked', async () => {
    for (const [path, method] of [
      ['up?', 'POST'],
      ['down?bytes=1&', 'GET'],
      ['echo?', 'POST'],
    ]) {
      const endOf = async (/** @type {string} */ query) =>
        (await fetch(`${server.origin}/payload/${path}${query}`, { method })).headers.get('connection');
      assert.deepEqual([await endOf(''), await endOf('close=1')], ['keep-alive', 'close']);
    }
  });

  it('comes back with the type that it came with, else as bytes, and is never guessed to be another', async () => {
    for (const [type, expected] of [
      ['text/plain', 'text/plain'],
      [undefined, 'application/octet-stream'],
    ]) {
      const init = { method: 'POST', body: Buffer.from('x'), headers: type ? { 'content-type': type } : undefined };
      const { headers } = await fetch(`${server.origin}/payload/echo`, init);
      assert.deepEqual([headers.get('content-type'), headers.get('x-content-type-options')], [expected, 'nosniff']);
    }
  });

  /** @type {[string, string, number, string][]} */
  const requests = [
    ['GET', '/payload/down', 400, 'bad-field'],
    ['GET', '/payload/down?bytes=', 400, 'bad-field'],
    ['GET', '/payload/down?bytes=-1', 400, 'bad-field'],
    ['GET', '/payload/down?bytes=1.5', 400, 'bad-field'],
    ['GET', '/payload/down?bytes=1e3', 400, 'bad-field'],
    ['GET', '/payload/down?bytes=1&bytes=1', 400, 'bad-field'],
    ['GET', '/payload/down?bytes=1&binary=true', 400, 'bad-field'],
    ['GET', `/payload/down?bytes=1&offset=${OFFSET_SPAN}`, 400, 'bad-field'],
    ['GET', '/payload/down?bytes=999999999999999', 413, 'too-large'],
    ['POST', '/payload/down?bytes=1', 405, 'wrong-method'],
    ['GET', '/payload/up', 405, 'wrong-method'],
    ['GET', '/payload/echo', 405, 'wrong-method'],
    ['GET', '/payload/ws/up', 426, 'upgrade-required'],
    ['GET', '/payload/sockjs/info', 400, 'bad-field'],
    ['GET', '/payload/sockjs/info?direction=sideways', 400, 'bad-field'],
    ['POST', '/payload/sockjs/000/abc/xhr?direction=up&direction=down', 400, 'bad-field'],
  ];
  for (const [method, target, status, code] of requests) {
    it(`answers ${method} ${target} with ${status}`, async () => {
      const response = await fetch(server.origin + target, { method });
      assert.equal(response.status, status);
      assert.equal((await response.json()).error.code, code);
    });
  }

  it('may be asked for by a page on another site', async () => {
    const headers = { origin: 'https://stranger.example' };
    for (const path of ['/payload/up', '/payload/down', '/payload/echo']) {
      const preflight = await fetch(server.origin + path, { method: 'OPTIONS', headers });
      assert.equal(preflight.status, 204, path);
    }
    const response = await fetch(`${server.origin}/payload/echo`, { method: 'POST', body: 'x', headers });
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
  });

  /** @type {[string | Buffer, string][]} */
  const messages = [
    ['', 'bad-json'],
    ['[]', 'bad-json'],
    ['{"bytes":', 'bad-json'],
    ['{}', 'bad-field'],
    ['{"bytes":"1"}', 'bad-field'],
    ['{"bytes":-1}', 'bad-field'],
    ['{"bytes":1,"offset":0.5}', 'bad-field'],
    ['{"bytes":1,"binary":1}', 'bad-field'],
    ['{"bytes":1,"size":1}', 'bad-field'],
    [Buffer.from('{"bytes":1}'), 'bad-message'],
  ];
  for (const [message, code] of messages) {
    it(`answers a message ${typeof message === 'string' ? `'${message}'` : 'of bytes'} and stays open`, async () => {
      const { socket, next } = await openSocket(`${server.origin}/payload/ws/down`);
      const ask = async (/** @type {string | Buffer} */ text) => {
        socket.send(text);
        const answer = await next();
        assert.ok(typeof answer !== 'number');
        return String(answer.data);
      };
      assert.equal(JSON.parse(await ask(message)).error.code, code);
      assert.equal(await ask('{"bytes":3}'), content.subarray(0, 3).toString());
      socket.terminate();
    });
  }

  it('is answered in its order where several messages are sent at once', async () => {
    const { socket, next } = await openSocket(`${server.origin}/payload/ws/echo`);
    const sizes = [3_000_000, 0, 5, 2_000_000, 1, ...Array(2000).fill(7)];
    for (const bytes of sizes) socket.send(messageOf(bytes));
    for (const bytes of sizes) {
      const answer = await next();
      assert.ok(typeof answer !== 'number' && answer.data.equals(messageOf(bytes)), `${bytes} bytes`);
    }
    socket.terminate();
  });

  it('may come in many parts, with pings between them', async () => {
    const client = await openRaw(server.port);
    client.send(upgradeHead('/payload/ws/up'));
    await client.received(1);
    for (let part = 0; part < 2000; part++) {
      client.send(frame(messageOf(100), { opcode: part === 0 ? 2 : 0, fin: part === 1999 }));
      if (part % 500 === 0) client.send(frame('?', { opcode: 9 }));
    }
    client.send(frame('', { opcode: 8 }));
    await client.closed;
    const receipt = { bytes: 200_000, crc32: formatCrc32(crc32(Buffer.concat(Array(2000).fill(messageOf(100))))) };
    assert.ok(client.text().includes(JSON.stringify(receipt)));
  });

  it('in more parts than any browser makes is refused, even if they are empty', async () => {
    const flood = Buffer.concat([
      frame('x', { fin: false }),
      ...Array(20_000).fill(frame('', { opcode: 0, fin: false })),
    ]);
    await Promise.all(
      ['/payload/ws/up', '/payload/sockjs/000/parts/websocket?direction=up'].map(async (path) => {
        const client = await openRaw(server.port);
        client.send(upgradeHead(path));
        await client.received(1);
        client.send(flood);
        await client.closed;
        assert.match(client.text(), /Too many fragments/, path);
      }),
    );
  });

  it('in a frame of SockJS’s that is full of messages is refused before it is parsed', async () => {
    for (const item of ['{}', '""', '[]']) {
      const path = '/payload/sockjs/000/many/websocket?direction=up';
      const client = await openRaw(server.port);
      client.send(upgradeHead(path));
      await untilSaid(client, /\r\n\r\n.*o$/s);
      client.send(frame(`[${Array(20_000).fill(item).join(',')}]`));
      const [said] = await untilSaid(client, /[ac]\[.*/s);
      assert.match(said, /^c\[1008,"Too many .+ fragments/, item);
    }
  });

  it('goes over SockJS’s own client, and up to 1 MiB over its fallbacks', async () => {
    for (const transport of ['websocket', 'xhr-streaming', 'xhr-polling']) {
      const url = `${server.origin}/payload/sockjs?direction=`;
      const up = await openSession(`${url}up`, transport);
      const text = JSON.stringify({ text: messageOf(100_000).toString() });
      const receipt = { bytes: text.length, crc32: formatCrc32(crc32(text)) };
      assert.deepEqual(await up.ask(JSON.parse(text)), receipt, transport);
      up.close();
      const down = await openSession(`${url}down`, transport);
      if (transport !== 'websocket') {
        assert.equal((await down.ask({ bytes: 1024 * 1024 + 1 })).error.code, 'too-large', transport);
      }
      assert.equal((await down.ask({ bytes: 1, binary: true })).error.code, 'bad-field', transport);
      down.close();
    }
  });
});

describe('payload over Socket.IO', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());
  const pathOf = (/** @type {string} */ direction) => `/payload/socket.io/?EIO=4&direction=${direction}`;

  it('goes by polls, after the upgrade, and by a WebSocket alone, and is answered in order', async () => {
    const text = messageOf(900_000).toString();
    for (const open of [
      async (/** @type {string} */ path) => (await openPolling(server.origin, { path })).connect(),
      async (/** @type {string} */ path) => askable(await openPackets(server.port, { path })),
      async (/** @type {string} */ path) => {
        const session = await (await openPolling(server.origin, { path })).connect();
        return askable(await upgradeSession(server.port, session, { path }));
      },
    ]) {
      const [up, down, echo] = await Promise.all(['up', 'down', 'echo'].map((direction) => open(pathOf(direction))));
      assert.deepEqual(JSON.parse(await up.ask(text)), { bytes: text.length, crc32: formatCrc32(crc32(text)) });
      assert.equal(await echo.ask(text), text);
      assert.equal(await down.ask('{"bytes":1048576}'), content.subarray(0, 1_048_576).toString());
      for (const [message, code] of [
        ['{"bytes":1,"binary":true}', 'bad-field'],
        ['x', 'bad-json'],
        [{ bytes: 1 }, 'bad-message'],
        [null, 'bad-message'],
      ]) {
        assert.equal(JSON.parse(await down.ask(message)).error.code, code);
      }
    }
  });

  it('is 1 MiB at most by polls, also where no poll waits for it, and more by a WebSocket', async () => {
    const path = pathOf('down');
    const session = await (await openPolling(server.origin, { path })).connect();
    assert.match(await session.ask('{"bytes":1048577}'), /"too-large"/);
    const upgraded = askable(await upgradeSession(server.port, session, { path }));
    assert.equal((await upgraded.ask('{"bytes":3000000}')).length, 3_000_000);
    upgraded.close();
  });

  it('is refused where it names no direction', async () => {
    for (const query of ['', '&direction=sideways', '&direction=up&direction=down']) {
      const response = await fetch(`${server.origin}/payload/socket.io/?EIO=4&transport=polling${query}`);
      assert.deepEqual([response.status, (await response.json()).error.code], [400, 'bad-field'], query);
    }
  });

  /** @param {Awaited<ReturnType<typeof openPackets>>} packets */
  function askable({ ask, close }) {
    return { close, ask: async (/** @type {unknown} */ value) => valueOf(await ask(messageOfSocketio(value))) };
  }
});

describe('payload on a connection that breaks', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  it('leaves nothing behind, whatever breaks', async () => {
    const path = '/payload/sockjs/000/session/websocket?direction=echo';
    for (const [head, part] of /** @type {[string, Buffer][]} */ ([
      [
        '',
        Buffer.concat([Buffer.from(requestHead('/payload/echo', { method: 'POST', length: 100_001 })), messageOf(1e5)]),
      ],
      [upgradeHead('/payload/ws/echo'), frame(messageOf(100_001)).subarray(0, -1)],
      [upgradeHead(path), frame(`["${messageOf(100_001)}"]`).subarray(0, -1)],
    ])) {
      const client = await openRaw(server.port);
      client.send(head);
      if (head) await client.received(1);
      client.send(part);
      await untilInFlight(server.origin, (bytes) => bytes >= 100_000);
      client.socket.destroy();
      await untilInFlight(server.origin, (bytes) => bytes === 0);
    }
  });

  it('that nobody reads is let go when its connection breaks, and what was asked for behind it was never made', async () => {
    const client = await openRaw(server.port);
    client.socket.pause();
    client.send(requestHead(`/payload/down?bytes=${MOST_BYTES}`).repeat(4));
    await untilInFlight(server.origin, (bytes) => bytes > 0);
    assert.equal(await bytesInFlight(server.origin), MOST_BYTES);
    client.socket.destroy();
    await untilInFlight(server.origin, (bytes) => bytes === 0);
  });
});

describe('payload beyond what the server takes', () => {
  const LIMITS = { payloadBytesInFlight: 1_000_000, payloadSocketCount: 2, answerMs: 60_000 };
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer({ limits: LIMITS });
  });
  after(() => server.close());

  it('at once is refused until there is room again', async () => {
    const holder = await openRaw(server.port);
    holder.send(requestHead('/payload/echo', { method: 'POST', length: 900_001 }));
    holder.send(messageOf(900_000));
    await untilInFlight(server.origin, (bytes) => bytes === 900_000);
    for (const [name, exchange] of Object.entries(transfers)) {
      const refused = name === 'HTTP' ? 503 : 1013;
      for (const direction of /** @type {const} */ (['down', 'echo'])) {
        assert.equal(await exchange(server.origin, direction, 200_000), refused, `${name} ${direction}`);
      }
    }
    holder.socket.destroy();
    await untilInFlight(server.origin, (bytes) => bytes === 0);
    for (const [name, exchange] of Object.entries(transfers)) {
      assert.ok(
        messageOf(200_000).equals(/** @type {Buffer} */ (await exchange(server.origin, 'echo', 200_000))),
        name,
      );
    }
    assert.equal(await bytesInFlight(server.origin), 0);
  });

  it('in one frame of SockJS’s beside another that is refused leaves the server as it was', async () => {
    const session = await openSocket(`${server.origin}/payload/sockjs/000/two/websocket?direction=down`);
    await session.next();
    session.socket.send(JSON.stringify(Array(2).fill('{"bytes":5000000}')));
    const answer = await session.next();
    assert.ok(typeof answer !== 'number');
    assert.match(String(answer.data), /^c\[1013,/);
    session.socket.terminate();
    await untilInFlight(server.origin, (bytes) => bytes === 0);
  });

  it('in tiny parts counts with what the library takes for each', async () => {
    for (const path of ['/payload/ws/up', '/payload/sockjs/000/tiny/websocket?direction=up']) {
      const client = await openRaw(server.port);
      client.send(upgradeHead(path));
      await client.received(1);
      const parts = Array(10_000).fill(frame('x', { opcode: 0, fin: false }));
      client.send(Buffer.concat([frame('["', { fin: false }), ...parts, frame('"]', { opcode: 0 })]));
      const [said] = await untilSaid(client, /too much payload|bytes/);
      assert.equal(said, 'too much payload', path);
      client.socket.destroy();
    }
  });

  for (const name of ['by a WebSocket alone', 'after its upgrade']) {
    it(`over Socket.IO ${name} is held until it has been read, and refused beyond what there is room for`, async () => {
      const path = `/payload/socket.io/?EIO=4&direction=down`;
      const { socket, closed } =
        name === 'after its upgrade'
          ? await upgradeSession(server.port, await (await openPolling(server.origin, { path })).connect(), { path })
          : await openPackets(server.port, { path });
      socket.pause();
      // The first fills the buffers between them, and is held.
      const ask = (/** @type {number} */ bytes) => socket.send(messageOfSocketio(JSON.stringify({ bytes })));
      for (let i = 0; i < 30; i++) ask(900_000);
      await untilInFlight(server.origin, (bytes) => bytes >= 900_000);
      for (let look = 0; look < 20; look++) {
        assert.ok((await bytesInFlight(server.origin)) <= LIMITS.payloadBytesInFlight);
      }
      const holder = await openRaw(server.port);
      holder.send(requestHead('/payload/echo', { method: 'POST', length: 900_001 }));
      holder.send(messageOf(10));
      socket.resume();
      await untilInFlight(server.origin, (bytes) => bytes <= 10);
      holder.socket.destroy();
      ask(1_000_001);
      assert.equal((await closed).code, 1013);
      await untilInFlight(server.origin, (bytes) => bytes === 0);
    });
  }

  it('over too many sockets is refused with 503, and the echoes’ are not', async () => {
    const sockets = [];
    for (const path of ['/payload/ws/up', '/payload/sockjs/000/one/websocket?direction=up']) {
      sockets.push(await openSocket(server.origin + path));
    }
    // SockJS counts a session a moment after it is open, and says "o" then.
    await sockets[1].next();
    for (const path of ['/payload/ws/down', '/payload/sockjs/000/two/websocket?direction=up']) {
      await assert.rejects(openSocket(server.origin + path), /status 503/, path);
    }
    sockets.push(await openSocket(`${server.origin}/ws`));
    for (const { socket } of sockets) socket.terminate();
  });

  it('that breaks takes along the bodies of echoes that wait behind it', async () => {
    const strict = await openServer({ limits: { bodyBytesInFlight: 1000 } });
    try {
      const client = await openRaw(strict.port);
      client.socket.pause();
      const post = `${requestHead('/ajaxecho', { method: 'POST', length: 11 })}{"count":1}`;
      client.send(requestHead(`/payload/down?bytes=${MOST_BYTES}`) + post.repeat(3));
      await untilInFlight(strict.origin, (bytes) => bytes > 0);
      client.socket.destroy();
      await untilInFlight(strict.origin, (bytes) => bytes === 0);
      const body = JSON.stringify({ count: 1, body: 'x'.repeat(970) });
      assert.equal((await fetch(`${strict.origin}/ajaxecho`, { method: 'POST', body })).status, 200);
    } finally {
      await strict.close();
    }
  });

  it('that stops in the middle is cut off', async () => {
    const impatient = await openServer({ limits: { answerMs: 100 } });
    try {
      const cutOff = [
        ['', requestHead('/payload/up', { method: 'POST', length: 10 })],
        ['', requestHead('/payload/echo', { method: 'POST', length: 10 })],
        [upgradeHead('/payload/ws/up'), frame('0123456789').subarray(0, -1)],
        [upgradeHead('/payload/sockjs/000/slow/websocket?direction=up'), frame('["x"]').subarray(0, -1)],
      ].map(async ([head, part]) => {
        const client = await openRaw(impatient.port);
        client.send(head);
        if (head) await client.received(1);
        client.send(part);
        await client.closed;
      });
      await Promise.all(cutOff);
      assert.equal(await bytesInFlight(impatient.origin), 0);
    } finally {
      await impatient.close();
    }
  });
});

describe('a server that goes away', () => {
  it('says so on every socket with 1001', async () => {
    const server = await openServer();
    const ws = await openSocket(`${server.origin}/payload/ws/echo`);
    const sockjs = await openSession(`${server.origin}/payload/sockjs?direction=echo`, 'websocket');
    await server.close();
    assert.equal(await ws.next(), 1001);
    assert.equal((await sockjs.closed).code, 1001);
  });
});

describe('MessageQueue', () => {
  it('counts every packet and part of a message that is not whole, with what the library takes for it', () => {
    const inFlight = createBytesInFlight(MOST_BYTES);
    const socket = /** @type {any} */ (Object.assign(new PassThrough(), { setTimeout: () => {} }));
    const limits = payloadLimits(SERVER_LIMITS);
    new SocketMeter({ socket, limits, queue: createTurnQueue(MOST_BYTES), report: () => {} });
    new MessageQueue({
      socket,
      inFlight,
      limits: { answerMs: 60_000, requestMs: 60_000 },
      maxBytes: MOST_BYTES,
      library: { pause: () => {}, resume: () => {}, close: () => {} },
    });
    const whole = frame(messageOf(1001));
    for (const byte of whole.subarray(0, -1)) socket.emit('data', Buffer.of(byte));
    assert.equal(inFlight.totalBytes(), (whole.length - 1) * (1 + 512) + 128);
    socket.emit('close');
    assert.equal(inFlight.totalBytes(), 0);
  });
});

describe('HeldBody', () => {
  it('gives back what it was given, in not much more memory, however small the chunks', () => {
    for (const steps of [[1], [1, 20_000], [16_384], [5, 70_000, 3]]) {
      const body = new HeldBody();
      let at = 0;
      for (let i = 0; at < 300_000; i++) {
        const step = steps[i % steps.length];
        body.append(content.subarray(at, at + step));
        at += step;
      }
      assert.equal(body.length, at);
      const blocks = body.takeBlocks();
      assert.ok(Buffer.concat(blocks).equals(content.subarray(0, at)), String(steps));
      assert.ok(blocks.length <= 2 + (2 * at) / 16_384, `${blocks.length} blocks`);
    }
  });
});
