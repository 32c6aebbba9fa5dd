/**
 * 200 visitors of one address, each with an experiment's usual plan at the same time: a classroom, or everybody behind a proxy
 * that is not believed.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { MAX_COMPARED } from '../../server/saved-runs/list.js';
import { parseFields } from '../../core/experiment/plan/fields.js';
import { FIELDS as CUTS_FIELDS } from '../../core/experiments/cuts/plan.js';
import { LOADERS } from '../../core/experiments/index.js';
import { FIELDS as JOBS_FIELDS, trialsOf as jobsTrialsOf } from '../../core/experiments/jobs/plan.js';
import { sumOf } from '../../core/base/statistics.js';
import { WARM_UP_ROUNDS } from '../../core/experiments/jobs/plan.js';
import { FIELDS as PAYLOAD_FIELDS } from '../../core/experiments/payload/plan.js';
import { FIELDS as REACH_FIELDS, trialsOf as reachTrialsOf } from '../../core/experiments/reach/plan.js';
import { FIELDS as STREAM_FIELDS } from '../../core/experiments/stream/plan.js';
import { DEFAULT_TRANSPORTS, PRESETS } from '../../core/experiments/shootout/plan.js';
import { transports } from '../../core/net/echo/index.js';
import { feedMethods } from '../../core/net/feed/index.js';
import { streamMethods } from '../../core/net/stream/index.js';
import { LIMITS } from '../../server/http/limits.js';
import { Pool } from '../../server/http/pool.js';
import { withServer } from '../support/two-workers.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Limits } from '../../server/http/limits.js'
 * @typedef {{ path: string, count: number, isPost?: boolean }} Sessions so many at a path; `isPost`: by requests, as a fallback's
 */

/** What six pages cost, of which two read shared runs, on a machine that is a few times slower than those of 2026. */
const VISIT_MS = 30;
const VISITORS = 200;
/** So many are opened before the next. */
const AT_ONCE = 200;
const NO_QUERY = new URLSearchParams();

/** @param {number} seed */
const jobsPlan = (seed) => parseFields(NO_QUERY, JOBS_FIELDS, { seed });
const { users, jobs } = jobsPlan(1);
const reachPlan = parseFields(NO_QUERY, REACH_FIELDS, { seed: 1 });
const cutsPlan = parseFields(NO_QUERY, CUTS_FIELDS, { seed: 1 });
const payloadPlan = parseFields(NO_QUERY, PAYLOAD_FIELDS, { seed: 1 });
const streamPlan = parseFields(NO_QUERY, STREAM_FIELDS, { seed: 1 });
const streamsAtOnce = Math.max(...streamPlan.atOnce);
const reachTrials = reachTrialsOf(reachPlan);
const isOverHttp = (/** @type {string} */ transport) => ['ajax', 'xhr', 'fetch'].includes(transport);

/** A session of a fallback's ends 5 s after its visitor: where WebSockets are blocked, those of the last trials are still there. */
const fallbacks = (/** @type {number} */ count) => ({ path: '/echo/000/ID/xhr', count, isPost: true });
const ECHO_SOCKET = { path: '/ws', count: 1 };
/** Of so many messages each over a fallback, as many trials as fit into those 5 s. */
const FALLBACK_TRIALS_IN_5_S = 8;

