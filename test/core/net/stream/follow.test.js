/** How streams are followed by each method, from a real server, and from servers that do what they should not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { EventSource } from 'eventsource';
import { createParser } from 'eventsource-parser';
import { io } from 'socket.io-client';
import SockJS from 'sockjs-client';
import { WebSocket, WebSocketServer } from 'ws';
import { createId } from '../../../../core/base/random.js';
import { openSocket } from '../../../../core/net/channel/index.js';
import { ExchangeError } from '../../../../core/net/exchange-error.js';
import { followStream, openStreamSocket, streamMethods } from '../../../../core/net/stream/index.js';
import { dueTimesOf, textOf } from '../../../../core/net/stream/stream.js';
import { openServer } from '../../../support/server.js';
import { withServer } from '../../../support/two-workers.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { RequestListener } from 'node:http'
 * @import { FollowOptions, StreamClient, StreamSocket } from '../../../../core/net/stream/index.js'
 * @import { Piece, StreamOptions } from '../../../../core/net/stream/stream.js'
 * @import { TestServer } from '../../../support/server.js'
 */

const STREAM = { pieces: 20, bytes: 12, rate: 100, spread: 100, seed: 5 };
/** It lasts for longer than any test. */
const LONG = { pieces: 250, bytes: 5, rate: 5, spread: 0, seed: 1 };
/** @type {Record<string, any>} */
const LIBRARIES = { websocket: WebSocket, sockjs: SockJS, socketio: io };
const NAMES = Object.keys(streamMethods);
/** Those that do not resume fail where their connection breaks. */
const RESUMING = NAMES.filter((name) => streamMethods[name].resumes);
const BROKEN = NAMES.filter((name) => !streamMethods[name].resumes && name !== 'poll');

/** @param {string} baseUrl @returns {StreamClient} */
const createClient = (baseUrl) => ({
  ...{ baseUrl, fetch, createParser },
  EventSource: /** @type {any} */ (EventSource),
  openSocket: (kind, path) => openSocket(kind, baseUrl + path, { library: LIBRARIES[kind] }),
  protocol: () => 'http/1.1',
});

/** @param {string} origin @param {{ stream?: StreamOptions, signal?: AbortSignal }} [given] @returns {FollowOptions} */
const optionsFor = (origin, { stream = STREAM, signal } = {}) => ({
  client: createClient(origin),
  ...{ stream, signal },
  ...{ trialId: createId(12), tag: 'a', intervalMs: 20 },
  now: () => performance.now(),
});

/**
 * Follows a stream, over a connection of its own where the method keeps one.
 * @param {string} name @param {string} origin @param {Parameters<typeof optionsFor>[1] & { onPieces?: (pieces: Piece[]) => void }} [given]
 */
async function follow(name, origin, { onPieces, ...given } = {}) {
  const options = optionsFor(origin, given);
  const { isKept } = streamMethods[name];
  const heard = { pieces: /** @type {Piece[]} */ ([]), reads: /** @type {number[]} */ ([]), lostCount: 0, setUps: 0 };
  const socket = isKept ? await openStreamSocket(name, options) : undefined;
  const followed = {
    onPieces(/** @type {Piece[]} */ pieces) {
      heard.pieces.push(...pieces);
      heard.reads.push(pieces.length);
      onPieces?.(pieces);
    },
    onOpen: () => void heard.setUps++,
    onLost: () => void heard.lostCount++,
  };
  try {
    await followStream(name, { ...options, socket }, followed);
  } finally {
    socket?.close();
  }
  return heard;
}

/**
 * Follows a stream over a connection that carries others.
 * @param {string} name @param {StreamSocket} socket @param {FollowOptions} options @param {Partial<FollowOptions> & { tag: string }} own
 * @param {() => void} [onPiece]
 */
async function followOver(name, socket, options, own, onPiece) {
  /** @type {Piece[]} */
  const pieces = [];
  const followed = {
    onPieces(/** @type {Piece[]} */ some) {
      pieces.push(...some);
      onPiece?.();
    },
    onOpen() {},
    onLost() {},
  };
  /** @type {ExchangeError | undefined} */
  let error;
  await followStream(name, { ...options, socket, ...own }, followed).catch((reason) => (error = reason));
  return { pieces, error };
}

