/**
 * Messages of the payload experiment over each of its transfer methods, of any size up to the most that a server takes.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { WebSocket } from 'ws';
import { formatCrc32 } from '../../core/base/crc32.js';
import { createContent } from '../../core/net/transfer/content.js';
import { createInbox } from './inbox.js';
import { requestHead } from './payload-client.js';
import { sendRaw } from './raw-http.js';
import { openServer } from './server.js';

/**
 * @import { Limits } from '../../server/http/limits.js'
 * @import { TestServer } from './server.js'
 */

const DIRECTIONS = /** @type {const} */ (['up', 'down', 'echo']);
const OFFSET = 123_457;

/**
 * @typedef {typeof DIRECTIONS[number]} Direction
 * @typedef {Buffer | number} Answer bytes, or the code that the socket was closed with, or the status
 */

/**
 * @param {string} url
 * @returns {Promise<{ socket: WebSocket, next: () => Promise<{ data: Buffer, isBinary: boolean } | number> }>}
 */
export async function openSocket(url) {
  const socket = new WebSocket(url.replace('http:', 'ws:'), { perMessageDeflate: false, maxPayload: 0 });
  /** @type {ReturnType<typeof createInbox<{ data: Buffer, isBinary: boolean } | number>>} */
  const inbox = createInbox();
  socket.on('message', (data, isBinary) => inbox.put({ data: /** @type {Buffer} */ (data), isBinary }));
  socket.on('close', (code) => inbox.put(code));
  // Then it closes, too.
  socket.on('error', () => {});
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('unexpected-response', (_request, response) => reject(new Error(`status ${response.statusCode}`)));
  });
  return { socket, next: inbox.next };
}

/**
 * @param {number} mostBytes that are asked for, but for one byte more
 */
export function createTransfers(mostBytes) {
  const content = Buffer.from(createContent(OFFSET + mostBytes + 1));
  const messageOf = (/** @type {number} */ bytes) => content.subarray(OFFSET, OFFSET + bytes);

  /** @type {(isBinary: boolean) => (origin: string, direction: Direction, bytes: number) => Promise<Answer>} */
  const overWebSocket = (isBinary) => async (origin, direction, bytes) => {
    const { socket, next } = await openSocket(`${origin}/payload/ws/${direction}`);
    const asked = { bytes, offset: OFFSET, binary: isBinary };
    if (direction === 'down') socket.send(JSON.stringify(asked));
    else socket.send(messageOf(bytes), { binary: isBinary });
    const answer = await next();
    socket.terminate();
    if (typeof answer === 'number') return answer;
    if (direction !== 'up' && bytes <= mostBytes) assert.equal(answer.isBinary, isBinary);
    return answer.data;
  };

  /** @type {Record<string, (origin: string, direction: Direction, bytes: number) => Promise<Answer>>} */
  const transfers = {
    async HTTP(origin, direction, bytes) {
      const query = direction === 'down' ? `?bytes=${bytes}&offset=${OFFSET}` : '';
      const init = direction === 'down' ? {} : { method: 'POST', body: messageOf(bytes) };
      const response = await fetch(`${origin}/payload/${direction}${query}`, init);
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status !== 200) return response.status;
      assert.equal(response.headers.get('content-length'), String(body.length));
      assert.equal(response.headers.get('cache-control'), 'no-store, no-transform');
      assert.equal(response.headers.get('content-encoding'), null);
      return body;
    },
    'WebSocket text': overWebSocket(false),
    'WebSocket binary': overWebSocket(true),
    async SockJS(origin, direction, bytes) {
      // Its frames by hand: its client masks in JavaScript, byte by byte, which takes a while.
      const path = `/payload/sockjs/000/${randomBytes(6).toString('hex')}/websocket?direction=${direction}`;
      const { socket, next } = await openSocket(origin + path);
      const unframe = (/** @type {Awaited<ReturnType<typeof next>>} */ frame) => {
        assert.ok(typeof frame !== 'number');
        return frame.data;
      };
      assert.equal(unframe(await next()).toString(), 'o');
      const asked = JSON.stringify({ bytes, offset: OFFSET });
      socket.send(JSON.stringify([direction === 'down' ? asked : messageOf(bytes).toString('latin1')]));
      const answer = unframe(await next()).toString('latin1');
      socket.terminate();
      const [first] = JSON.parse(answer.slice(1));
      return answer.startsWith('c') ? first : Buffer.from(first);
    },
  };

  return { transfers, content, messageOf };
}