/** What one visitor holds at the most, but of jobs. @type {Record<string, Sessions[]>} */
const HELD = {
  // A quick run takes 5 s.
  shootout: [
    ECHO_SOCKET,
    fallbacks(PRESETS.quick.blocks * DEFAULT_TRANSPORTS.filter((name) => transports[name].fallback).length),
  ],
  'in-flight': [ECHO_SOCKET, fallbacks(FALLBACK_TRIALS_IN_5_S)],
  'fixed-rate': [ECHO_SOCKET, fallbacks(FALLBACK_TRIALS_IN_5_S)],
  countdown: [ECHO_SOCKET],
  classic: [ECHO_SOCKET, fallbacks(1)],
  payload: [
    {
      path: '/payload/ws/up',
      count: payloadPlan.directions.length * payloadPlan.transports.filter((name) => !isOverHttp(name)).length,
    },
  ],
  cuts: [
    // Beside the one that a method with pings gave up, which is silent still, there is its successor.
    {
      path: '/ws/feed?feed=FEED',
      count: sumOf(
        cutsPlan.deliveries.map((name) => feedMethods[name]).filter(({ client }) => client !== 'poll'),
        ({ hasPings }) => (hasPings ? 2 : 1),
      ),
    },
  ],
  // Beside the answers of a trial, the connections that methods keep.
  stream: [
    {
      path: '/ws/pieces',
      count: streamsAtOnce + streamPlan.methods.filter((name) => streamMethods[name].isKept).length,
    },
  ],
  // The second socket and SockJS, and the one that carries the load.
  'under-load': [
    { ...ECHO_SOCKET, count: 2 },
    { path: '/payload/ws/down', count: 1 },
  ],
  reach: [
    // All that is silent waits beside the others: silences, heartbeat, long poll. And the check whose turn it is.
    {
      path: '/reach/ws?probe=probe-held',
      count: reachTrials.filter(({ check }) => ['silence', 'heartbeat', 'poll'].includes(check)).length + 1,
    },
    // Each of SockJS's transports, its two fallbacks, and the fallback of each block.
    fallbacks(
      reachTrials.filter(
        ({ check, transport }) =>
          check === 'sockjs' || check.startsWith('fallback') || (check === 'latency' && transport === 'fallback'),
      ).length,
    ),
  ],
};

/** The sockets of a trial of jobs, by the methods of a default plan. @type {Record<string, number>} */
const JOB_SOCKETS = { poll: 0, push: users, sockjs: users };

/**
 * Each visitor's trials are in an order of their own; all begin at once, and each trial takes as long as the others.
 * @param {number} visitorCount
 * @returns {Record<string, number>[]} by how many visitors each method is used, at each place in the order
 */
function jobsAtOnce(visitorCount) {
  const orders = Array.from({ length: visitorCount }, (_, visitor) => jobsTrialsOf(jobsPlan(visitor)));
  return orders[0].map((_, place) => {
    /** @type {Record<string, number>} */
    const counts = {};
    for (const order of orders) counts[order[place].delivery] = (counts[order[place].delivery] ?? 0) + 1;
    return counts;
  });
}

/** @param {Record<string, number>} visitors by method */
const jobSocketsOf = (visitors) =>
  Object.entries(visitors).reduce((sum, [delivery, count]) => sum + count * JOB_SOCKETS[delivery], 0);

/**
 * @param {number} port
 * @param {string} path
 * @param {Set<Socket>} open gets the connection, which stays open
 * @returns {Promise<string>} the status of the answer
 */
const upgrade = (port, path, open) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    open.add(socket);
    socket.once('data', (head) => resolve(String(head).slice(9, 12))).once('error', reject);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
  });

/** @param {string} origin @returns {Promise<string>} the ID of a feed that lasts for the test */
async function makeFeed(origin) {
  const response = await fetch(`${origin}/feed?rate=1&count=180`, { method: 'POST' });
  return /** @type {any} */ (await response.json()).id;
}

