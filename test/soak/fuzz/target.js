/**
 * The server that is fuzzed: in a process of its own, with a small heap, and with small limits, so that each of them is reached
 * often. Whatever it says that is not expected, and its end, is a failure.
 */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CUTS } from '../../../core/net/feed/feed.js';
import { startMeasuredServer } from '../../support/measured-server.js';

/** @import { Limits } from '../../../server/http/limits.js' */
/** @import { Known } from './requests.js' */

const KIB = 1024;
const HEAP_MIB = 96;
const WARNING = 40;
/** What the server tells of clients that it closes; all else that is a warning or worse is a failure. */
const EXPECTED_WARNINGS = ['socket closed', 'session closed', 'connection closed'];
const JOB_COUNT = 20;
/** From when the server began; most of its sequences are played within the first of them. */
const FEED_CUTS_AT_MS = Array.from({ length: 20 }, (_, i) => 1000 + 3000 * i);
const MOST_LINES = 50;
const LOOK_MS = 100;
/** Two heartbeats, and the 5 s that sockjs-node keeps a session, take 15 s; what stays longer stays for ever. */
const SETTLE_LIMIT_MS = 180_000;

/**
 * Times are shorter only where a session waits for them whose client has left: until the next heartbeat nobody sees that
 * where Node.js does not read its connection, as too many answers wait there behind one that is not ready.
 * @type {Partial<Limits>}
 */
const SMALL_LIMITS = {
  messageBytes: 64 * KIB,
  payloadBytes: 256 * KIB,
  payloadBytesInFlight: 64 * KIB * KIB,
  bodyBytesInFlight: 64 * KIB * KIB,
  unsentBytes: 64 * KIB,
  partCount: 64,
  payloadPartCount: 128,
  packetCount: 64,
  payloadPacketCount: 128,
  controlFramesPerSecond: 100,
  framesPerTurn: 4,
  allFramesPerTurn: 16,
  connectionWaitCount: 5,
  connectionJobCount: 20,
  // All visitors have the same address; what is behind these limits is fuzzed, too.
  readMsPerMinute: 1e6,
  documentsPerMinute: 1e6,
  savesPerHour: 1e6,
  deletionsPerHour: 1e6,
  heartbeatMs: 5000,
  requestMs: 5000,
  headersMs: 5000,
  drainMs: 1000,
  idleGraceMs: 200,
};

/** @typedef {Awaited<ReturnType<typeof startTarget>>} Target */

/** @param {Partial<Limits>} [limits] others than the small ones */
export async function startTarget(limits = {}) {
  /** @type {string[]} */
  const failures = [];
  /** @type {string[]} */
  const said = [];
  /** What it was doing, as far as the test knows. @type {() => string[]} */
  let underWay = () => [];
  let mayEnd = false;
  const fail = (/** @type {string} */ what) => {
    // What comes after the first may come from it.
    if (failures.length > 0) return;
    failures.push(`${what}\nunder way: ${underWay().join(' ')}`);
  };

  const server = await startMeasuredServer({ ...SMALL_LIMITS, ...limits }, [`--max-old-space-size=${HEAP_MIB}`], {
    env: { LOG_LEVEL: 'warn' },
    onOutput(line, stream) {
      if (stream === 'stdout' && isExpected(line)) return;
      if (said.length < MOST_LINES) said.push(line);
      fail(`the server said on ${stream}: ${line}`);
    },
  });
  const { port } = server;
  void server.exited.then((code) => mayEnd || fail(`the server ended with ${code}`));

  /** @type {Known} */
  const known = {
    paths: await server.paths(),
    ids: { job: await makeJobs(port), feed: await makeFeeds(port), pieces: await makeStreams(port) },
  };
  return {
    port,
    known,
    fail,
    isOver: () => failures.length > 0,
    watchRun: (/** @type {() => string[]} */ look) => (underWay = look),

    /** @returns {Promise<number>} its heap now, in bytes, after a collection */
    heapBytes: async () => (await server.rest()).heapBytes,

    /** @throws {Error} where something was found */
    async check() {
      if (failures.length === 0) return;
      // Whoever throws says so in several lines.
      await sleep(LOOK_MS);
      throw new Error([...failures, ...said].join('\n'));
    },

    /** Waits until it holds nothing any more. @returns {Promise<number>} its heap then, in bytes */
    async settle() {
      const giveUpAtMs = performance.now() + SETTLE_LIMIT_MS;
      for (;;) {
        const { connectionCount, heapBytes } = await server.rest();
        const left = { ...(await findLeft(port)), connectionCount };
        if (Object.values(left).every((count) => count === 0)) return heapBytes;
        if (performance.now() > giveUpAtMs) fail(`it still holds ${JSON.stringify(left)}`);
        if (failures.length > 0) return heapBytes;
        await sleep(LOOK_MS);
      }
    },

    /** @returns {Promise<number | string>} its exit code */
    close() {
      mayEnd = true;
      return server.close();
    },
  };
}

