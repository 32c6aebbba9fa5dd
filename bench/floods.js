/**
 * `npm run bench:floods`: how long a visitor waits for an echo while others flood the server, ours beside bare ones.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quantile } from '../core/base/statistics/quantile.js';
import { SOCKET_PATHS } from '../server/sockets/list.js';
import { FLOOD_KINDS } from './floods/kinds.js';
import { visit, VISITORS } from './floods/visitors.js';
import { readOptions } from './options.js';
import { createProgressLine } from './progress-line.js';
import { startServer } from './server-process.js';

/** @import { Connection } from './burst.js' */

const LIMITS_MS = { median: 100, worst: 500 };
const DEFAULT_SECONDS = 2;
const DEFAULT_CLIENTS = 10;
const PATHS = SOCKET_PATHS.map(({ example }) => example);

const HELP = `usage: npm run bench:floods -- [--only KIND]... [--path PATH]... [--clients N] [--seconds N] [--json]

Floods a freshly started server on one path with one kind of frames, and measures how long the echoes of a visitor take
meanwhile. The same floods on bare ws and on bare sockjs-node stand beside it.

  --only KIND   ${FLOOD_KINDS.join(', ')}; may be given more than once; without it: all
  --path PATH   of ours, one of
                ${PATHS.join('\n                ')}
                may be given more than once; without it: all
  --clients N   that flood, 1 to 100; ${DEFAULT_CLIENTS} by default
  --seconds N   of each flood, 1 to 60; ${DEFAULT_SECONDS} by default, with which all takes a quarter of an hour
  --json        prints a list instead of the table

The exit code is 1 where an echo of ours takes ${LIMITS_MS.median} ms or more at the median, or ${LIMITS_MS.worst} ms or more once.
`;

/**
 * @typedef {object} Target
 * @property {string} server a file in servers/
 * @property {readonly string[]} paths
 * @property {readonly string[]} visitors
 * @property {string} [except] a kind that ends it: it parses whatever comes
 *
 * @typedef {object} Case
 * @property {string} server
 * @property {string} path
 * @property {string} kind
 * @property {boolean} reads
 *
 * @typedef {Case & { visitor: string, count?: number, medianMs?: number, worstMs?: number }} Row without figures where the
 *   server ended
 */

/** @type {Target[]} */
const TARGETS = [
  { server: 'ours', paths: PATHS, visitors: ['AJAX', 'SockJS'] },
  { server: 'sockjs-node', paths: ['/echo/000/x/websocket'], visitors: ['SockJS'] },
  { server: 'ws', paths: ['/'], visitors: ['WebSocket'], except: 'empty texts' },
];

/**
 * @param {{ only: string[], path: string[] }} options
 * @returns {Case[]}
 */
function listCases({ only, path: wanted }) {
  return TARGETS.flatMap(({ server, paths, except }) =>
    paths
      .filter((path) => server !== 'ours' || wanted.includes(path))
      .flatMap((path) =>
        only
          .filter((kind) => kind !== except)
          .flatMap((kind) => [true, false].map((reads) => ({ server, path, kind, reads }))),
      ),
  );
}

/**
 * @param {Case} one
 * @param {{ clients: number, seconds: number }} options
 * @returns {Promise<Row[]>}
 */
async function measure(one, { clients, seconds }) {
  const server = await startServer(one.server);
  const { port } = server;
  const names = TARGETS.find((target) => target.server === one.server)?.visitors ?? [];
  const connections = await Promise.all(names.map((name) => VISITORS[name](port)));
  const flooder = await startFlooder({ ...one, port, clients });
  try {
    return await Promise.all(
      connections.map(async (connection, i) => ({
        ...one,
        visitor: names[i],
        ...(await figuresOf(connection, seconds)),
      })),
    );
  } finally {
    flooder.disconnect();
    for (const connection of connections) connection.close();
    await server.close();
  }
}

/** @param {Case & { port: number, clients: number }} options */
async function startFlooder(options) {
  const child = fork(fileURLToPath(new URL('floods/flooder.js', import.meta.url)), [JSON.stringify(options)]);
  await once(child, 'message');
  return child;
}

/**
 * @param {Connection} connection
 * @param {number} seconds
 */
async function figuresOf(connection, seconds) {
  const latencies = await visit(connection, seconds).catch(() => undefined);
  if (!latencies) return {};
  const sorted = latencies.sort((a, b) => a - b);
  return { count: sorted.length, medianMs: quantile(sorted, 0.5), worstMs: sorted.at(-1) };
}

/** @param {Row} row */
function isBeyond({ server, medianMs = Infinity, worstMs = Infinity }) {
  return server === 'ours' && (medianMs >= LIMITS_MS.median || worstMs >= LIMITS_MS.worst);
}

/** @param {readonly Row[]} rows */
function formatRows(rows) {
  const shown = rows.map((row) => [
    row.server,
    row.path,
    row.kind,
    row.reads ? 'reads' : 'does not read',
    row.visitor,
    row.medianMs?.toFixed(1) ?? 'ended',
    row.worstMs?.toFixed(1) ?? 'ended',
    isBeyond(row) ? 'beyond' : '',
  ]);
  const table = [['server', 'path', 'flood', 'client', 'visitor', 'median ms', 'worst ms', ''], ...shown];
  const widths = table[0].map((_, column) => Math.max(...table.map((cells) => cells[column].length)));
  return table
    .map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** @param {{ only: string[], path: string[], clients: number, seconds: number, json: boolean }} options */
async function bench(options) {
  const cases = listCases(options);
  const progressLine = createProgressLine(process.stderr, cases.length);
  /** @type {Row[]} */
  const rows = [];
  for (const one of cases) {
    rows.push(...(await measure(one, options)));
    progressLine.step(`${one.server} ${one.path} ${one.kind}`);
  }
  progressLine.end();
  process.stdout.write(`${options.json ? JSON.stringify({ limitsMs: LIMITS_MS, rows }, null, 1) : formatRows(rows)}\n`);
  if (rows.some(isBeyond)) process.exitCode = 1;
}

const options = readOptions(
  { clients: { most: 100, usual: DEFAULT_CLIENTS }, seconds: { most: 60, usual: DEFAULT_SECONDS } },
  {
    only: { type: 'string', multiple: true, default: FLOOD_KINDS },
    path: { type: 'string', multiple: true, default: PATHS },
  },
);
const [name, unknown, known] =
  [
    ['only', options.only, FLOOD_KINDS],
    ['path', options.path, PATHS],
  ]
    .map(([option, chosen, all]) => [option, chosen.find((/** @type {string} */ one) => !all.includes(one)), all])
    .find(([, wrong]) => wrong !== undefined) ?? [];
if (unknown !== undefined) {
  process.stderr.write(`--${name}: expected one of ${known.join(', ')}, got '${unknown}'\n`);
  process.exitCode = 2;
} else if (options.help) process.stdout.write(HELP);
else await bench(/** @type {any} */ (options));
