/**
 * The server's CPU time for one echo, ours against a bare server of the same kind.
 *
 * Each server is a process of its own and tells its CPU time before and after each burst; the load comes from this
 * process and does not count. Two starts of one server differ by some per cent all through (layout of memory, what the
 * compiler chose), so a block is a fresh start of both servers, and an interval over bursts would be too narrow.
 */
import assert from 'node:assert/strict';
import { burst } from './burst.js';
import { openHttp } from './connections/http.js';
import { openSockjs, openWs } from './connections/web-socket.js';
import { measurePairs } from './pairs.js';
import { startServer } from './server-process.js';

/**
 * @import { Connection } from './burst.js'
 * @import { Comparison } from './comparison.js'
 * @import { Block } from './pairs.js'
 */

const CONNECTION_COUNT = 16;
const ECHOES_PER_BURST = 2000;
/** The CPU time of an echo falls to a sixth over the first 10,000, until the server's code is compiled. */
const WARM_UP_ECHOES = 14_000;
const PAIRS_PER_BLOCK = 8;

const UNIT = 'CPU us/echo';

/**
 * @typedef {object} Side
 * @property {string} server its name in servers/
 * @property {(port: number) => Promise<Connection>} open
 */

/** @type {Record<string, Side>} */
const SIDES = {
  ajax: { server: 'ours', open: openHttp },
  sockjs: { server: 'ours', open: openSockjs },
  bareNodeHttp: { server: 'node-http', open: openHttp },
  bareSockjsNode: { server: 'sockjs-node', open: openSockjs },
  bareWs: { server: 'ws', open: openWs },
};

/** @type {Comparison[]} */
export const echoCpuComparisons = [
  {
    group: 'ajax',
    name: 'AJAX echo: our server / bare node:http',
    unit: UNIT,
    limit: { atMost: 1.2 },
    async measure(options) {
      await checkSameAnswer();
      return measureBlocks({ ours: SIDES.ajax, baseline: SIDES.bareNodeHttp, ...options });
    },
  },
  {
    group: 'sockjs',
    name: 'SockJS echo: our server / bare sockjs-node',
    unit: UNIT,
    limit: { atMost: 1.1 },
    measure: (options) => measureBlocks({ ours: SIDES.sockjs, baseline: SIDES.bareSockjsNode, ...options }),
  },
  {
    group: 'ws',
    name: 'SockJS echo: our server / bare ws',
    unit: UNIT,
    measure: (options) => measureBlocks({ ours: SIDES.sockjs, baseline: SIDES.bareWs, ...options }),
  },
];

/**
 * @param {object} options
 * @param {Side} options.ours
 * @param {Side} options.baseline
 * @param {number} options.pairCount
 * @param {() => void} options.onPair
 * @returns {Promise<Block[]>}
 */
async function measureBlocks({ ours, baseline, pairCount, onPair }) {
  /** @type {Block[]} */
  const blocks = [];
  for (let left = pairCount; left > 0; left -= PAIRS_PER_BLOCK) {
    const count = Math.min(left, PAIRS_PER_BLOCK);
    // The server that started first has waited for the other: each is that one in every second block.
    const isOursFirst = blocks.length % 2 === 0;
    const block = await withServer(isOursFirst ? ours : baseline, (measureFirst) =>
      withServer(isOursFirst ? baseline : ours, (measureSecond) =>
        measurePairs({
          pairCount: count,
          ours: isOursFirst ? measureFirst : measureSecond,
          baseline: isOursFirst ? measureSecond : measureFirst,
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
 * @param {Side} side
 * @param {(cpuPerEcho: () => Promise<number>) => Promise<T>} use is given what makes one burst and tells the CPU time
 *   of one echo in it, in microseconds
 * @returns {Promise<T>}
 */
async function withServer({ server: name, open }, use) {
  const server = await startServer(name);
  /** @type {Connection[]} */
  const connections = [];
  try {
    while (connections.length < CONNECTION_COUNT) connections.push(await open(server.port));
    await burst(connections, WARM_UP_ECHOES);
    return await use(async () => {
      const before = await server.cpuMicroseconds();
      await burst(connections, ECHOES_PER_BURST);
      return ((await server.cpuMicroseconds()) - before) / ECHOES_PER_BURST;
    });
  } finally {
    for (const connection of connections) connection.close();
    await server.close();
  }
}

/** A bare server that sends less than ours would be no fair baseline. */
async function checkSameAnswer() {
  const [ours, baseline] = await Promise.all([SIDES.ajax, SIDES.bareNodeHttp].map(headOf));
  assert.deepEqual(baseline, ours, 'The bare server answers with other headers than ours');
}

/**
 * @param {Side} side
 * @returns {Promise<string[]>} status line and headers of an answer, sorted, without the date
 */
async function headOf({ server: name }) {
  const server = await startServer(name);
  try {
    const connection = await openHttp(server.port);
    await burst([connection], 1);
    const lines = connection.lastHead().trim().split('\r\n');
    connection.close();
    return lines.filter((line) => !line.startsWith('Date: ')).sort();
  } finally {
    await server.close();
  }
}