/** @param {string} line of the log */
function isExpected(line) {
  try {
    const { level, msg } = JSON.parse(line);
    return level < WARNING || (level === WARNING && EXPECTED_WARNINGS.includes(msg));
  } catch {
    return false;
  }
}

/** @param {number} port @param {string} path @param {string} [method] @returns {Promise<{ status: number, type: string, text: string }>} */
export function ask(port, path, method = 'GET') {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, method, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      const type = String(response.headers['content-type']);
      response.on('close', () => resolve({ status: Number(response.statusCode), type, text }));
    });
    asked.on('error', reject).end();
  });
}

/** Some of each length. @param {number} port @returns {Promise<string[]>} IDs */
function makeJobs(port) {
  const make = async (/** @type {unknown} */ _, /** @type {number} */ index) => {
    const durationMs = index ** 4;
    return JSON.parse((await ask(port, `/job?min=${durationMs}&max=${durationMs}`, 'POST')).text).id;
  };
  return Promise.all(Array.from({ length: JOB_COUNT }, make));
}

/**
 * Ones that have ended first, then with every cut, at any time of the test.
 * @param {number} port @returns {Promise<string[]>} IDs
 */
function makeFeeds(port) {
  const cuts = Object.entries(CUTS).flatMap(([cut, { lasts }]) =>
    FEED_CUTS_AT_MS.map((atMs) => (cut === 'none' ? '' : `&cut=${cut}&at=${atMs}${lasts ? '&for=2000' : ''}`)),
  );
  const queries = ['rate=20&count=1', ...cuts.map((cut) => `rate=20&count=3600${cut}`)];
  return Promise.all(queries.map(async (query) => JSON.parse((await ask(port, `/feed?${query}`, 'POST')).text).id));
}

/** Of each length, and some with a cut. @param {number} port @returns {Promise<string[]>} IDs */
function makeStreams(port) {
  const queries = [2, 20, 200].flatMap((pieces) =>
    ['', `&cut=${pieces / 2}`].map((cut) => `pieces=${pieces}&bytes=5&rate=20&spread=50&seed=1${cut}`),
  );
  return Promise.all(queries.map(async (query) => JSON.parse((await ask(port, `/pieces/poll?${query}`)).text).id));
}

/** @param {number} port */
async function findLeft(port) {
  const { text } = await ask(port, '/metrics');
  const sumOf = (/** @type {string} */ name) => {
    const values = [...text.matchAll(new RegExp(`^sockshootout_${name}\\{.*\\} (-?[\\d.]+)$`, 'gm'))];
    return values.reduce((sum, [, value]) => sum + Math.abs(Number(value)), 0);
  };
  return {
    sessions: sumOf('sessions_open'),
    payloadBytes: sumOf('payload_bytes_in_flight'),
    waits: sumOf('jobs_waiting'),
  };
}
