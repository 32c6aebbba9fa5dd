/** How many pieces of streams an address gets in each second, whatever it asks for and by whichever method. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatStreamQuery } from '../../../core/net/stream/stream.js';
import { PieceBudget } from '../../../server/endpoints/piece-budget.js';
import { withServer } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

/** @import { TestServer } from '../../support/server.js' */

const AT_ONCE = { pieces: 1000, bytes: 1, rate: 0, spread: 0, seed: 1 };
const QUERY = formatStreamQuery(AT_ONCE);

/** @param {string} from */
const headersOf = (from) => ({ 'X-Forwarded-For': from });

/** @type {(path: string) => (server: TestServer, from: string) => Promise<number>} */
const byRequest =
  (path) =>
  async ({ origin }, from) => {
    const response = await fetch(`${origin}${path}?${QUERY}`, { headers: headersOf(from) });
    return [...(await response.text()).matchAll(/"n":/g)].length;
  };

/** Each gets a stream as fast as it can, and returns how many pieces came. @type {Record<string, (server: TestServer, from: string) => Promise<number>>} */
const METHODS = {
  fetch: byRequest('/pieces'),
  events: byRequest('/pieces/events'),
  async polls({ origin }, from) {
    let query = QUERY;
    for (let count = 0; ;) {
      const { id, pieces } = await (await fetch(`${origin}/pieces/poll?${query}`, { headers: headersOf(from) })).json();
      count += pieces.length;
      if (count === AT_ONCE.pieces) return count;
      query = `id=${id}&since=${count}`;
    }
  },
  async WebSocket({ port }, from) {
    const { socket, next, close } = await openWebSocket(`ws://127.0.0.1:${port}/ws/pieces`, {
      headers: headersOf(from),
    });
    socket.send(JSON.stringify(AT_ONCE));
    let count = 1;
    while (!JSON.parse(await next()).last) count++;
    close();
    return count;
  },
};

/** @param {Partial<Record<'addressPiecesPerSecond', number>>} limits @param {(server: TestServer) => Promise<void>} use */
const withLimits = (limits, use) => withServer({ env: { TRUST_PROXY: '1' }, limits }, use);

describe('the budget of an address', () => {
  it('is what it has left in this second, and whole again in the next', () => {
    let nowMs = 5000;
    const budget = new PieceBudget(100, () => nowMs);
    const [one, again, other] = ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'].map((from) => budget.open(from));
    one.spend(70);
    again.spend(20);
    assert.deepEqual([one.left, again.left, other.left], [10, 10, 100]);
    one.spend(16);
    assert.equal(one.left, -6);
    nowMs += 999;
    assert.equal(one.left, -6);
    nowMs += 1;
    assert.deepEqual([one.left, again.left], [100, 100]);
  });

  it('holds back streams as fast as possible, of which nothing is lost, and of no other address', () =>
    withLimits({ addressPiecesPerSecond: AT_ONCE.pieces }, async (server) => {
      const read = METHODS.fetch;
      const startedAtMs = performance.now();
      let isOver = false;
      const counts = Promise.all([1, 2, 3].map(() => read(server, '192.0.2.1'))).finally(() => (isOver = true));
      assert.equal(await read(server, '192.0.2.2'), AT_ONCE.pieces);
      assert.equal(isOver, false);
      assert.deepEqual(await counts, [1000, 1000, 1000]);
      // The first thousand may come at the end of a second.
      assert.ok(performance.now() - startedAtMs > 950, String(performance.now() - startedAtMs));
    }));

  it('is the same for all methods', () =>
    withLimits({ addressPiecesPerSecond: AT_ONCE.pieces }, async (server) => {
      const startedAtMs = performance.now();
      const counts = await Promise.all(Object.values(METHODS).map((read) => read(server, '192.0.2.1')));
      assert.deepEqual(counts, [1000, 1000, 1000, 1000]);
      // Without one of them, it would take a second less.
      assert.ok(performance.now() - startedAtMs > 1950, String(performance.now() - startedAtMs));
    }));
});
