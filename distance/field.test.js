/**
 * Known answer: 500 browsers measure by the script's own code, over paths whose round trip, and what they let through, is known. The study
 * must show just that.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { quantile } from '../core/base/statistics.js';
import { holdsOnce } from '../test/support/attempts.js';
import { createStudyOfUsers } from '../test/support/field-records.js';
import { startMeasuredServer } from '../test/support/measured-server.js';
import { runCommand } from '../test/support/program.js';

/**
 * @import { AddressInfo, Server, Socket } from 'node:net'
 * @typedef {object} KnownPath
 * @property {number} rttMs of a message over a WebSocket
 * @property {number} requestRatio by how much a request takes longer
 * @property {boolean} [isClosed] to WebSockets
 * @property {'batched' | 'failed'} [stream] what becomes of an event stream
 * @property {string} zone
 */

const BROWSERS_OF_PATH = 20;
const PATH_COUNT = 25;
const BROWSER_COUNT = BROWSERS_OF_PATH * PATH_COUNT;
const AT_ONCE = 125;
/** Nearly each holds on a quiet machine. */
const ATTEMPTS = 6;
const TOLD_FAULTS = 5;
const [MIN_RTT_MS, MAX_RTT_MS] = [60, 240];
/** Beyond the path there are timers of the relay, and the work of three programs. */
const TOLERANCE = { ratio: 1.1, ms: 4 };
/** Percentiles are read from bins that are 5% wide. */
const BIN_RATIO = 1.05;
/** For as long as what sends a stream's events. */
const HELD_MS = 1000;

/** Requests are slower on some of the paths by more than any noise. */
const SLOW = { every: 5, ratio: 2 };
/** What the first paths do not let through; all others let everything through. */
const CLOSED = /** @type {const} */ ([{}, {}, { stream: 'batched' }, { stream: 'failed' }]);

/** @type {readonly KnownPath[]} */
const PATHS = Intl.supportedValuesOf('timeZone')
  .slice(0, PATH_COUNT)
  .map((zone, i) => ({
    zone,
    // Each 7th in turn, so that what is closed is near and far.
    rttMs: 2 * Math.round((MIN_RTT_MS * (MAX_RTT_MS / MIN_RTT_MS) ** (((7 * i) % PATH_COUNT) / (PATH_COUNT - 1))) / 2),
    requestRatio: i % SLOW.every === 0 ? SLOW.ratio : 1,
    ...(i < CLOSED.length && { isClosed: true, ...CLOSED[i] }),
  }));

const KNOWN_GOT = Object.freeze({
  opened: BROWSER_COUNT - CLOSED.length * BROWSERS_OF_PATH,
  stream: 2 * BROWSERS_OF_PATH,
  batched: BROWSERS_OF_PATH,
  requests: BROWSERS_OF_PATH,
});

const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** @param {KnownPath} path @returns {number} */
const requestMsOf = ({ rttMs, requestRatio }) => rttMs * requestRatio;

/**
 * Carries bytes both ways, each late by half of the round trip.
 * @param {number} port of the site @param {KnownPath} path @returns {Promise<Server>} listening
 */