/** @param {number} port @param {string[]} paths @returns {Promise<string[]>} the statuses of requests on one connection */
const postOnOne = (port, paths) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.once('close', () => reject(new Error('closed'))).on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
      if (statuses.length < paths.length) return;
      resolve(statuses);
      socket.end();
    });
    socket.write(paths.map((path) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`).join(''));
  });

/** @param {number} port @param {string[]} paths @returns {Promise<string[]>} the statuses */
async function postAll(port, paths) {
  const most = LIMITS.connectionRequestCount;
  const parts = Array.from({ length: Math.ceil(paths.length / most) }, (_, i) => paths.slice(i * most, (i + 1) * most));
  return (await Promise.all(parts.map((part) => postOnOne(port, part)))).flat();
}

/**
 * Opens all, and holds them until all are open.
 *
 * @param {Partial<Limits>} limits
 * @param {Sessions[]} sessions
 * @returns {Promise<Record<string, number>>} how many were answered with each status
 */
async function openAll(limits, sessions) {
  /** @type {Set<Socket>} */
  const open = new Set();
  /** @type {Record<string, number>} */
  const statuses = {};
  let id = 0;
  await withServer({ limits }, async ({ port, origin }) => {
    const feed = await makeFeed(origin);
    for (const { path, count, isPost } of sessions) {
      for (let done = 0; done < count; done += AT_ONCE) {
        const paths = Array.from({ length: Math.min(AT_ONCE, count - done) }, () =>
          path.replace('ID', `s${++id}`).replace('FEED', feed),
        );
        const answered = isPost ? postAll(port, paths) : Promise.all(paths.map((one) => upgrade(port, one, open)));
        for (const status of await answered) statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }
    for (const socket of open) socket.destroy();
  });
  return statuses;
}

describe(`${VISITORS} visitors of one address`, () => {
  it('are those of every experiment', () => {
    assert.deepEqual([...Object.keys(HELD), 'jobs'].sort(), Object.keys(LOADERS).sort());
  });

  for (const [name, sessions] of Object.entries(HELD)) {
    it(`have all sessions that a usual plan of ${name} holds`, async () => {
      const ofAll = sessions.map((one) => ({ ...one, count: VISITORS * one.count }));
      /** @type {Record<string, number>} */
      const expected = {};
      for (const { count, isPost } of ofAll) {
        const status = isPost ? 200 : 101;
        expected[status] = (expected[status] ?? 0) + count;
      }
      assert.deepEqual(await openAll({}, ofAll), expected);
    });
  }

  it('have all sockets of a default plan of jobs, and all wait: a tenth of them, with a tenth of the room', async () => {
    const [most] = jobsAtOnce(VISITORS).sort((a, b) => jobSocketsOf(b) - jobSocketsOf(a));
    const limits = { jobSessionCount: LIMITS.jobSessionCount / 10, waitingJobCount: LIMITS.waitingJobCount / 10 };
    const sessions = [
      { path: '/ws/jobs', delivery: 'push' },
      { path: '/jobs/000/x/websocket', delivery: 'sockjs' },
    ].map(({ path, delivery }) => ({ path, count: Math.round((most[delivery] * JOB_SOCKETS[delivery]) / 10) }));
    const socketCount = sumOf(sessions, ({ count }) => count);
    assert.ok(Math.abs(socketCount - jobSocketsOf(most) / 10) <= 1, `${socketCount} of ${jobSocketsOf(most)}`);
    assert.deepEqual(await openAll(limits, sessions), { 101: socketCount });
  });

  /** @param {keyof Limits} limit @param {number} count */
  const takeFrom = (limit, count) => {
    const pool = new Pool({ limit: LIMITS[limit], noun: limit });
    for (let i = 0; i < count; i++) pool.take('192.0.2.1');
  };

  it('have the sockets and the waits of jobs, a read of the traffic and a stream each', () => {
    for (const visitors of jobsAtOnce(VISITORS)) takeFrom('jobSessionCount', jobSocketsOf(visitors));
    takeFrom('waitingJobCount', VISITORS * users * jobs);
    takeFrom('trafficReadCount', VISITORS);
    takeFrom('streamPiecesPerSecond', VISITORS * streamsAtOnce * streamPlan.rate);
  });

  it('have room for half of all records, beside an address that makes more and more', () => {
    // Each trial and each round of the warm-up is a record, and so is the idle server.
    const trialIds = jobsTrialsOf(jobsPlan(1)).length + WARM_UP_ROUNDS + 1;
    assert.ok(VISITORS * trialIds <= LIMITS.trafficTrialCount / 2);
    const probes = reachTrials.filter(({ check }) => /^(upgrade|text|binary|size|silence|heartbeat)/.test(check));
    assert.ok(VISITORS * probes.length <= LIMITS.probeCount / 2);
  });

  it('save a run each in an hour, and in a minute see it, with its document, and at once the study of all', () => {
    assert.ok(VISITORS <= LIMITS.savesPerHour);
    assert.ok(2 * VISITORS <= LIMITS.documentsPerMinute);
    assert.ok(VISITORS * VISIT_MS <= LIMITS.readMsPerMinute);
    takeFrom('studyCount', VISITORS);
    assert.ok(MAX_COMPARED <= LIMITS.answerCount / 4, 'a comparison takes a quarter of the documents at once');
  });

  it('leave the other kinds of sessions their connections, if they hold all of one', () => {
    const { sessionCount, jobSessionCount, payloadSocketCount, ...others } = LIMITS;
    const { reachSessionCount, feedSessionCount, streamSessionCount } = others;
    const rare = [payloadSocketCount, reachSessionCount, feedSessionCount, streamSessionCount];
    assert.ok(sumOf([sessionCount, jobSessionCount, ...rare], (count) => count) < LIMITS.connectionCount);
  });
});
