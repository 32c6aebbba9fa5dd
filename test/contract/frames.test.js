/**
 * The requests and frames of each delivery method, counted on the wire by a proxy that parses the bytes itself: they hold what its
 * row declares, from which the requests per hour follow.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createJobClients } from '../../cli/net/job-client.js';
import { packagesFor } from '../../core/experiment/plan/packages.js';
import { jobs } from '../../core/experiments/jobs/index.js';
import { createDeliveryUser, deliveries } from '../../core/net/delivery/index.js';
import { openServer } from '../support/server.js';

/**
 * @import { AddressInfo, Socket } from 'node:net'
 * @typedef {{ isServer: boolean, text: string }} Unit a request, a frame, or a comment of an event stream
 */

const BEAT_MS = 100;
const NEVER_MS = 3_600_000;
const BEAT_COUNT = 8;
const LOOK_MS = 10;
/** For what hangs: nothing takes nearly as long. */
const WAIT_LIMIT_MS = 30_000;
/** What creates a job, or says what became of it. */
const ABOUT_JOB = /^POST \/job\?|createTime|seed/;
const LONG = { seed: 1, minMs: 600_000, maxMs: 600_000 };
const SHORT = { seed: 1, minMs: 300, maxMs: 300 };

describe('requests and frames on the wire', () => {
  for (const { name, openingCount, openingRequestCount, heartbeatCount } of Object.values(deliveries)) {
    if (openingCount === undefined) continue;
    it(`are what ${name} declares, to open and for each heartbeat`, async () => {
      const opening = await countUnits(name, { heartbeatMs: NEVER_MS });
      // Where the machine is busy, SockJS asks for its server again, and Socket.IO’s upgrade may overtake a poll.
      const tolerance = name === 'socketio' ? 1 : Math.max(0, opening.infoCount - 1);
      assert.ok(Math.abs(opening.all - openingCount) <= tolerance, `${opening.all}`);
      assert.ok(
        Math.abs(opening.requestCount - Number(openingRequestCount)) <= tolerance,
        `${opening.requestCount} requests`,
      );
      const held = await countUnits(name, { heartbeatMs: BEAT_MS, untilServerCount: opening.byServer + BEAT_COUNT });
      const beatCount = held.byServer - opening.byServer;
      // The last pong may be on its way.
      assert.equal(Math.round((held.all - opening.all) / beatCount), heartbeatCount);
      assert.ok(beatCount <= 1 + held.elapsedMs / BEAT_MS, `${beatCount} in ${held.elapsedMs} ms`);
    });
  }

  it('are one request per poll', async () => {
    const { units, result } = await withProxy('poll', {}, (user) => user.follow(SHORT));
    const requests = units.filter(({ isServer, text }) => !isServer && text.startsWith('GET '));
    assert.equal(requests.length, result.pollCount);
  });
});

/**
 * Counts what does not depend on jobs, while one is waited for.
 * @param {string} delivery
 * @param {{ heartbeatMs: number, untilServerCount?: number }} options `untilServerCount`: so many units of the server; else the
 *   job is short
 */
