/**
 * Real servers for tests: in this process on a free port, or as a program of its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../server/app.js';
import { parseConfig } from '../../server/config.js';
import { createDocuments } from '../../server/saved-runs/documents.js';
import { createLog } from '../../server/telemetry/log.js';
import { createStore, openDatabase } from '../../server/store/index.js';
import { ownPortOf } from '../../server/workers.js';
import './lean.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { Logger } from 'pino'
 * @import { DelayAnswer } from '../../server/app.js'
 * @import { Limits } from '../../server/http/limits.js'
 */

/** When the last of the documents in test/fixtures was made: whatever a machine's clock says, that has been. */
const FIXTURES_MADE_MS = Date.parse('2026-11-22T01:07:00.000Z');
const AHEAD_MS = Math.max(0, FIXTURES_MADE_MS - Date.now());
/** The machine's, but never before the fixtures. */
const laterClock = () => new Date(Date.now() + AHEAD_MS);

/** One for all servers of this process, as each takes half a second to start. Not for those of another clock. */
const ownDocuments = createDocuments({ clock: laterClock });
const sharedDocuments = { ...ownDocuments, close: async () => {} };
process.once('beforeExit', () => ownDocuments.close());

/** What one visitor's reads may take in a minute: a file's may take longer on a busy machine, and prove nothing by that. */
const READ_MS_PER_MINUTE = 1e9;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Its store lies in a folder of its own, which is removed when the server is closed.
 *
 * @param {object} [options]
 * @param {Record<string, string>} [options.env]
 * @param {Partial<Limits>} [options.limits]
 * @param {DelayAnswer} [options.delayAnswer]
 * @param {() => Date} [options.clock]
 * @param {Logger} [options.log]
 */
export async function openServer({ env = {}, limits, delayAnswer, clock = laterClock, log: ownLog } = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  const usual = { SERVER_NAME: 'test', HOST: '127.0.0.1', LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: folder };
  const config = parseConfig({ ...usual, ...env });
  const log = ownLog ?? createLog(config);
  const database = await openDatabase({ url: config.store.databaseUrl, dataDir: config.store.dataDir, log });
  const store = createStore(database);
  await store.migrate();
  const app = await createApp({
    config,
    log,
    store,
    limits: { drainMs: 300, readMsPerMinute: READ_MS_PER_MINUTE, ...limits },
    delayAnswer,
    clock,
    ...(clock === laterClock && { documents: sharedDocuments }),
  }).catch(async (error) => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  if (config.workers && app.ownServer) {
    app.ownServer.listen(ownPortOf(config.workers), '127.0.0.1');
    await once(app.ownServer, 'listening');
  }
  app.server.listen(0, '127.0.0.1');
  await once(app.server, 'listening');
  const { port } = /** @type {AddressInfo} */ (app.server.address());
  return {
    ...app,
    database,
    store,
    port,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const drained = app.drain();
      // Whoever closes it has its answers: the moment that idle connections are given is for tests that ask for it.
      if (limits?.idleGraceMs === undefined) {
        for (const server of [app.server, app.ownServer]) server?.closeIdleConnections();
      }
      await drained;
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof openServer>>} TestServer */

/**
 * @param {string} origin
 * @returns {Promise<[status: number, answer: any]>} of `/readyz`
 */
export async function askReady(origin) {
  const response = await fetch(`${origin}/readyz`);
  return [response.status, await response.json()];
}

/**
 * `node server.js`, as a person starts it, but for its data: that is in a folder of its own, removed when it ended.
 *
 * @param {Record<string, string>} [env]
 * @param {{ cwd?: string }} [options] `cwd`: where another copy of it is
 */
export function spawnServer(env = {}, { cwd = ROOT } = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sockshootout-'));
  const child = spawn(process.execPath, ['server.js'], {
    cwd,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const exited = once(child, 'close').then(async ([code, signal]) => {
    await rm(folder, { recursive: true, force: true });
    return { code, signal, errors };
  });

  return {
    child,
    /** Resolves when it ended: its exit code, and what it wrote to standard error. */
    exited,
    /**
     * @param {(line: string) => void} [onLine] gets every line of its log
     * @returns {Promise<string>} where it listens
     */
    origin: (onLine) =>
      new Promise((resolve, reject) => {
        const lines = createInterface({ input: child.stdout });
        lines.on('line', (line) => {
          onLine?.(line);
          const { port } = JSON.parse(line);
          if (port) resolve(`http://127.0.0.1:${port}`);
        });
        lines.on('close', () => reject(new Error(`The server ended before it listened: ${errors}`)));
      }),
    /** @param {NodeJS.Signals} [signal] */
    async stop(signal = 'SIGKILL') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
  };
}
