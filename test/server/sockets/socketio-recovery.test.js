/** What a worker remembers for Socket.IO's recovery is bounded, and the newest is kept. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Server } from 'socket.io';
import { recovery } from '../../../server/sockets/socketio-recovery.js';

/** Of the library's: an event. */
const EVENT = 2;

/** @returns {any} the adapter of a server that never listens */
const createAdapter = () => new Server({ ...recovery }).of('/').adapter;
const everybody = () => ({ rooms: new Set(['feed']), except: new Set(), flags: {} });

describe('the memory of sessions that may be recovered', () => {
  it('holds the newest 1000 sessions', async () => {
    const adapter = createAdapter();
    for (let i = 0; i < 1050; i++) adapter.persistSession({ sid: `s${i}`, pid: `p${i}`, rooms: ['feed'], data: {} });
    assert.equal(adapter.sessions.size, 1000);
    assert.ok(adapter.sessions.has('p1049') && !adapter.sessions.has('p49'));
  });

  it('holds the newest 2000 messages at least, and 4000 at most', async () => {
    const adapter = createAdapter();
    const total = 9050;
    for (let n = 0; n < total; n++) {
      adapter.broadcast({ type: EVENT, nsp: '/', data: ['message', n] }, everybody());
      assert.ok(adapter.packets.length <= 4000);
    }
    assert.ok(adapter.packets.length >= 2000);
    assert.equal(adapter.packets.at(-1).data[1], total - 1);

    adapter.persistSession({ sid: 's', pid: 'p', rooms: ['feed'], data: {} });
    const { missedPackets } = await adapter.restoreSession('p', adapter.packets.at(-3).id);
    assert.deepEqual(
      missedPackets.map((/** @type {unknown[]} */ [, n]) => n),
      [total - 2, total - 1],
    );
    assert.equal(await adapter.restoreSession('p', 'long gone'), null);
  });
});
