/** How many messages on a schedule are sent in one turn of the event loop. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendOnSchedule } from '../../../server/endpoints/on-schedule.js';
import { createTurnQueue, FRAME_WORK } from '../../../server/http/turns.js';

const FRAMES_PER_TURN = 64;
const MESSAGES = 16;
const CONNECTIONS = 100;
const HELD_MS = 20;

/** @param {() => number | undefined} heldForMs @returns {Promise<number>} the most that were sent between two turns */
function countMost(heldForMs) {
  const turns = createTurnQueue(FRAMES_PER_TURN * FRAME_WORK);
  let [inTurn, most, endedCount] = [0, 0, 0];
  return new Promise((resolve) => {
    const look = () => {
      most = Math.max(most, inTurn);
      inTurn = 0;
      if (endedCount < CONNECTIONS) setImmediate(look);
      else resolve(most);
    };
    setImmediate(look);
    for (let i = 0; i < CONNECTIONS; i++)
      sendOnSchedule({
        ...{ count: MESSAGES, dueAtMs: () => 0, heldForMs, now: () => performance.now(), turns },
        say: () => inTurn++,
        finish: () => endedCount++,
        owned: { destroy() {} },
      });
  });
}

describe('messages that are due at once on many connections', () => {
  it('are sent a few in a turn, so that others are served in between', async () => {
    assert.ok((await countMost(() => undefined)) < FRAMES_PER_TURN + MESSAGES);
  });

  it('are so where all of them were held back until the same moment', async () => {
    const endsAtMs = performance.now() + HELD_MS;
    const most = await countMost(() => (performance.now() < endsAtMs ? HELD_MS : undefined));
    assert.ok(most < FRAMES_PER_TURN + MESSAGES, String(most));
  });
});
