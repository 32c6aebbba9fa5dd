/** What a worker remembers for Socket.IO's recovery is bounded for each room, and the newest is kept. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Server } from 'socket.io';
import { recoverFrom } from '../../../server/sockets/socketio-recovery.js';

/** Of the library's: an event. */
const EVENT = 2;

/** @returns {any} the adapter of a server that never listens, with two rooms */
function createAdapter() {
  const createRoom = () => ({ packets: [], sessionIds: new Set(), catchUp() {} });
  const rooms = new Map(['a', 'b'].map((name) => [name, createRoom()]));
  return new Server(recoverFrom((name) => rooms.get(name))).of('/').adapter;
}

/** @param {any} adapter @param {string} room @param {number} n */
const say = (adapter, room, n) =>
  adapter.broadcast(
    { type: EVENT, nsp: '/', data: ['message', n] },
    { rooms: new Set([room]), except: new Set(), flags: {} },
  );
/** @param {any} adapter @param {string} room @param {string} id */
const leave = (adapter, room, id) => adapter.persistSession({ sid: `s-${id}`, pid: id, rooms: [`s-${id}`, room] });

/** @param {any} adapter @param {string} room @param {string} id @returns {Promise<{ lastId: string }>} of a session that has left */
async function leaveAfterOne(adapter, room, id) {
  say(adapter, room, 0);
  const lastId = adapter.packets.at(-1).id;
  leave(adapter, room, id);
  return { lastId };
}

describe('the memory of a room to which sessions may come back', () => {
  it('replays the newest 500 messages at least, and 1000 at most', async () => {
    const adapter = createAdapter();
    for (let n = 0; n < 4001; n++) {
      say(adapter, 'a', n);
      assert.ok(adapter.packets.length <= 1000);
    }
    const { id: lastId } = adapter.packets.at(-3);
    const { id: oldId } = adapter.packets[0];
    say(adapter, 'b', 0);
    leave(adapter, 'a', 'p');
    const { missedPackets } = await adapter.restoreSession('p', lastId);
    assert.deepEqual(
      missedPackets.map((/** @type {unknown[]} */ [, n]) => n),
      [3999, 4000],
    );
    assert.ok((await adapter.restoreSession('p', oldId)).missedPackets.length >= 499);
    assert.equal(await adapter.restoreSession('p', 'long gone'), null);
  });

  it('is not that of others, however much they are sent, and however many leave', async () => {
    const adapter = createAdapter();
    const { lastId } = await leaveAfterOne(adapter, 'b', 'p');
    say(adapter, 'b', 1);
    for (let n = 0; n < 5000; n++) say(adapter, 'a', n);
    for (let n = 0; n < 2000; n++) leave(adapter, 'a', `other-${n}`);
    assert.equal((await adapter.restoreSession('p', lastId)).missedPackets.length, 1);
    assert.equal(adapter.sessions.size, 21);
  });
});
