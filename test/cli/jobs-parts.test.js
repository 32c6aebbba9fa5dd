/**
 * Parts of `sockshootout run jobs` that a whole run shows too seldom.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { constants, createServer } from 'node:http2';
import { describe, it } from 'node:test';
import { createJobClients } from '../../cli/net/job-client.js';
import { createHttp2Sender } from '../../cli/net/http-senders.js';
import { formatProgress } from '../../cli/program/program.js';

/**
 * @import { ServerHttp2Stream } from 'node:http2'
 * @import { AddressInfo } from 'node:net'
 * @import { Sender } from '../../cli/net/http-senders.js'
 */

it('a stream of server-sent events gives the data of each, in whatever pieces its bytes come', async () => {
  const server = createPlainServer(async (_req, res) => {
    for (const byte of Buffer.from(': hello\n\ndata: Zürich\n\ndata: two\n\n')) {
      res.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    res.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = /** @type {AddressInfo} */ (server.address());
    const createClient = await createJobClients(`http://127.0.0.1:${port}`, []);
    const stream = createClient().openSocket('event-stream', '/');
    /** @type {string[]} */
    const got = [];
    stream.onmessage = ({ data }) => void got.push(data);
    await new Promise((resolve) => (stream.onclose = resolve));
    assert.deepEqual(got, ['Zürich', 'two']);
  } finally {
    server.close();
  }
});

describe('requests over HTTP/2', () => {
  /**
   * @param {(stream: ServerHttp2Stream, count: number) => void} answer is given how many requests came before on the
   *   same connection
   * @param {(server: { sender: Sender, connections: () => number }) => Promise<unknown>} use
   */
  async function withServer(answer, use) {
    let connectionCount = 0;
    const server = createServer();
    server.on('session', (session) => {
      connectionCount++;
      let count = 0;
      // What this server breaks off, it notices, too.
      session.on('error', () => {});
      session.on('stream', (stream) => {
        stream.on('error', () => {});
        // Not while it still reads: one that is closed then can corrupt Node's memory
        // (https://github.com/nodejs/node/pull/39076).
        const before = count++;
        setImmediate(() => answer(stream, before));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = /** @type {AddressInfo} */ (server.address());
    const sender = createHttp2Sender(`http://127.0.0.1:${port}`);
    try {
      await use({ sender, connections: () => connectionCount });
    } finally {
      sender.close();
      server.close();
    }
  }

  /** @param {Sender} sender */
  const send = async (sender, method = 'GET') => {
    const { status, text } = await sender.send({ method, path: '/job' });
    return `${status} ${await text()}`;
  };

  it('go over one connection, a hundred at once, POSTs too', () => {
    /** @type {ServerHttp2Stream[]} */
    const open = [];
    return withServer(
      (stream) => {
        open.push(stream);
        if (open.length < 100) return;
        for (const one of open) {
          one.respond({ ':status': 201 });
          one.end('made');
        }
      },
      async ({ sender, connections }) => {
        const answers = await Promise.all(Array.from({ length: 100 }, () => send(sender, 'POST')));
        assert.deepEqual(new Set(answers), new Set(['201 made']));
        assert.equal(connections(), 1);
        assert.equal(sender.protocol(), 'h2c');
      },
    );
  });

  it('go on over another connection where the server takes no more on one, and none is lost', () =>
    withServer(
      (stream, count) => {
        if (count === 9) stream.session?.close();
        stream.respond({ ':status': 200 });
        stream.end('ok');
      },
      async ({ sender, connections }) => {
        for (let round = 0; round < 10; round++) {
          const answers = await Promise.all(Array.from({ length: 7 }, () => send(sender)));
          assert.deepEqual(new Set(answers), new Set(['200 ok']));
        }
        assert.ok(connections() > 3, `${connections()} connections`);
      },
    ));

  it('are sent again where the server refused to look at them', () =>
    withServer(
      (stream, count) => {
        if (count < 2) stream.close(constants.NGHTTP2_REFUSED_STREAM);
        else {
          stream.respond({ ':status': 200 });
          stream.end('ok');
        }
      },
      async ({ sender }) => assert.equal(await send(sender), '200 ok'),
    ));

  it('fail where an answer breaks off, or does not come', async () => {
    const breakOff = (/** @type {ServerHttp2Stream} */ stream) => {
      stream.respond({ ':status': 200 });
      stream.write('o');
      // Node.js 24 ends a stream in order before it closes it.
      stream.destroy(new Error('Broken off.'));
    };
    const drop = (/** @type {ServerHttp2Stream} */ { session }) => session?.destroy();
    for (const answer of [breakOff, drop]) {
      await withServer(answer, ({ sender }) => assert.rejects(send(sender)));
    }
    await assert.rejects(send(createHttp2Sender('http://127.0.0.1:1')), /ECONNREFUSED/);
  });
});

it('a bar says how much of a run is done, and of a trial that takes a while', () => {
  const trial = { title: 'AJAX', messageCount: 10 };
  assert.equal(
    formatProgress({ ...trial, percent: 40, completedCount: 3 }),
    '[########------------] 40%  AJAX, 3 of 10',
  );
  assert.equal(formatProgress({ ...trial, percent: 40, completedCount: 0 }), '[########------------] 40%  AJAX');
  assert.equal(formatProgress({ ...trial, completedCount: 5 }), '[##########----------] 50%  AJAX, 5 of 10');
});
