import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { onFailure } from '../../../server/http/boundary.js';
import { createTurnQueue } from '../../../server/http/turns.js';
import { FrameParser, closeFrame, createRateLimit } from '../../../server/sockets/frames.js';
import { SocketMeter } from '../../../server/sockets/socket-meter.js';
import { frame } from '../../support/payload-client.js';

/**
 * @import { AddressInfo, Socket } from 'node:net'
 * @import { Refusal } from '../../../server/sockets/frames.js'
 */

const LIMITS = {
  messageBytes: 1_000_000,
  partCount: 100,
  packetCount: 50,
  controlFramesPerSecond: 20,
  framesPerTurn: 4,
  unsentBytes: 100_000,
};
const ping = frame('', { opcode: 9 });
const tiny = frame('');

/**
 * Two ends of a real connection, a meter on one of them.
 *
 * @param {Partial<typeof LIMITS>} [limits]
 * @param {Buffer} [head]
 */
async function openPair(limits, head) {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  const client = connect(port, '127.0.0.1').on('error', () => {});
  const [socket] = await once(server, 'connection');
  socket.on('error', () => {});
  /** @type {Refusal[]} */
  const refusals = [];
  const meter = new SocketMeter({
    socket,
    head,
    limits: { ...LIMITS, ...limits },
    queue: createTurnQueue(1_000_000),
    report: (refusal) => refusals.push(refusal),
  });
  return {
    client,
    socket: /** @type {Socket} */ (socket),
    meter,
    refusals,
    close() {
      client.destroy();
      socket.destroy();
      server.close();
    },
  };
}

/** @param {Buffer} chunk */
function framesIn(chunk) {
  const parser = new FrameParser();
  for (let at = 0; at < chunk.length;) {
    at = parser.isInPayload ? parser.skipPayload(chunk, at) : parser.readHead(chunk, at);
  }
  return parser.frameCount;
}