/**
 * @param {object} options
 * @param {readonly number[]} options.sizes the last is the most
 * @param {Partial<Limits>} [options.limits] with which the server takes so much
 */
export function describePayloadSizes({ sizes, limits }) {
  const mostBytes = Math.max(...sizes);
  const { transfers, content, messageOf } = createTransfers(mostBytes);

  describe(`payload of up to ${mostBytes} bytes`, { concurrency: true }, () => {
    /** @type {TestServer} */
    let server;
    before(async () => {
      server = await openServer({ limits });
    });
    after(() => server.close());

    for (const [name, exchange] of Object.entries(transfers)) {
      for (const direction of DIRECTIONS) {
        it(`goes ${direction} over ${name} as it is, from 0 bytes to the most`, async () => {
          for (const bytes of sizes) {
            const answer = await exchange(server.origin, direction, bytes);
            const message = messageOf(bytes);
            const expected =
              direction === 'up' ? Buffer.from(JSON.stringify({ bytes, crc32: formatCrc32(crc32(message)) })) : message;
            assert.ok(expected.equals(/** @type {Buffer} */ (answer)), `${bytes} bytes`);
          }
        });
      }

      it(`of a byte more than the most is refused over ${name}`, async () => {
        const tooLarge = name === 'HTTP' ? 413 : 1009;
        assert.equal(await exchange(server.origin, 'echo', mostBytes + 1), tooLarge);
        const answer = await exchange(server.origin, 'down', mostBytes + 1);
        if (name === 'HTTP') assert.equal(answer, 413);
        else assert.equal(JSON.parse(String(answer)).error.code, 'too-large');
      });
    }

    it('is refused by its length alone, before it comes', async () => {
      const heads = ['/payload/up', '/payload/echo'].map((path) =>
        requestHead(path, { method: 'POST', length: mostBytes + 1 }),
      );
      for (const answer of await Promise.all(heads.map((head) => sendRaw(server.port, head)))) {
        assert.match(answer, /^HTTP\/1\.1 413 /);
      }
      const frameHead = Buffer.from('82ff0000000000000000', 'hex');
      frameHead.writeUInt32BE(mostBytes + 1, 6);
      for (const path of ['/payload/ws/up', '/payload/ws/echo']) {
        const { socket, next } = await openSocket(server.origin + path);
        /** @type {any} */ (socket)._socket.write(frameHead);
        assert.equal(await next(), 1009, path);
      }
    });

    it('without a declared length is counted as it comes', async () => {
      const chunked = (/** @type {number} */ bytes) =>
        new ReadableStream({
          start(controller) {
            for (let at = 0; at < bytes; at += 1_000_000) {
              controller.enqueue(content.subarray(at, Math.min(at + 1_000_000, bytes)));
            }
            controller.close();
          },
        });
      for (const [bytes, status] of [
        [Math.round(0.7 * mostBytes), 200],
        [mostBytes, 200],
        [mostBytes + 1, 413],
      ]) {
        const init = /** @type {RequestInit} */ ({ method: 'POST', body: chunked(bytes), duplex: 'half' });
        const response = await fetch(`${server.origin}/payload/echo`, init);
        const body = Buffer.from(await response.arrayBuffer());
        assert.equal(response.status, status);
        if (status === 200) assert.ok(body.equals(content.subarray(0, bytes)));
      }
    });
  });
}
