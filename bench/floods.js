/**
 * `npm run bench:floods`: how long a visitor waits for an echo while others flood the server, ours beside bare ones.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as waitMs } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fixed, toText } from '../core/experiment/table.js';
import { SOCKET_PATHS } from '../server/sockets/list.js';
import { quantile } from '../core/base/statistics.js';
import { closeAll, openHttp, openSockjs, openWs } from './connections.js';
import { FLOOD_KINDS } from './flood.js';
import { createProgress, runBench } from './options.js';
import { REQUEST_FLOODS } from './request-flood.js';
import { withServer } from './server-process.js';

/**
 * @import { Column } from '../core/experiment/contract.js'
 * @import { Connection } from './connections.js'
 */

const LIMITS_MS = { p95: 50, worst: 500 };
const DEFAULT_SECONDS = 2;
const DEFAULT_CLIENTS = 10;
/** Between two messages: a visitor who leaves none would be a load, too. */
const PAUSE_MS = 5;
const PATHS = SOCKET_PATHS.map(({ example }) => example);
const REQUEST_KINDS = Object.keys(REQUEST_FLOODS);

const HELP = `usage: npm run bench:floods -- [--only KIND]... [--path PATH]... [--clients N] [--seconds N] [--json]

Floods a freshly started server with one kind of frame on one path, or with one kind of request, and measures how long a
visitor's echoes take during the flood. Does the same with bare ws and bare sockjs-node, to compare.

  --only KIND   frames: ${FLOOD_KINDS.join(', ')};
                requests: ${REQUEST_KINDS.join(', ')};
                repeatable; default: all
  --path PATH   for frames: path on our server, one of
                ${PATHS.join('\n                ')}
                repeatable; default: all
  --clients N   clients that flood, 1 to 100; default: ${DEFAULT_CLIENTS}
  --seconds N   duration of each flood, 1 to 60; default: ${DEFAULT_SECONDS}, with which all floods take about 15 minutes
  --json        prints a list instead of the table

The exit code is 1 if one in 20 echoes of our server takes ${LIMITS_MS.p95} ms or more, or one ${LIMITS_MS.worst} ms or more.
`;

/**
 * @typedef {{ server: string, paths: readonly string[], visitors: readonly string[], except?: string }} Target `except`: a kind
 *   that ends it, as it parses whatever comes
 *
 * @typedef {{ server: string, path: string, kind: string, reads: boolean }} Case
 *
 * @typedef {Case & { visitor: string, count?: number, medianMs?: number, p95Ms?: number, worstMs?: number }} Row without figures where the
 *   server ended
 *
 * @typedef {{ only: string[], path: string[], clients: number, seconds: number, json: boolean }} Options
 */

/** @type {Target[]} */
const TARGETS = [
  { server: 'ours', paths: PATHS, visitors: ['AJAX', 'SockJS'] },
  { server: 'sockjs-node', paths: ['/echo/000/x/websocket'], visitors: ['SockJS'] },
  { server: 'ws', paths: ['/'], visitors: ['WebSocket'], except: 'empty texts' },
];

/** @type {Record<string, (port: number) => Promise<Connection>>} */
const VISITORS = { AJAX: openHttp, SockJS: openSockjs, WebSocket: openWs };

/** @type {readonly Column<Row>[]} */
const COLUMNS = [
  { title: 'server', value: ({ server }) => server },
  { title: 'path', value: ({ path }) => path },
  { title: 'flood', value: ({ kind }) => kind },
  { title: 'client', value: ({ reads }) => (reads ? 'reads' : 'does not read') },
  { title: 'visitor', value: ({ visitor }) => visitor },
  { title: 'median', unit: 'ms', value: ({ medianMs }) => medianMs, format: fixed(1) },
  { title: 'p95', unit: 'ms', value: ({ p95Ms }) => p95Ms, format: fixed(1) },
  { title: 'worst', unit: 'ms', value: ({ worstMs }) => worstMs, format: fixed(1) },
  { title: '', value: (row) => (row.medianMs === undefined ? 'ended' : isBeyond(row) ? 'beyond' : '') },
];

