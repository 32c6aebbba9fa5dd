/** Sessions that go over several requests, and whose clients do not fetch what their streams have: slow ones, and such that have gone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_STREAMS_AT_ONCE } from '../../../core/net/stream/stream.js';
import { messageOf, openPolling, valueOf } from '../../support/socketio-session.js';
import { withServer } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

/** @typedef {{ say: (messages: string[]) => Promise<void>, poll: () => Promise<{ pieces: any[], bytes: number }> }} Polling */

const AT_ONCE = { pieces: 1000, bytes: 500, rate: 0, spread: 0, seed: 1 };
const UNSENT_BYTES = 100_000;
/** One as fast as possible counts as a hundred; with this, an address that has all that a session may have gets no more. */
const PIECES_PER_SECOND = 2 * 100 * MAX_STREAMS_AT_ONCE - 2;
/** sockjs-node drops a session after 5 s without a request, ours of Socket.IO after 20 s. */
const GONE_MS = 40_000;

/** @type {Record<string, (origin: string) => Promise<Polling>>} */
const OPEN = {
  async SockJS(origin) {
    const session = `${origin}/pieces/sockjs/000/session-that-polls`;
    const ask = async (/** @type {string} */ action, /** @type {string} */ body = '') =>
      (await fetch(`${session}/${action}`, { method: 'POST', body })).text();
    assert.equal(await ask('xhr'), 'o\n');
    return {
      say: async (messages) => void (await ask('xhr_send', JSON.stringify(messages))),
      async poll() {
        const frame = await ask('xhr');
        if (frame === 'h\n') return { pieces: [], bytes: 0 };
        assert.equal(frame[0], 'a', frame);
        return {
          pieces: JSON.parse(frame.slice(1)).map((/** @type {string} */ one) => JSON.parse(one)),
          bytes: frame.length,
        };
      },
    };
  },
  async 'Socket.IO'(origin) {
    const session = await openPolling(origin, { path: '/pieces/socket.io/?EIO=4' });
    await session.connect();
    return {
      say: async (messages) => void (await session.post(messages.map(messageOf))),
      async poll() {
        const packets = (await session.poll()).filter((packet) => packet !== '2');
        return { pieces: packets.map(valueOf), bytes: packets.join().length };
      },
    };
  },
};

/** @param {string} origin @returns {Promise<number>} sessions of streams, but for those of WebSockets */
async function countOpen(origin) {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const counts = [...metrics.matchAll(/^sockshootout_sessions_open\{.*"stream so.*\} (\d+)$/gm)];
  assert.notEqual(counts.length, 0);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** As many streams as fast as possible as a session may have. */
const ASKS = Array.from({ length: MAX_STREAMS_AT_ONCE }, (_, i) => JSON.stringify({ ...AT_ONCE, tag: String(i) }));

describe('a session of streams that goes over several requests', { concurrency: true, timeout: 90_000 }, () => {
  for (const [name, open] of Object.entries(OPEN)) {
    it(`gets all of them by ${name}, however slow its client, and is kept little`, () =>
      withServer({ limits: { unsentBytes: UNSENT_BYTES } }, async ({ origin }) => {
        const { say, poll } = await open(origin);
        await say(ASKS);
        await sleep(300);
        const nexts = ASKS.map(() => 0);
        let most = 0;
        while (nexts.some((next) => next < AT_ONCE.pieces)) {
          const { pieces, bytes } = await poll();
          most = Math.max(most, bytes);
          for (const { tag, n, error } of pieces) {
            assert.equal(error, undefined);
            assert.equal(n, nexts[tag]++);
          }
        }
        assert.ok(most < UNSENT_BYTES, String(most));
      }));

    it(`costs nothing any more by ${name} when its client has gone without a word`, () =>
      withServer(
        { limits: { unsentBytes: UNSENT_BYTES, streamPiecesPerSecond: PIECES_PER_SECOND } },
        async ({ origin }) => {
          const { say } = await open(origin);
          await say(ASKS);
          const { ask, close } = await openWebSocket(`${origin.replace('http', 'ws')}/ws/pieces`);
          const askAgain = async () => JSON.parse(await ask(JSON.stringify({ ...AT_ONCE, pieces: 2, rate: 1 })));
          assert.equal((await askAgain()).error?.code, 'too-many');
          const endsAtMs = performance.now() + GONE_MS;
          const isOver = async () => !(await askAgain()).error && (await countOpen(origin)) === 0;
          while (!(await isOver())) {
            assert.ok(performance.now() < endsAtMs, 'it is still there');
            await sleep(100);
          }
          close();
        },
      ));
  }
});
