import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connect, createChannel } from '../../../../core/net/channel/channel.js';

describe('a channel that is waited for', () => {
  it('tells what came with its opening, in its order, once somebody listens', async () => {
    /** @type {any} */
    const socket = { readyState: 1, send() {}, close() {} };
    const connected = connect(() => createChannel(socket, { protocols: ['websocket'] }), {});
    socket.onopen();
    socket.onmessage({ data: 'first' });
    socket.onmessage({ data: 'second' });
    socket.onclose({ code: 1000, reason: '' });
    const channel = await connected;
    /** @type {unknown[]} */
    const heard = [];
    channel.on({ message: (data) => heard.push(data), end: (_error, event) => heard.push(event?.code) });
    assert.deepEqual(heard, ['first', 'second', 1000]);
    // Later hooks hear what comes later, alone.
    /** @type {unknown[]} */
    const later = [];
    channel.on({ message: (data) => later.push(data) });
    socket.onmessage({ data: 'third' });
    assert.deepEqual([heard.length, later], [3, ['third']]);
  });
});
