/** What a protocol says, over every kind of connection that has a path for it: the same, whichever it is. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { io } from 'socket.io-client';
import SockJS from 'sockjs-client';
import { WebSocket } from 'ws';
import { createId } from '../../core/base/random.js';
import { parseJson } from '../../core/base/foreign-text.js';
import { kinds, openChannel } from '../../core/net/channel/index.js';
import { textOf } from '../../core/net/stream/stream.js';
import { createMessages } from '../../core/net/transfer/content.js';
import { openServer } from '../support/server.js';

/**
 * @import { Protocol } from '../../core/net/channel/index.js'
 * @import { TestServer } from '../support/server.js'
 */

/** Of the messages of a feed, for two seconds. */
const COUNT = 40;
const LIBRARIES = { websocket: WebSocket, sockjs: SockJS, socketio: io };

/** @param {string} kind @param {Protocol} protocol */
const pathOf = (kind, protocol) => String(kinds[kind].paths[protocol]);

/** @param {string} kind @param {string} direction */
const payloadPathOf = (kind, direction) =>
  pathOf(kind, 'payload') + (kind === 'websocket' ? `/${direction}` : `?direction=${direction}`);

describe('a protocol', { timeout: 60_000 }, () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  /**
   * @param {keyof typeof LIBRARIES} kind @param {string} path
   * @param {(talk: { say: (message: any) => void, next: () => Promise<any> }) => Promise<unknown>} use
   */
  const converse = async (kind, path, use) => {
    /** @type {any[]} */
    const heard = [];
    /** @type {unknown} */
    let ended;
    let onChange = () => {};
    const channel = openChannel(kind, server.origin + path, { library: LIBRARIES[kind] });
    // A message may come as soon as it is open.
    await new Promise((open, fail) => {
      channel.on({
        open: () => open(undefined),
        message(data) {
          heard.push(parsed(data));
          onChange();
        },
        end(error) {
          ended = error;
          onChange();
          fail(error);
        },
      });
    });
    const next = async () => {
      while (heard.length === 0) {
        if (ended) throw ended;
        await new Promise((resolve) => (onChange = () => resolve(undefined)));
      }
      return heard.shift();
    };
    try {
      await use({ say: channel.send, next });
    } finally {
      channel.end();
    }
  };

  for (const kind of /** @type {(keyof typeof LIBRARIES)[]} */ (Object.keys(LIBRARIES))) {
    const takesValues = kinds[kind].carries.includes('value');
    const format = (/** @type {object} */ value) => (takesValues ? value : JSON.stringify(value));

    it(`echoes over ${kind}, and says what was wrong`, () =>
      converse(kind, pathOf(kind, 'echo'), async ({ say, next }) => {
        say(format({ count: 41, more: ['x'] }));
        assert.deepEqual(await next(), { count: 42, more: ['x'] });
        say(format({ count: -1 }));
        assert.equal((await next()).error.code, 'bad-count');
        say(format([]));
        assert.equal((await next()).error.code, 'bad-json');
        say(format({ whoami: true }));
        assert.equal((await next()).server, 'test');
      }));

    it(`makes jobs over ${kind}, notifies of each, and says what was wrong`, () =>
      converse(kind, `${pathOf(kind, 'jobs')}?trial=${createId(12)}`, async ({ say, next }) => {
        say(JSON.stringify({ seed: 1, min: 20, max: 20 }));
        const { id, complete } = await next();
        assert.deepEqual([typeof id, complete], ['string', false]);
        assert.deepEqual(await next().then((done) => [done.id, done.complete, done.durationMs]), [id, true, 20]);
        say(JSON.stringify({ min: 2, max: 1 }));
        assert.equal((await next()).error.code, 'bad-option');
        say('nothing');
        assert.equal((await next()).error.code, 'bad-json');
      }));

    it(`brings a feed over ${kind} until its end, answers a ping, and says what was wrong`, async () => {
      const made = await fetch(`${server.origin}/feed?rate=20&count=${COUNT}`, { method: 'POST' });
      const { id } = await made.json();
      await converse(kind, `${pathOf(kind, 'feed')}?feed=${id}&since=0`, async ({ say, next }) => {
        say('ping');
        say('pong');
        const heard = [];
        while (heard.at(-1)?.n !== COUNT - 1) heard.push(await next());
        const numbers = heard.flatMap(({ n }) => (n === undefined ? [] : [n]));
        assert.deepEqual(
          numbers,
          Array.from({ length: COUNT }, (_, i) => i),
        );
        const others = heard.filter(({ n }) => n === undefined);
        assert.deepEqual(
          others.map(({ text, error }) => text ?? error.code),
          ['pong', 'bad-message'],
        );
        await assert.rejects(next(), { outcome: 'closed' });
      });
      await converse(kind, `${pathOf(kind, 'feed')}?feed=none`, async ({ next }) => {
        assert.equal((await next()).error.code, 'not-found');
      });
    });

    it(`brings streams over ${kind}, each to its end, and says what was wrong`, () =>
      converse(kind, pathOf(kind, 'stream'), async ({ say, next }) => {
        const stream = { pieces: 3, bytes: 12, rate: 100, spread: 50 };
        const tags = ['a', 'b'];
        for (const [seed, tag] of tags.entries()) say(JSON.stringify({ ...stream, seed, tag }));
        /** @type {any[]} */
        const heard = [];
        while (heard.length < 2 * stream.pieces) heard.push(await next());
        for (const of of tags) {
          const pieces = heard.filter(({ tag }) => tag === of);
          assert.deepEqual(
            pieces.map(({ n, text, last = false }) => [n, text, last]),
            [0, 1, 2].map((n) => [n, textOf(n, stream.bytes), n === 2]),
          );
        }
        say(JSON.stringify({ ...stream, pieces: 1 }));
        assert.equal((await next()).error.code, 'bad-option');
        say('nothing');
        assert.equal((await next()).error.code, 'bad-json');
      }));

    it(`carries payload over ${kind}, each way, and says what was wrong`, async () => {
      const make = createMessages(1000);
      const { text } = make({ direction: 'echo', bytes: 1000, offset: 7, form: 'text' });
      await converse(kind, payloadPathOf(kind, 'echo'), async ({ say, next }) => {
        say(text);
        assert.deepEqual(await next(), { text });
      });
      await converse(kind, payloadPathOf(kind, 'up'), async ({ say, next }) => {
        say(text);
        const { bytes, crc32 } = await next();
        assert.deepEqual([bytes, typeof crc32], [1000, 'string']);
      });
      await converse(kind, payloadPathOf(kind, 'down'), async ({ say, next }) => {
        say(JSON.stringify({ bytes: 1000, offset: 7 }));
        assert.deepEqual(await next(), { text });
        say(JSON.stringify({ bytes: -1, offset: 7 }));
        assert.equal((await next()).error.code, 'bad-field');
      });
    });
  }
});

/** @param {any} data @returns {any} what it says, or its text */
const parsed = (data) => (typeof data === 'string' ? (parseJson(data) ?? { text: data }) : data);