/** @param {readonly Piece[]} heard @param {StreamOptions} stream all of it, each piece once */
function assertWhole(heard, { pieces, bytes }) {
  assert.deepEqual(
    heard.map(({ n, text }) => [n, text]),
    Array.from({ length: pieces }, (_, n) => [n, textOf(n, bytes)]),
  );
}

/** Waits until the server has no stream and no session of one. @param {TestServer} server */
async function untilNothingIsOpen({ origin }) {
  for (;;) {
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    const open = [...metrics.matchAll(/^sockshootout_sessions_open\{.*\} (\d+)$/gm)].filter(
      ([, count]) => count !== '0',
    );
    if (open.length === 0) return;
  }
}

/** @param {RequestListener} listener @param {(origin: string) => Promise<unknown>} use */
async function withListener(listener, use) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** @param {string} name @param {object} piece @returns {string} as the server sends it for the method */
const formatFor = (name, piece) =>
  ({ fetch: `${JSON.stringify(piece)}\n`, 'fetch-resume': `${JSON.stringify(piece)}\n` })[name] ??
  `id: x.0\ndata: ${JSON.stringify(piece)}\n\n`;

/** @param {string} name */
const typeFor = (name) => ({ 'Content-Type': name.includes('event') ? 'text/event-stream' : 'application/x-ndjson' });

describe('a stream that is followed', { concurrency: true, timeout: 60_000 }, () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer()));
  after(async () => {
    await untilNothingIsOpen(server);
    await server.close();
  });

  for (const name of NAMES) {
    const { isKept, client, tellsReads } = streamMethods[name];

    it(`has each piece once, with its text, by ${name}`, async () => {
      const { pieces, reads, lostCount, setUps } = await follow(name, server.origin);
      assertWhole(pieces, STREAM);
      const dueMs = dueTimesOf(STREAM);
      for (const { n, ms } of pieces) assert.ok(ms >= dueMs[n] - 1.05, `piece ${n}: ${ms}`);
      assert.equal(lostCount, 0);
      assert.equal(setUps, client === 'socket' && !isKept ? 1 : 0);
      if (!tellsReads) assert.deepEqual([...new Set(reads)], [1]);
    });

    it(`is refused as the server says by ${name}`, () =>
      assert.rejects(follow(name, server.origin, { stream: { ...STREAM, pieces: 1 } }), (error) => {
        assert.ok(error instanceof ExchangeError);
        assert.equal(error.outcome, 'rejected');
        return true;
      }));

    it(`ends with the reason for which it is stopped by ${name}, and leaves nothing open`, () =>
      withServer({}, async (own) => {
        const stop = new AbortController();
        const reason = new ExchangeError('aborted', 'Stopped.');
        const onPieces = () => stop.abort(reason);
        const followed = follow(name, own.origin, { stream: LONG, signal: stop.signal, onPieces });
        await assert.rejects(followed, (error) => error === reason);
        await untilNothingIsOpen(own);
      }));

    it(`ends with what its listener throws by ${name}, and leaves nothing open`, () =>
      withServer({}, async (own) => {
        const fault = new ExchangeError('mismatch', 'Not the next one.');
        const onPieces = () => {
          throw fault;
        };
        await assert.rejects(follow(name, own.origin, { stream: LONG, onPieces }), (error) => error === fault);
        await untilNothingIsOpen(own);
      }));

    it(`is not asked for where it is stopped before by ${name}`, async () => {
      const options = optionsFor(server.origin, {
        signal: AbortSignal.abort(new ExchangeError('aborted', 'Stopped.')),
      });
      const unused = () => assert.fail('nothing can come');
      await assert.rejects(followStream(name, options, { onPieces: unused, onOpen: unused, onLost: unused }), {
        outcome: 'aborted',
      });
    });
  }

  for (const name of BROKEN) {
    it(`is lost with its connection by ${name}`, async () => {
      // Slow enough that a busy machine, too, has read some of it by then.
      const cut = { ...STREAM, rate: 5, spread: 0, cut: 4 };
      /** @type {Piece[]} */
      const before = [];
      const followed = follow(name, server.origin, { stream: cut, onPieces: (pieces) => before.push(...pieces) });
      await assert.rejects(followed, { outcome: 'closed' });
      // A client that is slow loses what it has not read when it is reset.
      assert.ok(before.length > 0 && before.length <= cut.cut, String(before.length));
      assertWhole(before, { ...cut, pieces: before.length });
    });
  }

  for (const name of RESUMING) {
    it(`loses nothing and doubles nothing where its connection breaks by ${name}`, async () => {
      const cut = { ...STREAM, rate: 20, spread: 0, cut: 4 };
      const { pieces, lostCount } = await follow(name, server.origin, { stream: cut });
      assertWhole(pieces, cut);
      assert.equal(lostCount, 1);
    });
  }

  it('has none of a cut by polls', async () => {
    const { pieces, lostCount } = await follow('poll', server.origin, { stream: { ...STREAM, cut: 4 } });
    assertWhole(pieces, STREAM);
    assert.equal(lostCount, 0);
  });

  it('comes beside others over one connection', async () => {
    const options = optionsFor(server.origin);
    const socket = await openStreamSocket('ws-open', options);
    const all = await Promise.all(
      ['a', 'b', 'c'].map((tag, seed) => followOver('ws-open', socket, options, { tag, stream: { ...STREAM, seed } })),
    );
    for (const { pieces } of all) assertWhole(pieces, STREAM);
    assert.equal(socket.listeners.size, 0);
    assert.equal(socket.isOpen, true);
    socket.close();
  });

  for (const name of NAMES.filter((one) => streamMethods[one].isKept)) {
    it(`does not end with one that is refused over the same connection by ${name}`, async () => {
      const options = optionsFor(server.origin);
      const socket = await openStreamSocket(name, options);
      const [whole, refused] = await Promise.all([
        followOver(name, socket, options, { tag: 'a' }),
        followOver(name, socket, options, { tag: 'b', stream: { ...STREAM, pieces: 1 } }),
      ]);
      assertWhole(whole.pieces, STREAM);
      assert.deepEqual([refused.pieces, refused.error?.outcome], [[], 'rejected']);
      assert.equal(socket.isOpen, true);
      socket.close();
    });

    it(`is stopped where its reader gives up, and leaves its connection to others by ${name}`, () =>
      withServer({ limits: { streamPiecesPerSecond: LONG.rate } }, async ({ origin }) => {
        const options = optionsFor(origin);
        const socket = await openStreamSocket(name, options);
        const short = { ...LONG, pieces: 2 };
        const fault = new ExchangeError('mismatch', 'Not the next one.');
        const stop = new AbortController();
        for (const [tag, giveUp] of /** @type {const} */ ([
          ['a', () => stop.abort(fault)],
          [
            'b',
            () => {
              throw fault;
            },
          ],
        ])) {
          const given = { tag, stream: LONG, ...(tag === 'a' && { signal: stop.signal }) };
          const { error } = await followOver(name, socket, options, given, giveUp);
          assert.equal(error, fault);
          // The server has no room for a second one.
          assertWhole((await followOver(name, socket, options, { tag: `${tag}-2`, stream: short })).pieces, short);
        }
        socket.close();
      }));
  }
});

