import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it, mock } from 'node:test';
import { openSocketio } from '../../../../core/net/channel/socketio.js';

const UPGRADE_LIMIT_MS = 5000;

/** Makes a library whose connections do what a test has them do. */
function createLibrary() {
  /** @type {any[]} */
  const clients = [];
  const io = (/** @type {string} */ origin, /** @type {any} */ options) => {
    const engine = Object.assign(new EventEmitter(), {
      transport: { name: options.transports?.[0] === 'websocket' ? 'websocket' : 'polling' },
    });
    const client = Object.assign(new EventEmitter(), {
      origin,
      options,
      io: { engine },
      connected: false,
      isEnded: false,
      disconnect() {
        client.isEnded = true;
        engine.emit('close', 'forced close');
      },
      join() {
        client.connected = true;
        client.emit('connect');
      },
      upgrade() {
        engine.transport.name = 'websocket';
        engine.emit('upgrade');
      },
    });
    clients.push(client);
    return client;
  };
  return { io: /** @type {any} */ (io), clients };
}

/** @param {{ only?: string }} [options] */
function open(options) {
  const { io, clients } = createLibrary();
  let timeMs = 0;
  const socket = openSocketio(io, 'http://host:1/socket.io/jobs?trial=x', { ...options, now: () => timeMs });
  /** @type {string[]} */
  const seen = [];
  socket.onopen = () => seen.push(`open ${socket.transport}`);
  socket.onclose = (event) => seen.push(`close ${event.code} ${event.reason}`);
  return { clients, seen, socket, at: (/** @type {number} */ ms) => void (timeMs = ms) };
}

describe('a Socket.IO connection', () => {
  it('asks for the path and the query of its URL, and never connects again', () => {
    const [client] = open().clients;
    assert.equal(client.origin, 'http://host:1');
    const { path, query, reconnection, forceNew, transports } = client.options;
    assert.deepEqual([path, query, reconnection, forceNew], ['/socket.io/jobs', { trial: 'x' }, false, true]);
    assert.equal(transports, undefined);
  });

  it('is open after the upgrade, whichever comes first, and knows both times', () => {
    const late = open();
    late.at(10);
    late.clients[0].join();
    assert.deepEqual(late.seen, []);
    late.at(30);
    late.clients[0].upgrade();
    assert.deepEqual([late.seen, late.socket.setUpMs, late.socket.upgradeMs], [['open websocket'], 10, 30]);

    const early = open();
    early.at(20);
    early.clients[0].upgrade();
    early.at(25);
    early.clients[0].join();
    assert.deepEqual([early.seen, early.socket.setUpMs, early.socket.upgradeMs], [['open websocket'], 25, 25]);
  });

  it('has no upgrade where it begins with a WebSocket', () => {
    const { clients, seen, socket, at } = open({ only: 'websocket' });
    assert.deepEqual(clients[0].options.transports, ['websocket']);
    at(7);
    clients[0].join();
    assert.deepEqual([seen, socket.setUpMs, socket.upgradeMs], [['open websocket'], 7, undefined]);
  });

  it('goes on with long polls where the upgrade fails', () => {
    const { clients, seen, socket } = open();
    clients[0].io.engine.emit('upgradeError');
    clients[0].join();
    assert.deepEqual([seen, socket.upgradeMs], [['open polling'], undefined]);
  });

  it('begins anew without an upgrade where none comes in time, so that a late one mixes nothing', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { clients, seen, socket, at } = open();
      at(6000);
      mock.timers.tick(6000);
      assert.equal(clients.length, 1, 'the limit begins when it is connected');
      clients[0].join();
      mock.timers.tick(UPGRADE_LIMIT_MS);
      assert.deepEqual([clients.length, clients[0].isEnded], [2, true]);
      assert.deepEqual(clients[1].options.transports, ['polling']);
      clients[0].emit('disconnect', 'io client disconnect');
      clients[0].upgrade();
      assert.deepEqual(seen, []);
      at(11_500);
      clients[1].join();
      clients[0].emit('message', 'of the former');
      assert.deepEqual([seen, socket.setUpMs, socket.upgradeMs], [['open polling'], 11_500, undefined]);
    } finally {
      mock.timers.reset();
    }
  });

  it('says that it is closed where it closes itself, once, and before it is open, too', () => {
    for (const isJoined of [true, false]) {
      const { clients, seen, socket } = open({ only: 'websocket' });
      if (isJoined) clients[0].join();
      socket.close();
      socket.close();
      assert.deepEqual([clients[0].isEnded, seen.slice(Number(isJoined))], [true, ['close undefined forced close']]);
    }
  });

  it('says which limit a message met, and why else it was closed', () => {
    for (const [reason, details, expected] of [
      ['transport close', { context: { code: 1009 } }, /^close 1009 .*maxHttpBufferSize/],
      ['io server disconnect', undefined, /^close undefined io server disconnect$/],
    ]) {
      const { clients, seen } = open({ only: 'websocket' });
      clients[0].join();
      clients[0].emit('disconnect', reason, details);
      assert.match(seen[1], /** @type {RegExp} */ (expected));
    }
  });
});