async function openRelay(port, path) {
  const server = createServer({ noDelay: true }, (client) => {
    const site = connect({ port, host: '127.0.0.1', noDelay: true });
    let isUpgraded = false;
    let heldUntilMs = 0;
    const halfMs = () => (isUpgraded ? path.rttMs : requestMsOf(path)) / 2;
    const [up, down] = [createDelay(site), createDelay(client)];
    client.on('data', (chunk) => {
      const head = chunk.toString('latin1');
      if (isRefused(path, head)) return void down(Buffer.from(REFUSAL), 2 * halfMs());
      isUpgraded ||= isUpgrade(head);
      if (path.stream === 'batched' && isStream(head)) heldUntilMs = performance.now() + HELD_MS;
      up(chunk, halfMs());
    });
    site.on('data', (chunk) => down(chunk, Math.max(halfMs(), heldUntilMs - performance.now())));
    join(client, site);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Writes bytes later, in the order in which they came. @param {Socket} to @returns {(chunk: Buffer, waitMs: number) => void} */
function createDelay(to) {
  /** @type {{ chunk: Buffer, dueMs: number }[]} */
  const waiting = [];
  const writeDue = () => {
    while (waiting.length > 0 && waiting[0].dueMs <= performance.now()) to.write(waiting.shift()?.chunk ?? '');
    if (waiting.length > 0) setTimeout(writeDue, Math.max(1, waiting[0].dueMs - performance.now()));
  };
  return (chunk, waitMs) => {
    waiting.push({ chunk, dueMs: performance.now() + waitMs });
    if (waiting.length === 1) setTimeout(writeDue, waitMs);
  };
}

const isUpgrade = (/** @type {string} */ head) => /^GET [^\r]*\r\n(?:.*\r\n)*upgrade: websocket/i.test(head);
const isStream = (/** @type {string} */ head) => head.startsWith('GET /reach/events');

/** @param {KnownPath} path @param {string} head of a request */
const isRefused = ({ isClosed, stream }, head) =>
  (isClosed === true && isUpgrade(head)) || (stream === 'failed' && isStream(head));

/** Ends each where the other has ended. @param {Socket} one @param {Socket} other */
function join(one, other) {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ])
    from.on('error', () => {}).on('close', () => setTimeout(() => to.destroy(), MAX_RTT_MS));
}

/** @param {number} measuredMs @param {number} knownMs @returns {boolean} */
const isAsKnown = (measuredMs, knownMs) =>
  measuredMs >= knownMs / BIN_RATIO && measuredMs <= knownMs * TOLERANCE.ratio * BIN_RATIO + TOLERANCE.ms;

/** @param {any} users of a study @returns {string[]} what is not as it is known to be */
function findFaults({ all, zones }) {
  const known = PATHS.map(requestMsOf).sort((a, b) => a - b);
  const percentiles = Object.entries({ p50: 0.5, p75: 0.75, p95: 0.95 }).map(
    ([name, share]) => /** @type {const} */ ([name, all.rttMs[name], Number(quantile(known, share))]),
  );
  const medians = zones.map((/** @type {any} */ { name, rttMs }) => {
    const path = PATHS.find(({ zone }) => zone === name);
    assert.ok(path, name);
    return /** @type {const} */ ([name, rttMs.p50, requestMsOf(path)]);
  });
  const late = [...percentiles, ...medians]
    .filter(([, measuredMs, knownMs]) => !isAsKnown(measuredMs, knownMs))
    .map(([name, measuredMs, knownMs]) => `${name}: ${measuredMs.toFixed(1)} ms instead of ${knownMs.toFixed(1)} ms`);
  // A busy machine also makes events of a stream arrive together.
  const wrong = Object.entries(KNOWN_GOT)
    .filter(([name, count]) => all.got[name].count !== count)
    .map(([name, count]) => `${name}: ${all.got[name].count} instead of ${count}`);
  return [...wrong, ...late, ...findWrongVerdicts(zones)];
}

/** @param {readonly any[]} zones @returns {string[]} */
function findWrongVerdicts(zones) {
  return zones.flatMap(({ name, verdicts: { faster } }) => {
    const path = PATHS.find(({ zone }) => zone === name);
    // Nearly all, or nearly none: the interval of one browser in twenty may miss.
    const isRight = path?.requestRatio === 1 ? faster.count <= faster.of / 10 : faster.count >= 0.9 * faster.of;
    return isRight ? [] : [`${name}: faster for ${faster.count} of ${faster.of}`];
  });
}

describe('500 browsers over known paths', () => {
  /** @type {Awaited<ReturnType<typeof startMeasuredServer>>} */
  let server;
  /** @type {Server[]} */
  let relays;
  before(async () => {
    server = await startMeasuredServer({ fieldRecordsPerHour: ATTEMPTS * BROWSER_COUNT });
    relays = await Promise.all(PATHS.map((path) => openRelay(server.port, path)));
  });
  after(async () => {
    for (const relay of relays ?? []) relay.close();
    await server?.close();
  });

  /** @param {string} study @returns {Promise<any>} its users */
  async function measure(study) {
    await createStudyOfUsers(server.origin, study);
    const paths = PATHS.map(({ zone }, i) => {
      const { port } = /** @type {AddressInfo} */ (relays[i].address());
      return { zone, origin: `http://127.0.0.1:${port}` };
    });
    const visit = { study, site: server.origin, paths, browsersOfPath: BROWSERS_OF_PATH, atOnce: AT_ONCE };
    const program = 'distance/programs/field-browsers.js';
    const command = [process.execPath, '--experimental-eventsource', '--no-warnings', program, JSON.stringify(visit)];
    const { code, out, err } = await runCommand(command);
    assert.deepEqual([code, out.trim()], [0, String(BROWSER_COUNT)], err);
    return (await (await fetch(`${server.origin}/api/studies?label=${study}&part=users`)).json()).users;
  }

  it('have in the study the shares, the round trips and the verdicts that they have', async (t) => {
    let count = 0;
    await holdsOnce(
      t,
      async () => {
        const startedAtMs = performance.now();
        const users = await measure(`known-${count++}`);
        t.diagnostic(`${((performance.now() - startedAtMs) / 1000).toFixed()} s`);
        const { all, zones, apart } = users;
        assert.deepEqual([all.count, zones.length, apart.cut + apart.contradictory], [BROWSER_COUNT, PATH_COUNT, 0]);
        return findFaults(users).slice(0, TOLD_FAULTS).join(', ') || undefined;
      },
      ATTEMPTS,
    );
  });
});
