import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { sendMessages } from '../../../server/endpoints/feed-subscriber.js';
import { createFeedRooms } from '../../../server/endpoints/feed-rooms.js';
import { createFeeds } from '../../../server/endpoints/feeds.js';
import { LIMITS } from '../../../server/http/limits.js';
import { createTurnQueue } from '../../../server/http/turns.js';

/** The longest that there is: 180 s. */
const FEED = /** @type {const} */ ({ rate: 20, count: 3600, cut: 'none', cutAtMs: 0, cutMs: 0 });
const LENGTH_MS = 180_000;
const owned = { destroy() {} };

/** @param {number} [startMs] */
function createClock(startMs = 1e12) {
  let nowMs = startMs;
  const feeds = createFeeds({ secret: Buffer.from('secret'), now: () => nowMs });
  /** @param {number} ms */
  const go = (ms) => void (nowMs += ms);
  return { feeds, go };
}

describe('a feed', () => {
  it('can be read until five minutes after its last message', () => {
    const { feeds, go } = createClock();
    const { id } = feeds.make(FEED);
    go(LENGTH_MS + 299_000);
    assert.ok(feeds.find(id));
    go(1001);
    assert.equal(feeds.find(id), undefined);
  });

  it('whose messages are all past is sent in turns of 16, between which others are served', async () => {
    const { feeds, go } = createClock();
    const feed = feeds.make(FEED);
    go(LENGTH_MS);
    const counts = [0];
    const ended = new EventTarget();
    const over = once(ended, 'end');
    const say = () => counts.push(Number(counts.pop()) + 1);
    const finish = () => void ended.dispatchEvent(new Event('end'));
    const turns = createTurnQueue(1);
    sendMessages({ feed, since: 0, line: { say, finish }, owned, now: feeds.now, turns });
    const other = async () => {
      while (counts.reduce((sum, count) => sum + count) < FEED.count) {
        await turn();
        counts.push(0);
      }
    };
    await Promise.all([over, other()]);
    assert.ok(Math.max(...counts) <= 16 && counts.reduce((sum, count) => sum + count) === FEED.count);
  });

  it('makes nothing of what a stall keeps back until that ends', async () => {
    const { feeds, go } = createClock();
    const feed = feeds.make({ ...FEED, cut: 'stall', cutAtMs: 160_000, cutMs: 25 });
    go(160_000);
    let saidCount = 0;
    const ended = new EventTarget();
    const over = once(ended, 'end');
    const line = { say: () => saidCount++, finish: () => void ended.dispatchEvent(new Event('end')) };
    sendMessages({ feed, since: 0, line, owned, now: feeds.now, turns: createTurnQueue(1) });
    // Timers are of the machine's clock: the first finds that the stall goes on.
    await sleep(100);
    assert.equal(saidCount, 0);
    go(LENGTH_MS);
    await over;
    assert.equal(saidCount, FEED.count);
  });
});

describe('the room of a feed', () => {
  /** @param {ReturnType<typeof createClock>} clock */
  const openRoom = ({ feeds }) => {
    const feed = feeds.make({ ...FEED, rate: 1 });
    const rooms = createFeedRooms({ feeds, limits: LIMITS, turns: createTurnQueue(1) });
    /** @type {string[]} */
    const sent = [];
    const member = { visitor: '192.0.2.1', broadcast: (/** @type {string} */ text) => sent.push(text), finish() {} };
    return { rooms, feed, sent, leave: rooms.enter(feed, member) };
  };

  it('sends nothing while nobody is there, and what was missed when somebody comes back', async () => {
    const clock = createClock();
    const { rooms, feed, sent, leave } = openRoom(clock);
    leave();
    clock.go(3000);
    await turn();
    assert.deepEqual(sent, []);
    rooms.find(feed.id)?.catchUp();
    assert.deepEqual(sent, ['{"n":0}', '{"n":1}', '{"n":2}', '{"n":3}']);
    rooms.closeAll();
    assert.equal(rooms.find(feed.id), undefined);
  });
});
