/** Streams over connections that last: several at once, and what becomes of them where the connection ends. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createId } from '../../../core/base/random.js';
import { kinds } from '../../../core/net/channel/index.js';
import { MAX_STREAMS_AT_ONCE, textOf } from '../../../core/net/stream/stream.js';
import { meterOf } from '../../../server/sockets/socket-meter.js';
import { createInbox } from '../../support/inbox.js';
import { readMetric } from '../../support/metrics.js';
import { openServer } from '../../support/server.js';
import { openSocketioSession } from '../../support/socketio-session.js';
import { openSession } from '../../support/sockjs-session.js';
import { withServer, withTwoWorkers } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Piece } from '../../../core/net/stream/stream.js'
 * @import { TestServer } from '../../support/server.js'
 * @typedef {{ say: (message: any) => void, next: () => Promise<any>, closed: Promise<{ code?: number }>, close: () => void }} Talk
 */

const STREAM = { pieces: 8, bytes: 12, rate: 100, spread: 100, seed: 3 };
/** It lasts for longer than any test. */
const LONG = { pieces: 250, bytes: 5, rate: 5, spread: 0, seed: 1 };
const BOTH = { JOB_SECRET: 'a-secret-of-both-workers' };

/** @param {string} origin @param {string} kind */
const urlOf = (origin, kind) => origin + kinds[kind].paths.stream;

/** @type {Record<string, (origin: string) => Promise<Talk>>} */
const OPEN = {
  async WebSocket(origin) {
    const { socket, next, ...others } = await openWebSocket(urlOf(origin, 'websocket').replace('http', 'ws'));
    return { ...others, next: async () => JSON.parse(await next()), say: (message) => socket.send(message) };
  },
  SockJS: (origin) => openSockjs(origin, 'websocket'),
  'SockJS by requests': (origin) => openSockjs(origin, 'xhr-streaming'),
  'Socket.IO': (origin) => openSocketio(origin, 'websocket'),
  'Socket.IO by requests': (origin) => openSocketio(origin, 'polling'),
};

/** @param {string} origin @param {string} transport @returns {Promise<Talk>} */
async function openSockjs(origin, transport) {
  const { send, next, ...others } = await openSession(urlOf(origin, 'sockjs'), transport);
  return { ...others, say: send, next: async () => JSON.parse(await next()) };
}

/** @param {string} origin @param {'websocket' | 'polling'} transport @returns {Promise<Talk>} */
async function openSocketio(origin, transport) {
  const { socket, next, closed } = await openSocketioSession(urlOf(origin, 'socketio'), { transports: [transport] });
  return {
    ...{ next, closed },
    say: (message) => socket.emit('message', message),
    close: () => socket.disconnect(),
  };
}

/** @param {string} origin @param {string} name @param {(talk: Talk) => Promise<unknown>} use */
async function converse(origin, name, use) {
  const talk = await OPEN[name](origin);
  try {
    await use(talk);
  } finally {
    talk.close();
  }
}

/** @param {Talk} talk @param {number} count @returns {Promise<any[]>} */
async function hear({ next }, count) {
  const heard = [];
  while (heard.length < count) heard.push(await next());
  return heard;
}

/** @param {Talk} talk @returns {Promise<any[]>} */
async function hearUntilClosed({ next, closed }) {
  const heard = [];
  const end = closed.then(() => undefined);
  for (;;) {
    const piece = await Promise.race([next().catch(() => undefined), end]);
    if (!piece) return heard;
    heard.push(piece);
  }
}

/** @param {readonly Piece[]} heard @param {{ from?: number, end?: number, of: { pieces: number, bytes: number } }} expected */
function assertPieces(heard, { from = 0, of: { pieces, bytes }, end = pieces }) {
  assert.deepEqual(
    heard.map(({ n, text, last = false }) => ({ n, text, last })),
    Array.from({ length: end - from }, (_, i) => {
      const n = from + i;
      return { n, text: textOf(n, bytes), last: n === pieces - 1 };
    }),
  );
}