describe('SocketMeter', () => {
  it('hands on what came, in its order, at most so many frames in a turn, and the end after it', async () => {
    const pair = await openPair({}, Buffer.concat(Array(10).fill(tiny)));
    let turn = 0;
    const countTurns = () => {
      turn++;
      timer = setImmediate(countTurns);
    };
    let timer = setImmediate(countTurns);
    /** @type {Map<number, number>} */
    const framesByTurn = new Map();
    let mostHeld = 0;
    const chunks = /** @type {Buffer[]} */ ([]);
    pair.socket.on('data', (chunk) => {
      chunks.push(chunk);
      mostHeld = Math.max(mostHeld, pair.meter.heldBytes);
      framesByTurn.set(turn, (framesByTurn.get(turn) ?? 0) + framesIn(chunk));
    });
    const bytes = Buffer.concat(Array(1000).fill(tiny));
    pair.client.end(bytes);
    await once(pair.socket, 'end');
    clearImmediate(timer);
    assert.equal(Buffer.concat(chunks).length, 1010 * tiny.length);
    // The last of what waited may share its turn with what came next.
    assert.ok(Math.max(...framesByTurn.values()) <= 2 * LIMITS.framesPerTurn, String([...framesByTurn.values()]));
    assert.ok(mostHeld <= bytes.length);
    pair.close();
  });

  it('does not read while something waits, and no more than it must', async () => {
    const pair = await openPair();
    let receivedCount = 0;
    pair.socket.on('data', () => receivedCount++);
    pair.socket.pause();
    const bytes = Buffer.concat(Array(1_000_000).fill(tiny));
    pair.client.write(bytes);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(receivedCount, 0);
    assert.ok(pair.socket.readableLength + pair.meter.heldBytes < 200_000);
    assert.ok(pair.socket.bytesRead < 1_000_000);
    pair.socket.resume();
    while (pair.meter.heldBytes === 0) await new Promise(setImmediate);
    pair.socket.pause();
    const { frameCount } = pair.meter.frames;
    for (let i = 0; i < 20; i++) await new Promise(setImmediate);
    assert.equal(pair.meter.frames.frameCount, frameCount);
    pair.socket.resume();
    while (pair.meter.frames.frameCount < 10_000) await new Promise(setImmediate);
    pair.close();
  });

  it('waits for its answers to be read, once, however many there are', async () => {
    const pair = await openPair();
    const answer = Buffer.alloc(10_000);
    pair.socket.on('data', () => pair.socket.write(answer));
    pair.client.pause();
    pair.client.write(Buffer.concat(Array(10_000).fill(frame('x'.repeat(100)))));
    while (pair.socket.writableLength === 0) await new Promise(setImmediate);
    for (let i = 0; i < 50; i++) await new Promise(setImmediate);
    const { messageCount } = pair.meter.frames;
    assert.ok(pair.socket.writableLength < LIMITS.unsentBytes + LIMITS.framesPerTurn * answer.length);
    for (let i = 0; i < 50; i++) await new Promise(setImmediate);
    assert.equal(pair.meter.frames.messageCount, messageCount);
    assert.ok(pair.socket.listenerCount('drain') <= 1);
    pair.client.resume();
    while (pair.meter.frames.messageCount < 10_000) await new Promise(setImmediate);
    assert.deepEqual(pair.refusals, []);
    pair.close();
  });

  /** @type {Record<string, { flood: Buffer, code: number, inPackets?: number }>} */
  const floods = {
    'control frames': { flood: Buffer.concat(Array(30).fill(ping)), code: 1008 },
    parts: { flood: Buffer.concat(Array(200).fill(frame('', { opcode: 0, fin: false }))), code: 1008 },
    packets: { flood: frame('x'.repeat(100)), code: 1008, inPackets: 60 },
    bytes: { flood: frame('x'.repeat(1_000_001)).subarray(0, 100), code: 1009 },
  };
  for (const [name, { flood, code, inPackets }] of Object.entries(floods)) {
    it(`closes once on too many ${name}, and hands on nothing after that`, async () => {
      const pair = await openPair();
      let handedOn = 0;
      pair.socket.on('data', (chunk) => (handedOn += chunk.length));
      const answered = once(pair.client, 'data');
      if (inPackets) for (const byte of flood.subarray(0, inPackets)) pair.socket.emit('data', Buffer.of(byte));
      else pair.client.write(flood);
      const [answer] = await answered;
      assert.equal(answer.readUInt16BE(2), code);
      const handedOnBefore = handedOn;
      pair.client.write(flood);
      pair.client.end();
      await once(pair.socket, 'close');
      assert.deepEqual([pair.refusals.map((refusal) => refusal.code), handedOn], [[code], handedOnBefore]);
      pair.close();
    });
  }

  it('hands on one packet a turn where each is full of frames, though there is room for each', async () => {
    const pair = await openPair({ framesPerTurn: 1000 });
    const chunk = Buffer.concat(Array(2).fill(frame('x'.repeat(32 * 1024))));
    let handedOn = 0;
    pair.socket.on('data', ({ length }) => (handedOn += length));
    for (let i = 0; i < 5; i++) pair.socket.push(chunk);
    assert.equal(handedOn, chunk.length);
    while (handedOn < 5 * chunk.length) {
      const before = handedOn;
      await new Promise(setImmediate);
      assert.ok(handedOn - before <= 2 * chunk.length);
    }
    pair.close();
  });

  it('does what is left to do of a frame turn by turn, before the next frame and the end', async () => {
    const pair = await openPair();
    /** @type {string[]} */
    const done = [];
    let turn = 0;
    const countTurns = () => {
      turn++;
      timer = setImmediate(countTurns);
    };
    let timer = setImmediate(countTurns);
    pair.socket.on('data', () => {
      done.push('data');
      if (done.length > 1) return;
      for (let i = 0; i < 5; i++) pair.meter.doLater(() => done.push(`task in turn ${turn}`));
    });
    pair.client.end(Buffer.concat(Array(2 * LIMITS.framesPerTurn).fill(tiny)));
    await once(pair.socket, 'end');
    clearImmediate(timer);
    assert.deepEqual([done[0], done[6], done.length], ['data', 'data', 7]);
    assert.equal(new Set(done.slice(1, 6)).size, 5);
    pair.close();
  });

  it('leaves the close to whoever asked for it', async () => {
    const pair = await openPair();
    pair.socket.on('data', () => {});
    const refused = new Promise((resolve) => (pair.meter.onRefuse = resolve));
    pair.client.write(Buffer.concat(Array(30).fill(ping)));
    assert.equal(/** @type {any} */ (await refused).code, 1008);
    assert.equal(pair.socket.bytesWritten, 0);
    pair.close();
  });
});

