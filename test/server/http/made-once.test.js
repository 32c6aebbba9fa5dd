import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import express from 'express';
import { createMadeOnce, createPageSender } from '../../../server/http/made-once.js';

/**
 * @import { Server } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 */

const TEXT = 'The same for all. '.repeat(100);

describe('a page that is the same for all', () => {
  let madeCount = 0;
  const site = express();
  /** @type {string} */
  let url;
  /** @type {Server} */
  let server;
  before(async () => {
    const render = (/** @type {string} */ _view, /** @type {object} */ _data, /** @type {any} */ done) => {
      madeCount += 1;
      done(null, TEXT);
    };
    const sendPage = createPageSender({ render: /** @type {any} */ (render) });
    const page = { view: 'any', data: {} };
    site.get('/', (req, res) => sendPage(req, res, page));
    server = site.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}/`;
  });
  after(() => void server.close());

  it('is made again where that failed', async () => {
    const failing = express();
    let count = 0;
    const render = (/** @type {string} */ _view, /** @type {object} */ _data, /** @type {any} */ done) =>
      ++count === 1 ? done(new Error('no')) : done(null, TEXT);
    const page = { view: 'any', data: {} };
    const sendPage = createPageSender({ render: /** @type {any} */ (render) });
    failing.set('env', 'test');
    failing.get('/', (req, res) => sendPage(req, res, page));
    const opened = failing.listen(0, '127.0.0.1');
    await once(opened, 'listening');
    const own = `http://127.0.0.1:${/** @type {AddressInfo} */ (opened.address()).port}/`;
    assert.deepEqual([(await fetch(own)).status, (await fetch(own)).status], [500, 200]);
    opened.close();
  });

  it('is made once, also where several ask at the same moment, and says the same by each encoding', async () => {
    const answers = await Promise.all(
      ['br', 'gzip', 'identity'].map((encoding) => fetch(url, { headers: { 'Accept-Encoding': encoding } })),
    );
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('content-encoding')),
      ['br', 'gzip', null],
    );
    for (const answer of answers) {
      assert.equal(await answer.text(), TEXT);
      assert.match(String(answer.headers.get('content-type')), /^text\/html/);
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
    }
    assert.equal(madeCount, 1);
  });

  it('is not sent again to a client that has it', async () => {
    const { headers } = await fetch(url);
    const etag = String(headers.get('etag'));
    const again = await fetch(url, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } });
    assert.deepEqual([again.status, await again.text()], [304, '']);
  });
});

describe('what is made of the store', () => {
  /** @param {{ maxBytes?: number }} [options] */
  const create = (options) => {
    const given = { state: 'first', madeCount: 0 };
    const madeOnce = createMadeOnce({ readState: async () => given.state }, options);
    const make = async () => `${given.state} ${++given.madeCount}`;
    return { given, make, read: (/** @type {string} */ key) => madeOnce.read(key, make), madeOnce };
  };

  it('is made once for all who ask while nobody writes, and again for who asks afterwards', async () => {
    const { given, read } = create();
    const [first, ...others] = await Promise.all(Array.from({ length: 200 }, () => read('one')));
    assert.deepEqual(new Set(others), new Set([first]));
    assert.deepEqual([await read('one'), given.madeCount], ['first 1', 1]);
    assert.equal(await read('another'), 'first 2');
    given.state = 'second';
    assert.deepEqual([await read('one'), await read('one')], ['second 3', 'second 3']);
  });

  it('is not kept where somebody writes while it is made', async () => {
    const { given, madeOnce } = create();
    const late = madeOnce.read('one', async () => {
      given.state = 'second';
      return 'of neither';
    });
    assert.equal(await late, 'of neither');
    assert.equal(await madeOnce.read('one', async () => 'of the second'), 'of the second');
  });

  it('is made again where that failed', async () => {
    const { madeOnce, make } = create();
    await assert.rejects(
      madeOnce.read('one', () => Promise.reject(new Error('no store'))),
      /no store/,
    );
    assert.equal(await madeOnce.read('one', make), 'first 1');
  });

  it('has a limited size: what was used last stays', async () => {
    // Each takes 15.
    const { given, read } = create({ maxBytes: 50 });
    for (const key of ['a', 'b', 'a', 'c', 'd', 'a']) await read(key);
    assert.equal(given.madeCount, 4);
    await read('b');
    assert.equal(given.madeCount, 5);
  });
});