/** @param {Talk} talk @returns {Promise<any>} past pieces of streams */
async function nextRefusal({ next }) {
  for (;;) {
    const answer = await next();
    if (answer.error) return answer;
  }
}

/** Asks for all the streams that a connection may carry. @param {Talk} talk */
function fill({ say }) {
  for (let i = 0; i < MAX_STREAMS_AT_ONCE; i++) say(JSON.stringify({ ...LONG, tag: String(i) }));
}

describe('a stream over a connection that lasts', { concurrency: true, timeout: 60_000 }, () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer()));
  after(() => server.close());

  for (const name of Object.keys(OPEN)) {
    describe(`by ${name}`, { concurrency: true }, () => {
      it('comes beside others, each with its tag, and each to its end', () =>
        converse(server.origin, name, async (talk) => {
          const streams = ['a', 'b', 'c'].map((tag, i) => ({ ...STREAM, bytes: 5 + i, seed: i, tag }));
          for (const stream of streams) talk.say(JSON.stringify(stream));
          const heard = await hear(talk, streams.length * STREAM.pieces);
          for (const of of streams) {
            const pieces = heard.filter(({ tag }) => tag === of.tag);
            assertPieces(pieces, { of });
            assert.match(pieces[0].id, /^[\w-]{48}$/);
          }
          assert.equal(new Set(heard.flatMap(({ id = [] }) => id)).size, streams.length);
        }));

      it('is refused beyond as many as a connection may carry, which goes on', () =>
        converse(server.origin, name, async (talk) => {
          fill(talk);
          // One that cannot be made is not even looked at.
          for (const one of [STREAM, { ...STREAM, pieces: 1 }]) {
            talk.say(JSON.stringify({ ...one, tag: 'more' }));
            assert.deepEqual(await nextRefusal(talk), {
              tag: 'more',
              error: {
                code: 'busy',
                message: `streams: expected at most ${MAX_STREAMS_AT_ONCE} at once. Try again later`,
              },
            });
          }
          for (let n = 0; n < 2;) ({ n } = await talk.next());
        }));

      it('is refused by its tag, so that the others of its connection go on', () =>
        converse(server.origin, name, async (talk) => {
          talk.say(JSON.stringify({ ...STREAM, tag: 'good' }));
          for (const [wrong, code] of /** @type {const} */ ([
            [{ ...STREAM, pieces: 1 }, 'bad-option'],
            [{ ...STREAM, speed: 1 }, 'bad-option'],
            [{ id: 'none' }, 'not-found'],
          ])) {
            talk.say(JSON.stringify({ ...wrong, tag: 'wrong' }));
            talk.say(JSON.stringify({ ...wrong, tag: 'no tag' }));
            const [{ tag, error }, untagged] = [await nextRefusal(talk), await nextRefusal(talk)];
            assert.deepEqual([tag, error.code, untagged.tag], ['wrong', code, undefined]);
          }
          talk.say(JSON.stringify({ ...STREAM, tag: 'next' }));
          for (let last; last !== 'next';) {
            const piece = await talk.next();
            if (piece.last) last = piece.tag;
          }
        }));

      it('costs nothing any more once its client has stopped it, while the others of its connection go on', () =>
        withServer({ limits: { streamPiecesPerSecond: 2 * LONG.rate } }, ({ origin }) =>
          converse(origin, name, async (talk) => {
            for (const tag of ['a', 'b']) talk.say(JSON.stringify({ ...LONG, tag }));
            await hear(talk, 2);
            talk.say(JSON.stringify({ stop: 'a' }));
            for (let answer; !answer?.stopped;) answer = await talk.next();
            const rest = await hear(talk, 3);
            assert.deepEqual([...new Set(rest.map(({ tag }) => tag))], ['b']);
            // There is room for another, as the place is free.
            talk.say(JSON.stringify({ ...LONG, tag: 'c' }));
            for (let tag; tag !== 'c';) {
              const answer = await talk.next();
              assert.equal(answer.error, undefined);
              ({ tag } = answer);
            }
          }),
        ));

      it('says whether there was one to stop', () =>
        converse(server.origin, name, async (talk) => {
          talk.say(JSON.stringify({ stop: 'none' }));
          assert.deepEqual(await talk.next(), { tag: 'none', stopped: false });
          for (const wrong of [{ stop: 5 }, { stop: 'no tag' }, { stop: 'a', pieces: 5 }]) {
            talk.say(JSON.stringify(wrong));
            assert.equal((await talk.next()).error.code, 'bad-option');
          }
        }));

      it('says what is wrong with a message, and takes the next', () =>
        converse(server.origin, name, async (talk) => {
          for (const [message, code] of [
            ['nothing', 'bad-json'],
            ['{}', 'bad-option'],
            [JSON.stringify({ id: 'none' }), 'not-found'],
          ]) {
            talk.say(message);
            assert.equal((await talk.next()).error.code, code);
          }
          talk.say(JSON.stringify(STREAM));
          assertPieces(await hear(talk, STREAM.pieces), { of: STREAM });
        }));

      it('loses its connection at its cut once, and goes on over another worker', () =>
        withTwoWorkers(async ([first, second]) => {
          const cut = { ...STREAM, rate: 5, spread: 0, cut: 3 };
          /** @type {any[]} */
          let heard = [];
          await converse(first.origin, name, async (talk) => {
            talk.say(JSON.stringify(cut));
            heard = await hearUntilClosed(talk);
          });
          const next = heard.length;
          // What a fallback has not fetched is lost with its session.
          assert.ok(next > 0 && next <= cut.cut, String(next));
          assertPieces(heard, { end: next, of: cut });
          await converse(second.origin, name, async (talk) => {
            talk.say(JSON.stringify({ id: heard[0].id, since: next, tag: 'rest' }));
            assertPieces(await hear(talk, cut.pieces - next), { from: next, of: cut });
          });
        }, BOTH));

      it('leaves its place when its client has gone', () =>
        withServer({ limits: { streamPiecesPerSecond: STREAM.rate } }, async ({ origin }) => {
          await converse(origin, name, async (talk) => {
            talk.say(JSON.stringify(LONG));
            assert.equal((await talk.next()).n, 0);
            await converse(origin, name, async (other) => {
              other.say(JSON.stringify(STREAM));
              assert.equal((await other.next()).error.code, 'busy');
            });
          });
          /** @type {any} */
          let answer;
          while (!answer || answer.error) {
            await converse(origin, name, async (other) => {
              other.say(JSON.stringify(STREAM));
              answer = await other.next();
            });
          }
          assert.equal(answer.n, 0);
        }));

      it('ends with its connection in a drain, so that its client asks another worker for the rest', async () => {
        const draining = await openServer({ env: BOTH, limits: { drainMs: 10_000 } });
        const talk = await OPEN[name](draining.origin);
        talk.say(JSON.stringify(LONG));
        const { id } = await talk.next();
        await Promise.all([draining.close(), talk.closed]);
        await withServer({ env: BOTH }, ({ origin }) =>
          converse(origin, name, async (other) => {
            other.say(JSON.stringify({ id, since: 1 }));
            assert.deepEqual([(await other.next()).n], [1]);
          }),
        );
      });
    });
  }

  it('is refused for bytes over a WebSocket', () =>
    converse(server.origin, 'WebSocket', async ({ say, next }) => {
      say(Buffer.from(JSON.stringify(STREAM)));
      assert.equal((await next()).error.code, 'bad-message');
    }));

  it('is refused for a value over Socket.IO', () =>
    converse(server.origin, 'Socket.IO', async ({ say, next }) => {
      say(STREAM);
      const { error } = await next();
      assert.equal(error?.code, 'bad-message');
    }));

  it('is counted by its transport', async () => {
    for (const [name, transport] of [
      ['WebSocket', 'stream websocket'],
      ['SockJS', 'stream sockjs websocket'],
      ['Socket.IO', 'stream socketio'],
    ]) {
      await withServer({}, async (own) => {
        await converse(own.origin, name, async (talk) => {
          talk.say(JSON.stringify(STREAM));
          await talk.next();
        });
        assert.equal(await readMetric(own, `streams_total\\{transport="${transport}",`), 1, transport);
      });
    }
  });

  it('is recorded with each byte that went over its connection, from the request on', async () => {
    const trialId = createId(12);
    const { socket, next, close } = await openWebSocket(urlOf(server.origin, 'websocket').replace('http', 'ws'));
    const wire = /** @type {any} */ (socket)._socket;
    const before = { sent: wire.bytesWritten, received: wire.bytesRead };
    // Two at once, whose connection is measured once.
    for (const tag of ['a', 'b']) socket.send(JSON.stringify({ ...STREAM, trial: trialId, tag }));
    for (let n = 0; n < 2 * STREAM.pieces; n++) await next();
    const { workers } = await (await fetch(`${server.origin}/traffic/${trialId}`)).json();
    const { requestCount, receivedBytes, sentBytes, openCount } = workers[0];
    assert.deepEqual(
      { requestCount, receivedBytes, sentBytes, openCount },
      {
        requestCount: 1,
        receivedBytes: wire.bytesWritten - before.sent,
        sentBytes: wire.bytesRead - before.received,
        openCount: 0,
      },
    );
    close();
  });

  it('is made no faster than its client reads', async () => {
    const unsentBytes = 100_000;
    await withServer({ limits: { unsentBytes } }, async (own) => {
      /** @type {Socket[]} */
      const sockets = [];
      own.server.on('upgrade', (_req, socket) => sockets.push(/** @type {any} */ (socket)));
      const { socket, close } = await openWebSocket(urlOf(own.origin, 'websocket').replace('http', 'ws'));
      const whole = { pieces: 1000, bytes: 500, rate: 0, spread: 0, seed: 1 };
      const inbox = createInbox();
      socket.on('message', inbox.put);
      socket.pause();
      for (let i = 0; i < MAX_STREAMS_AT_ONCE; i++) socket.send(JSON.stringify({ ...whole, tag: String(i) }));
      while (!(sockets[0].writableLength > unsentBytes)) await sleep(10);
      await sleep(300);
      // A turn of each stream may have been under way.
      const most = unsentBytes + MAX_STREAMS_AT_ONCE * 16 * (whole.bytes + 200);
      assert.ok(sockets[0].writableLength < most, String(sockets[0].writableLength));
      socket.resume();
      let lastCount = 0;
      while (lastCount < MAX_STREAMS_AT_ONCE) if (JSON.parse(String(await inbox.next())).last) lastCount++;
      close();
    });
  });

  it('is made no faster over Socket.IO, whose library keeps what its socket has not taken', async () => {
    const unsentBytes = 100_000;
    await withServer({ limits: { unsentBytes } }, async (own) => {
      /** @type {Socket[]} */
      const sockets = [];
      own.server.on('upgrade', (_req, socket) => sockets.push(/** @type {any} */ (socket)));
      const path = `${urlOf(own.origin, 'socketio').replace('http', 'ws')}/?EIO=4&transport=websocket`;
      const { socket, next, close } = await openWebSocket(path);
      await next();
      socket.send('40');
      await next();
      const whole = { pieces: 1000, bytes: 500, rate: 0, spread: 0, seed: 1 };
      const keptBytes = () => sockets[0].writableLength + (meterOf(sockets[0])?.keptBackBytes ?? 0);
      socket.pause();
      for (let i = 0; i < MAX_STREAMS_AT_ONCE; i++)
        socket.send(`42${JSON.stringify(['message', JSON.stringify({ ...whole, tag: String(i) })])}`);
      while (!(keptBytes() > unsentBytes)) await sleep(10);
      await sleep(300);
      const most = unsentBytes + MAX_STREAMS_AT_ONCE * 16 * (whole.bytes + 200);
      assert.ok(keptBytes() < most, String(keptBytes()));
      close();
    });
  });
});