async function countUnits(delivery, { heartbeatMs, untilServerCount }) {
  const startedAtMs = performance.now();
  const { units } = await withProxy(delivery, { heartbeatMs }, async (user, soFar) => {
    if (untilServerCount === undefined) return user.follow(SHORT);
    /** @type {unknown} why the job, which lasts longer than this test, was not waited for */
    let failure;
    user.follow(LONG).catch((error) => (failure = error));
    while (ofServer(soFar).length < untilServerCount) {
      if (failure) throw failure;
      const message = `expected ${untilServerCount} units of the server, got ${JSON.stringify(soFar)}`;
      assert.ok(performance.now() - startedAtMs < WAIT_LIMIT_MS, message);
      await sleep(LOOK_MS);
    }
  });
  const elapsedMs = performance.now() - startedAtMs;
  const infoCount = units.filter(({ text }) => /^GET \/jobs\/info\?/.test(text)).length;
  const idle = units.filter(isIdle);
  return {
    infoCount,
    all: idle.length,
    requestCount: idle.filter(({ text }) => /^[A-Z]+ \//.test(text)).length,
    byServer: ofServer(units).length,
    elapsedMs,
  };
}

const isIdle = (/** @type {Unit} */ { text }) => !ABOUT_JOB.test(text);
const ofServer = (/** @type {Unit[]} */ units) => units.filter((unit) => unit.isServer && isIdle(unit));

/**
 * @template T
 * @param {string} delivery
 * @param {{ heartbeatMs?: number }} limits
 * @param {(user: ReturnType<typeof createDeliveryUser>, soFar: Unit[]) => Promise<T>} use
 */
async function withProxy(delivery, limits, use) {
  const server = await openServer({ limits });
  /** @type {Unit[]} */
  const units = [];
  const proxy = net.createServer((client) => {
    const upstream = net.connect(server.port, '127.0.0.1');
    readUnits(client, upstream, (text) => units.push({ isServer: false, text }));
    readUnits(upstream, client, (text) => units.push({ isServer: true, text }));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${/** @type {AddressInfo} */ (proxy.address()).port}`;
  const createClient = await createJobClients(origin, packagesFor(jobs, { deliveries: [delivery] }));
  const now = () => performance.now();
  const user = createDeliveryUser(delivery, { client: createClient(), trialId: 'frames_trial', now, intervalMs: 50 });
  try {
    const result = await use(user, units);
    // To close takes frames, too.
    return { result, units: [...units] };
  } finally {
    await user.close();
    proxy.close();
    await server.close();
  }
}

/**
 * Passes bytes on, and reports each request of a client, each frame, and each comment of an event stream.
 * @param {Socket} from @param {Socket} to @param {(text: string) => void} onUnit
 */
function readUnits(from, to, onUnit) {
  let rest = Buffer.alloc(0);
  let isUpgraded = false;
  let isStream = false;
  /** @returns {number} bytes read; 0: of nothing whole */
  const readOne = () => {
    if (isUpgraded) return readFrame(rest, onUnit);
    const isHead = /^([A-Z]+ \/|HTTP\/)/.test(rest.toString('latin1'));
    if (!isHead) {
      if (isStream) for (const [comment] of String(rest).matchAll(/:\n\n/g)) onUnit(comment);
      return rest.length;
    }
    const end = rest.indexOf('\r\n\r\n') + 4;
    if (end < 4) return 0;
    const head = rest.toString('latin1', 0, end);
    isUpgraded = /^upgrade: websocket/im.test(head);
    isStream = /^content-type: text\/event-stream/im.test(head);
    if (!head.startsWith('HTTP')) onUnit(head);
    return end;
  };
  from.on('data', (bytes) => {
    to.write(bytes);
    rest = Buffer.concat([rest, bytes]);
    for (let size = readOne(); size > 0 && rest.length > 0; size = readOne()) rest = rest.subarray(size);
  });
  from.on('close', () => to.destroy()).on('error', () => {});
}

/** @param {Buffer} bytes @param {(text: string) => void} onUnit @returns {number} the frame's size; 0: it is not whole yet */
function readFrame(bytes, onUnit) {
  if (bytes.length < 2) return 0;
  const isLong = (bytes[1] & 127) === 126;
  if (isLong && bytes.length < 4) return 0;
  const bodySize = isLong ? bytes.readUInt16BE(2) : bytes[1] & 127;
  const maskAt = isLong ? 4 : 2;
  const bodyAt = maskAt + (bytes[1] & 128 ? 4 : 0);
  if (bytes.length < bodyAt + bodySize) return 0;
  const mask = bytes.subarray(maskAt, bodyAt);
  const body = bytes.subarray(bodyAt, bodyAt + bodySize).map((byte, i) => byte ^ (mask.length && mask[i % 4]));
  onUnit(String(body));
  return bodyAt + bodySize;
}
