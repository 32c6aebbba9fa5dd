import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FairQueue } from '../../../server/http/fair-queue.js';

const STAYS = new AbortController().signal;

/** A queue whose jobs end when they are told to. @param {number} atOnce */
function openQueue(atOnce) {
  const queue = new FairQueue({ atOnce });
  /** @type {string[]} in the order in which they began */
  const begun = [];
  /** @type {(() => void)[]} */
  const ends = [];
  return {
    begun,
    /** @param {string} name of the job @param {string} address @param {AbortSignal} [signal] */
    ask: (name, address, signal = STAYS) =>
      queue.run({ address, signal }, () => {
        begun.push(name);
        return new Promise((resolve) => ends.push(() => resolve(name)));
      }),
    async endOne() {
      await setImmediate();
      ends.shift()?.();
      await setImmediate();
    },
  };
}

describe('a fair queue', () => {
  it('lets each address wait for one job of each other', async () => {
    const { ask, begun, endOne } = openQueue(1);
    const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name, `192.0.2.${name.charCodeAt(0)}`));
    for (let i = 0; i < asked.length; i++) await endOne();
    assert.deepEqual(begun, ['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4']);
    assert.deepEqual(await Promise.all(asked), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  });

  it('counts a network of IPv6 as one', async () => {
    const { ask, begun, endOne } = openQueue(1);
    const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db9::1'];
    const asked = addresses.map((address) => ask(address, address));
    for (let i = 0; i < asked.length; i++) await endOne();
    assert.deepEqual(begun, ['2001:db8::1', '2001:db9::1', '2001:db8::2', '2001:db8::3']);
  });

  it('runs as many at once as it may', async () => {
    const { ask, begun, endOne } = openQueue(2);
    const asked = ['1', '2', '3', '4'].map((name) => ask(name, '192.0.2.1'));
    await setImmediate();
    assert.deepEqual(begun, ['1', '2']);
    await endOne();
    assert.deepEqual(begun, ['1', '2', '3']);
    for (let i = 0; i < asked.length; i++) await endOne();
    await Promise.all(asked);
  });

  it('drops the job of a client that left before its turn, and of no other', async () => {
    const { ask, begun, endOne } = openQueue(1);
    const leaving = new AbortController();
    const running = ask('running', '192.0.2.1', leaving.signal);
    const waiting = assert.rejects(ask('waiting', '192.0.2.1', leaving.signal), { code: 'busy' });
    const other = ask('other', '192.0.2.2');
    await setImmediate();
    leaving.abort();
    await waiting;
    await assert.rejects(ask('late', '192.0.2.1', leaving.signal), { code: 'busy' });
    for (let i = 0; i < 2; i++) await endOne();
    assert.deepEqual([await running, await other, begun], ['running', 'other', ['running', 'other']]);
  });

  it('goes on after a job that fails', async () => {
    const queue = new FairQueue({ atOnce: 1 });
    const client = { address: '192.0.2.1', signal: STAYS };
    const failed = queue.run(client, () => Promise.reject(new Error('no')));
    assert.equal(await queue.run(client, async () => 1), 1);
    await assert.rejects(failed, { message: 'no' });
  });
});