describe('createTurnQueue', () => {
  it('serves in each turn as many as there is room for, first come, first served', async () => {
    const queue = createTurnQueue(3);
    /** @type {string[]} */
    const served = [];
    let turn = 0;
    const socketOf = (/** @type {string} */ name, /** @type {number} */ turns) => {
      let left = turns;
      const socket = {
        connection: { destroy() {} },
        takeTurn() {
          served.push(`${turn}${name}`);
          if (--left > 0) queue.add(socket);
          return 2;
        },
      };
      return socket;
    };
    for (const [name, turns] of /** @type {const} */ ([
      ['a', 2],
      ['b', 1],
      ['c', 2],
    ])) {
      queue.add(socketOf(name, turns));
    }
    for (; turn < 5; turn++) await new Promise(setImmediate);
    assert.deepEqual(
      served.map((one) => one.slice(1)),
      ['a', 'b', 'c', 'a', 'c'],
    );
    for (const name of '01234') assert.ok(served.filter((one) => one.startsWith(name)).length <= 2);
  });
});

describe('a turn that throws', () => {
  it('ends its own connection, and the others have theirs', async () => {
    const queue = createTurnQueue(10);
    /** @type {string[]} */
    const events = [];
    const add = (/** @type {string} */ name, /** @type {() => number} */ takeTurn) =>
      queue.add({ connection: { destroy: () => events.push(`${name} ends`) }, takeTurn });
    const fault = new Error('fault');
    const reported = new Promise((resolve) => {
      const stop = onFailure((error) => resolve([error, stop()]));
    });
    add('a', () => {
      throw fault;
    });
    add('b', () => events.push('b'));
    assert.deepEqual(await reported, [fault, undefined]);
    assert.deepEqual(events, ['a ends', 'b']);
  });
});

describe('a connection that a meter closes', () => {
  it('sends nothing behind the close frame, as its library does not know of that', async () => {
    const pair = await openPair();
    pair.socket.on('data', () => {});
    pair.client.write(Buffer.concat(Array(30).fill(ping)));
    while (pair.refusals.length === 0) await new Promise(setImmediate);
    pair.socket.write('from the library');
    let sent = '';
    for await (const chunk of pair.client) sent += chunk.toString('latin1');
    assert.equal(sent, closeFrame(1008, pair.refusals[0].reason).toString('latin1'));
    pair.close();
  });
});

describe('a listener of a library’s that throws', () => {
  it('ends its connection', async () => {
    const pair = await openPair();
    pair.socket.on('data', () => {
      throw new Error('fault');
    });
    pair.client.write(ping);
    await once(pair.socket, 'close');
    pair.close();
  });
});

describe('createRateLimit', () => {
  it('counts anew after a second', () => {
    let nowMs = 0;
    const isTooMany = createRateLimit(10, () => nowMs);
    assert.deepEqual([isTooMany(6), isTooMany(4), isTooMany(1)], [false, false, true]);
    nowMs = 1000;
    assert.equal(isTooMany(10), false);
  });
});

describe('closeFrame', () => {
  it('is what RFC 6455 says', () => {
    assert.equal(closeFrame(1008, 'no').toString('hex'), '880403f06e6f');
  });
});