/** @param {Options} options @returns {(Case & Pick<Target, 'visitors'>)[]} */
function listCases({ only, path: wanted }) {
  const [ours] = TARGETS;
  const byRequests = only
    .filter((kind) => kind in REQUEST_FLOODS)
    .map((kind) => ({ ...ours, kind, path: REQUEST_FLOODS[kind].path, reads: true }));
  const byFrames = TARGETS.flatMap(({ server, paths, visitors, except }) =>
    paths
      .filter((path) => server !== 'ours' || wanted.includes(path))
      .flatMap((path) =>
        only
          .filter((kind) => FLOOD_KINDS.includes(kind) && kind !== except)
          .map((kind) => ({ server, visitors, path, kind })),
      )
      .flatMap((one) => [true, false].map((reads) => ({ ...one, reads }))),
  );
  return [...byFrames, ...byRequests];
}

/** @param {ReturnType<typeof listCases>[0]} one @param {Options} options @returns {Promise<Row[]>} */
function measure({ visitors, ...one }, { clients, seconds }) {
  return withServer(one.server, async ({ port }) => {
    const connections = await Promise.all(visitors.map((name) => VISITORS[name](port)));
    const flood = JSON.stringify({ ...one, port, clients });
    const flooder = fork(fileURLToPath(new URL('flooder.js', import.meta.url)), [flood]);
    try {
      await once(flooder, 'message');
      const measured = connections.map(async (connection, i) => ({
        ...one,
        visitor: visitors[i],
        // Without figures where the server ended.
        ...(await figuresOf(connection, seconds).catch(() => undefined)),
      }));
      return await Promise.all(measured);
    } finally {
      flooder.disconnect();
      closeAll(connections);
    }
  });
}

/**
 * A visitor asks one message at a time, as a page does. An echo that is still awaited at the end counts with what it
 * took until then.
 * @param {Connection} connection @param {number} seconds
 */
async function figuresOf(connection, seconds) {
  const endsAtMs = performance.now() + seconds * 1000;
  /** @type {number[]} */
  const latencies = [];
  for (let startedMs = performance.now(); startedMs < endsAtMs; startedMs = performance.now()) {
    const over = waitMs(endsAtMs - startedMs, undefined, { ref: false });
    await Promise.race([connection.exchange(latencies.length), over]);
    latencies.push(performance.now() - startedMs);
    await waitMs(PAUSE_MS);
  }
  latencies.sort((a, b) => a - b);
  const [medianMs, p95Ms] = [0.5, 0.95].map((p) => quantile(latencies, p));
  return { count: latencies.length, medianMs, p95Ms, worstMs: latencies.at(-1) };
}

/** @param {Row} row */
function isBeyond({ server, p95Ms = Infinity, worstMs = Infinity }) {
  return server === 'ours' && (p95Ms >= LIMITS_MS.p95 || worstMs >= LIMITS_MS.worst);
}

/** @param {Options} options */
async function bench(options) {
  const cases = listCases(options);
  const onCase = createProgress(cases.length);
  /** @type {Row[]} */
  const rows = [];
  for (const one of cases) {
    rows.push(...(await measure(one, options)));
    onCase(`${one.server} ${one.path} ${one.kind}`);
  }
  const json = JSON.stringify({ limitsMs: LIMITS_MS, rows }, null, 1);
  process.stdout.write(`${options.json ? json : toText({ columns: COLUMNS, rows }).join('\n')}\n`);
  return !rows.some(isBeyond);
}

const numbers = { clients: { max: 100, default: DEFAULT_CLIENTS }, seconds: { max: 60, default: DEFAULT_SECONDS } };
await runBench({ help: HELP, numbers, names: { only: [...FLOOD_KINDS, ...REQUEST_KINDS], path: PATHS }, bench });
