/**
 * Measures the server's CPU time for one echo, ours against a bare server of the same kind.
 *
 * Each server is a process of its own and tells its CPU time before and after each burst; the load comes from this
 * process and does not count. Two starts of one server differ by some per cent all through (layout of memory, what the
 * compiler chose), so a block is a fresh start of both servers, and an interval over bursts would be too narrow.
 */
import assert from 'node:assert/strict';
import { burst, closeAll, openHttp, openSocketio, openSockjs, openWs } from './connections.js';
import { measurePairs } from './pairs.js';
import { withServer } from './server-process.js';

/**
 * @import { Connection } from './connections.js'
 * @import { Block, Comparison } from './pairs.js'
 */

const CONNECTION_COUNT = 16;
const ECHOES_PER_BURST = 2000;
/**
 * The CPU time of an echo falls to a sixth over the first 10,000, until most of the server's code is compiled, and by some
 * per cent more over the next 40,000. A run with fewer pairs than a block only shows that it works, without.
 */
const WARM_UP_ECHOES = 50_000;
const PAIRS_PER_BLOCK = 8;

const UNIT = 'CPU us/echo';

/** @typedef {{ server: string, open: (port: number) => Promise<Connection> }} Side `server` is a name of server.js */

/**
 * The bare server of each kind of echo, and how to connect to it and to ours.
 * @type {readonly (Side & { group: string, label: string, atMost: number, check?: () => Promise<void> })[]}
 */
const ECHOES = [
  { group: 'ajax', label: 'AJAX', server: 'node:http', open: openHttp, atMost: 1.05, check: checkSameAnswer },
  { group: 'sockjs', label: 'SockJS', server: 'sockjs-node', open: openSockjs, atMost: 1.05 },
  { group: 'ws', label: 'WebSocket', server: 'ws', open: openWs, atMost: 1.1 },
  { group: 'socketio', label: 'Socket.IO', server: 'Socket.IO', open: openSocketio, atMost: 1.1 },
];

/** @type {Comparison[]} */
export const echoCpuComparisons = ECHOES.map(({ group, label, server, open, atMost, check }) => ({
  group,
  name: `${label} echo: our server / bare ${server}`,
  unit: UNIT,
  limit: { atMost },
  async measure(options) {
    await check?.();
    return measureBlocks({ ours: { server: 'ours', open }, baseline: { server, open }, ...options });
  },
}));

/** @param {{ ours: Side, baseline: Side, pairCount: number, onPair: () => void }} options */
async function measureBlocks({ ours, baseline, pairCount, onPair }) {
  const warmUpEchoes = pairCount < PAIRS_PER_BLOCK ? 0 : WARM_UP_ECHOES;
  /** @type {Block[]} */
  const blocks = [];
  for (let left = pairCount; left > 0; left -= PAIRS_PER_BLOCK) {
    // The server that started first has waited for the other, so the order alternates.
    const isOursFirst = blocks.length % 2 === 0;
    const [first, second] = isOursFirst ? [ours, baseline] : [baseline, ours];
    const block = await withWarmServer(first, warmUpEchoes, (measureFirst) =>
      withWarmServer(second, warmUpEchoes, (measureSecond) =>
        measurePairs({
          ours: isOursFirst ? measureFirst : measureSecond,
          baseline: isOursFirst ? measureSecond : measureFirst,
          pairCount: Math.min(left, PAIRS_PER_BLOCK),
          onPair,
        }),
      ),
    );
    blocks.push(block);
  }
  return blocks;
}

/**
 * @template T
 * @param {Side} side @param {number} warmUpEchoes
 * @param {(cpuPerEcho: () => Promise<number>) => Promise<T>} use is given a function that makes one burst and
 *   returns the CPU time of one echo in it, in microseconds
 */
function withWarmServer({ server, open }, warmUpEchoes, use) {
  return withServer(server, async ({ port, cpuMicroseconds }) => {
    /** @type {Connection[]} */
    const connections = [];
    try {
      while (connections.length < CONNECTION_COUNT) connections.push(await open(port));
      await burst(connections, warmUpEchoes);
      return await use(async () => {
        const before = await cpuMicroseconds();
        await burst(connections, ECHOES_PER_BURST);
        return ((await cpuMicroseconds()) - before) / ECHOES_PER_BURST;
      });
    } finally {
      closeAll(connections);
    }
  });
}

/** Checks that both send the same headers: a bare server that sends less than ours would not be a fair baseline. */
async function checkSameAnswer() {
  const [ours, baseline] = await Promise.all(['ours', 'node:http'].map(headersOf));
  assert.deepEqual(baseline, ours, 'The bare server answers with other headers than ours');
}

/** @param {string} server */
function headersOf(server) {
  return withServer(server, async ({ port }) => {
    const response = await fetch(`http://127.0.0.1:${port}/ajaxecho?count=0`);
    assert.deepEqual(await response.json(), { count: 1 });
    return [...response.headers].filter(([name]) => name !== 'date');
  });
}
