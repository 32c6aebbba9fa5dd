/**
 * What requests cost in memory whose answers wait for the first one on their connection, as many as a connection may have,
 * pages that are not read, and documents that are checked, against a server in a process of its own.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MAX_DOCUMENT_BYTES } from '../../../core/experiment/documents/check.js';
import { LIMITS } from '../../../server/http/limits.js';
import { startMeasuredServer } from '../../support/measured-server.js';
import { openRaw } from '../../support/payload-client.js';
import { postSubmission } from '../../support/submissions.js';

const MIB = 1024 * 1024;
const CONNECTIONS = 100;
const MOST_BYTES = 64 * MIB;
const UNREAD_CONNECTIONS = 500;
const UNREAD_BYTES = 150 * MIB;
/** More than the largest of these has blocks of 64 KiB. */
const READS = 5;
const HEAD = 'HTTP/1.1\r\nHost: x\r\n';
const FIRST = `GET /reach/poll?ms=60000 ${HEAD}\r\n`;
/** As many as there may be, with Host. */
const TINY_HEADERS = Array.from({ length: LIMITS.headerCount - 1 }, (_, index) => `a${index}:\r\n`).join('');
const LARGE_BODY = JSON.stringify({ count: 1, x: 'x'.repeat(30_000) });
const LARGE = `POST /ajaxecho ${HEAD}Content-Length: ${LARGE_BODY.length}\r\n\r\n${LARGE_BODY}`;

/** What JSON.parse makes of a byte: of those below, brackets took 53 times as much as they have bytes, as measured. */
const MOST_TIMES = 80;
/** @param {string} start @param {string} part @param {string} end */
const fill = (start, part, end) => `{"document":${start}${part.repeat(MAX_DOCUMENT_BYTES / part.length - 20)}${end}}`;
const HALF = '['.repeat(MAX_DOCUMENT_BYTES / 2 - 20);
/** @type {Record<string, string>} */
const DOCUMENTS = {
  brackets: `{"document":${HALF}${HALF.replaceAll('[', ']')}}`,
  objects: fill('[', '{},', '0]'),
  lists: fill('[', '[],', '0]'),
  names: `{"document":{${Array.from({ length: 400_000 }, (_, i) => `"k${i.toString(36)}":0`).join(',')}}}`,
};

/** @type {Record<string, string>} */
const REQUESTS = {
  'bodies in two chunks': `POST /ajaxecho ${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`,
  'bodies of 30 kB': LARGE,
  'large headers': `GET /ajaxecho?count=1 ${HEAD}X: ${'x'.repeat(15_000)}\r\n\r\n`,
  'many headers': `GET /ajaxecho?count=1 ${HEAD}${TINY_HEADERS}\r\n`,
};

/**
 * Returns when the server has read what others sent before: a client that sends one request too many is closed.
 * @param {number} port
 */
async function whenRead(port) {
  const { send, closed } = await openRaw(port);
  send(FIRST + FIRST.repeat(LIMITS.connectionRequestCount));
  await closed;
}

describe('the memory of a server', () => {
  for (const [name, request] of Object.entries(REQUESTS)) {
    it(`grows by less than ${MOST_BYTES / MIB} MB by requests with ${name} that wait`, async () => {
      const server = await startMeasuredServer({}, ['--max-semi-space-size=4']);
      try {
        const waiting = FIRST + request.repeat(LIMITS.connectionRequestCount - 1);
        const before = await server.watch();
        const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => openRaw(server.port)));
        for (const { send } of clients) send(waiting);
        // The server reads 64 KiB at a time of each connection in turn, and none of this has more than a few of those.
        for (let i = 0; i < READS; i++) await whenRead(server.port);
        const most = await server.unwatch();
        assert.ok(clients.every(({ text, socket }) => text() === '' && !socket.destroyed));
        for (const { socket } of clients) socket.destroy();
        for (const [what, bytes] of Object.entries(most)) {
          const grown = bytes - before[/** @type {keyof typeof before} */ (what)];
          assert.ok(grown < MOST_BYTES, `${what} grew by ${grown / MIB} MB`);
        }
      } finally {
        await server.close();
      }
    });
  }

  it(`grows by less than ${UNREAD_BYTES / MIB} MB by the pages that ${UNREAD_CONNECTIONS} connections ask for and do not read`, async () => {
    const server = await startMeasuredServer({}, ['--max-semi-space-size=4']);
    const request = `GET / ${HEAD}\r\n`.repeat(LIMITS.connectionRequestCount);
    try {
      await (await fetch(server.origin)).text();
      const before = await server.watch();
      const clients = await Promise.all(Array.from({ length: UNREAD_CONNECTIONS }, () => openRaw(server.port)));
      for (const { socket, send } of clients) {
        socket.pause();
        send(request);
      }
      for (let i = 0; i < READS; i++) await whenRead(server.port);
      const { rssBytes } = await server.unwatch();
      for (const { socket } of clients) socket.destroy();
      const grownBytes = rssBytes - before.rssBytes;
      assert.ok(grownBytes < UNREAD_BYTES, `${grownBytes / MIB} MB`);
    } finally {
      await server.close();
    }
  });

  it(`grows by less than ${MOST_TIMES} times the bytes of a document that is checked`, async () => {
    const server = await startMeasuredServer();
    const send = (/** @type {string} */ text) =>
      postSubmission(server.origin, '', { body: gzipSync(text), headers: { 'Content-Encoding': 'gzip' } });
    try {
      // The thread starts, which is no document's.
      await send('{}');
      for (const [name, text] of Object.entries(DOCUMENTS)) {
        const before = await server.watch();
        assert.equal((await send(text)).status, 400);
        const { rssBytes } = await server.unwatch();
        const times = (rssBytes - before.rssBytes) / text.length;
        assert.ok(times < MOST_TIMES, `${name}: ${times} times`);
      }
    } finally {
      await server.close();
    }
  });
});
