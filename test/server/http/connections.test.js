import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { UnreadAnswers } from '../../../server/http/connections.js';
import { LIMITS } from '../../../server/http/limits.js';
import { openRaw, requestHead } from '../../support/payload-client.js';
import { openServer } from '../../support/server.js';

const MIB = 1024 * 1024;
const LIMIT = { allUnsentBytes: 4 * MIB, answerMs: 1000, answerBytesPerSecond: MIB };

/** @param {{ unsentBytes: number, address?: string }} options */
function connect({ unsentBytes, address = '192.0.2.1' }) {
  return {
    bytesWritten: unsentBytes,
    writableLength: unsentBytes,
    remoteAddress: address,
    isOpen: true,
    destroy() {
      this.isOpen = false;
      return /** @type {any} */ (this);
    },
    /** @param {number} bytes */
    send(bytes) {
      this.writableLength -= bytes;
    },
  };
}

/** @param {ReturnType<typeof connect>[]} connections */
function watch(...connections) {
  const unread = new UnreadAnswers(LIMIT);
  /** @type {string[]} */
  const codes = [];
  for (const one of connections) unread.add(one);
  return {
    codes,
    /** @param {number} nowMs */
    lookAt: (nowMs) => unread.look(nowMs, (code) => codes.push(code)),
    openCount: () => connections.filter(({ isOpen }) => isOpen).length,
  };
}

describe('an answer that is not read', () => {
  it('ends its connection when it is over its time: a second, and one more for each MiB', () => {
    const connection = connect({ unsentBytes: 2 * MIB });
    const { codes, lookAt } = watch(connection);
    for (const nowMs of [0, 1500, 3000]) lookAt(nowMs);
    assert.ok(connection.isOpen);
    lookAt(3001);
    assert.ok(!connection.isOpen);
    assert.deepEqual(codes, ['too-slow']);
  });

  it('has a new deadline for what was written since, once the rest has left', () => {
    const connection = connect({ unsentBytes: MIB });
    const { lookAt } = watch(connection);
    lookAt(0);
    connection.bytesWritten += MIB;
    connection.send(MIB / 2);
    connection.writableLength += MIB;
    lookAt(1900);
    connection.send(MIB / 2);
    lookAt(1950);
    lookAt(3900);
    assert.ok(connection.isOpen);
    lookAt(4000);
    assert.ok(!connection.isOpen);
  });

  it('is kept where its client reads on, however much it gets', () => {
    const connection = connect({ unsentBytes: MIB });
    const { lookAt } = watch(connection);
    for (let nowMs = 0; nowMs < 20_000; nowMs += 1000) {
      lookAt(nowMs);
      connection.send(MIB);
      connection.bytesWritten += MIB;
      connection.writableLength += MIB;
    }
    assert.ok(connection.isOpen);
  });

  it('costs the address that leaves most unread its largest ones, and no other its own', () => {
    const others = Array.from({ length: 3 }, (_, i) => connect({ unsentBytes: MIB, address: `198.51.100.${i}` }));
    const [small, large] = [connect({ unsentBytes: MIB }), connect({ unsentBytes: 2 * MIB })];
    const { codes, lookAt, openCount } = watch(...others, small, large);
    lookAt(0);
    assert.equal(openCount(), 4);
    assert.ok(!large.isOpen);
    assert.deepEqual(codes, ['busy']);
  });
});

describe('the connections of a server', () => {
  it('are closed where a client does not read', async () => {
    const server = await openServer({ limits: { answerMs: 1, answerBytesPerSecond: 2 ** 30 } });
    const connected = once(server.server, 'connection');
    const client = await openRaw(server.port);
    const [socket] = await connected;
    const closed = once(socket, 'close');
    try {
      client.socket.pause();
      client.send(requestHead(`/payload/down?bytes=${LIMITS.payloadBytes}`));
      await closed;
    } finally {
      client.socket.destroy();
      await server.close();
    }
  });

  it('are shared out by address', async () => {
    const server = await openServer({ limits: { connectionCount: 8 } });
    const clients = await Promise.all(Array.from({ length: 8 }, () => openRaw(server.port)));
    try {
      await Promise.all(clients.slice(5).map(({ closed }) => closed));
      assert.equal(clients.filter(({ socket }) => !socket.destroyed).length, 5);
    } finally {
      for (const { socket } of clients) socket.destroy();
      await server.close();
    }
  });

  it('make no answer before the last one is sent', async () => {
    const server = await openServer();
    const client = await openRaw(server.port);
    const echo = requestHead('/ajaxecho?count=1');
    try {
      client.send(echo.repeat(2));
      while (client.text().split('HTTP/1.1 200').length < 3) await client.received(client.text().length + 1);
      client.send(requestHead('/reach/poll?ms=60000') + echo.repeat(2));
      const counted = await (await fetch(`${server.origin}/metrics`)).text();
      assert.match(counted, /echoes_total\{transport="ajaxecho",.*\} 2$/m);
    } finally {
      client.socket.destroy();
      await server.close();
    }
  });
});