describe('a server of streams', { concurrency: true, timeout: 60_000 }, () => {
  const PIECE = { n: 0, ms: 0, id: 'x', text: textOf(0, STREAM.bytes) };

  for (const name of ['fetch', 'fetch-events', 'poll', 'ws']) {
    it(`that is not there is told from one that refuses by ${name}`, async () => {
      const gone = createServer().listen(0, '127.0.0.1');
      await once(gone, 'listening');
      const { port } = /** @type {AddressInfo} */ (gone.address());
      gone.close();
      await assert.rejects(follow(name, `http://127.0.0.1:${port}`), { outcome: 'closed' });
    });
  }

  for (const name of ['fetch', 'fetch-events']) {
    it(`that ends early has not given all by ${name}`, () =>
      withListener(
        (_, res) => void res.writeHead(200, typeFor(name)).end(formatFor(name, PIECE)),
        (origin) =>
          assert.rejects(follow(name, origin), {
            outcome: 'closed',
            message: 'The stream ended before its last piece.',
          }),
      ));
  }

  for (const name of ['fetch', 'fetch-resume', 'fetch-events', 'events']) {
    for (const [what, text] of [
      ['no JSON', formatFor(name, {}).replace('{}', '{')],
      ['null', formatFor(name, {}).replace('{}', 'null')],
      ['no piece', formatFor(name, { n: 'x' })],
    ]) {
      it(`that sends ${what} is found out by ${name}, and its answer is not read any further`, async () => {
        let closed = Promise.resolve();
        await withListener(
          (_, res) => {
            closed = once(res, 'close').then(() => {});
            res.writeHead(200, typeFor(name)).write(text);
          },
          async (origin) => {
            await assert.rejects(follow(name, origin), { outcome: 'mismatch' });
            await closed;
          },
        );
      });
    }
  }

  for (const [what, said] of [
    ['null', 'null'],
    ['no JSON', '{'],
  ]) {
    it(`that says ${what} over a socket is found out, or not heard, and the rest counts`, async () => {
      const sockets = new WebSocketServer({ port: 0 });
      sockets.on('connection', (socket) => {
        socket.on('message', (message) => {
          const { tag } = JSON.parse(String(message));
          socket.send(said);
          socket.send(JSON.stringify({ tag, n: 'x' }));
        });
      });
      const { port } = /** @type {AddressInfo} */ (sockets.address());
      await assert.rejects(follow('ws', `http://127.0.0.1:${port}`), { outcome: 'mismatch' });
      sockets.close();
    });
  }

  it('that says nothing in time over an open socket is left, so that what comes next opens another', async () => {
    const sockets = new WebSocketServer({ port: 0 });
    const { port } = /** @type {AddressInfo} */ (sockets.address());
    const options = optionsFor(`http://127.0.0.1:${port}`);
    const socket = await openStreamSocket('ws-open', options);
    const late = new ExchangeError('timeout', 'Not all pieces in time.');
    const stop = new AbortController();
    setTimeout(() => stop.abort(late), 20);
    assert.equal((await followOver('ws-open', socket, options, { tag: 'a', signal: stop.signal })).error, late);
    assert.equal(socket.isOpen, false);
    sockets.close();
  });

  it('that refuses without a tag, as one of before, has refused all that its socket carries', async () => {
    const sockets = new WebSocketServer({ port: 0 });
    sockets.on('connection', (one) => one.on('message', () => one.send('{"error":{"code":"busy","message":"Busy."}}')));
    const { port } = /** @type {AddressInfo} */ (sockets.address());
    const options = optionsFor(`http://127.0.0.1:${port}`);
    const socket = await openStreamSocket('ws-open', options);
    const both = await Promise.all(['a', 'b'].map((tag) => followOver('ws-open', socket, options, { tag })));
    assert.deepEqual(
      both.map(({ error }) => error?.outcome),
      ['rejected', 'rejected'],
    );
    assert.equal(socket.isOpen, false);
    sockets.close();
  });

  it('that restarts is asked again for the rest, one that does not know the stream any more is not', async () => {
    for (const [status, outcome] of /** @type {const} */ ([
      [502, undefined],
      [404, 'rejected'],
    ])) {
      let count = 0;
      await withListener(
        (req, res) => {
          count++;
          if (count === 2) return void res.writeHead(status).end();
          res.writeHead(200, typeFor('fetch'));
          if (count === 1) return void res.end(formatFor('fetch', PIECE));
          assert.match(String(req.url), /\?id=x&since=1&/);
          return void res.end(formatFor('fetch', { n: 1, ms: 9, text: 'x', last: true }));
        },
        async (origin) => {
          const followed = follow('fetch-resume', origin);
          if (outcome) await assert.rejects(followed, { outcome });
          else
            assert.deepEqual(
              (await followed).pieces.map(({ n }) => n),
              [0, 1],
            );
        },
      );
      assert.equal(count, outcome ? 2 : 3);
    }
  });

  it('that is restarted, or another one, brings the rest to whoever resumes', async () => {
    const env = { JOB_SECRET: 'a-secret-of-both-servers' };
    for (const name of ['fetch-resume', 'ws-resume']) {
      const first = await openServer({ env, limits: { drainMs: 10_000 } });
      await withServer({ env }, async (second) => {
        /** @type {Promise<void> | undefined} */
        let closed;
        /** @type {Piece[]} */
        const pieces = [];
        const options = optionsFor(first.origin, { stream: { ...STREAM, rate: 20 } });
        const followed = {
          onPieces(/** @type {Piece[]} */ some) {
            pieces.push(...some);
            closed ??= first.close();
          },
          onOpen() {},
          onLost: () => void Object.assign(options.client, createClient(second.origin)),
        };
        await followStream(name, options, followed);
        assertWhole(pieces, STREAM);
        await closed;
      });
    }
  });
});
