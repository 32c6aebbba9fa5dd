import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { acceptEventStream } from '../../../server/channel/event-stream.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { Speaker } from '../../../server/channel/index.js'
 */

describe('a conversation over an event stream', () => {
  it('may begin with a message of the server, of several lines', async () => {
    /** @type {any} */
    const parts = {
      gate: { holdPlace() {}, openSession: () => () => {} },
      limits: { heartbeatMs: 60_000, unsentBytes: 1e6 },
      visitorOf: () => '127.0.0.1',
    };
    /** @type {any} */
    const protocol = {
      /** @param {Speaker} speaker */
      converse(speaker) {
        speaker.say('one\ntwo\r\nthree\rfour');
        speaker.goAway();
        return { onMessage() {} };
      },
    };
    const { endpointAt } = acceptEventStream(parts, protocol, { path: '/events', name: 'events' });
    const server = createServer((req, res) => endpointAt('/events/abcdefgh')?.answer(req, res, Buffer.alloc(0), 0));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = /** @type {AddressInfo} */ (server.address());
      const response = await fetch(`http://127.0.0.1:${port}/events/abcdefgh`, { signal: AbortSignal.timeout(10_000) });
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      const events = (await response.text()).split('\n\n').filter((event) => event.startsWith('data: '));
      assert.deepEqual(events, ['data: one\ndata: two\ndata: three\ndata: four']);
    } finally {
      server.close();
    }
  });
});
