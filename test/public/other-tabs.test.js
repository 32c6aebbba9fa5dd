/**
 * The turns of the tabs of one browser, without a browser: over Node.js's channels, and over locks that are made here.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeTurnOfTabs } from '../../public/js/run/other-tabs.js';

const { signal } = new AbortController();
const onWait = () => assert.fail('Expected no wait');

/** Locks of one name, as the Web Locks API has them. */
function createLocks() {
  let isHeld = false;
  /** @type {(() => void)[]} */
  const waiting = [];
  /** @param {(lock: unknown) => Promise<void>} hold */
  const give = async (hold) => {
    isHeld = true;
    await hold({});
    isHeld = false;
    waiting.shift()?.();
  };
  return {
    /** @param {string} _name @param {LockOptions} options @param {(lock: unknown) => Promise<void>} hold */
    request(_name, { ifAvailable, signal: given }, hold) {
      if (!isHeld) return give(hold);
      if (ifAvailable) return hold(null);
      return new Promise((resolve, reject) => {
        waiting.push(() => resolve(give(hold)));
        given?.addEventListener('abort', () => reject(given.reason));
      });
    },
  };
}

/** @param {{ request: Function }} made @returns {any} */
const asLocks = (made) => made;

describe('a turn by locks', () => {
  it('waits for the end of the turn before it, says so, and notices nobody', async () => {
    const locks = asLocks(createLocks());
    const first = await takeTurnOfTabs({ locks, signal, onWait });
    /** @type {string[]} */
    const happened = [];
    const second = takeTurnOfTabs({ locks, signal, onWait: () => happened.push('waits') });
    second.then(() => happened.push('begins'));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(happened, ['waits']);
    first.end();
    const { noticed, end } = await second;
    assert.deepEqual([happened, noticed()], [['waits', 'begins'], {}]);
    end();
    (await takeTurnOfTabs({ locks, signal, onWait })).end();
  });

  it('is not waited for after the signal, whose reason it gives', async () => {
    const locks = asLocks(createLocks());
    const first = await takeTurnOfTabs({ locks, signal, onWait });
    const controller = new AbortController();
    const ending = { kind: 'cancelled', reason: 'Enough.' };
    const onWaiting = () => setImmediate(() => controller.abort(ending));
    await assert.rejects(takeTurnOfTabs({ locks, signal: controller.signal, onWait: onWaiting }), ending);
    first.end();
  });
});

describe('a turn without locks', () => {
  it('notices no other tab where there is none, also after another has ended', async () => {
    for (let count = 0; count < 2; count++) {
      const turn = await takeTurnOfTabs({ signal, onWait });
      assert.deepEqual(turn.noticed(), {});
      turn.end();
    }
  });

  it('is marked from then on when another begins during it, as that one is', async () => {
    const first = await takeTurnOfTabs({ signal, onWait });
    assert.deepEqual(first.noticed(), {});
    const second = await takeTurnOfTabs({ signal, onWait });
    for (const turn of [first, second]) {
      assert.deepEqual(turn.noticed(), { hasOtherTab: true });
      turn.end();
    }
  });

  it('is taken where the browser refuses locks', async () => {
    const request = async () => Promise.reject(new DOMException('Denied', 'SecurityError'));
    const turn = await takeTurnOfTabs({ locks: asLocks({ request }), signal, onWait });
    assert.deepEqual(turn.noticed(), {});
    turn.end();
  });
});
