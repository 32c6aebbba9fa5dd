/**
 * Servers for a test, closed in the end; two of them as workers that know each other.
 */
import { findFreePorts } from '../../cli/program/free-ports.js';
import { openServer } from './server.js';

/** @import { TestServer } from './server.js' */

/** On a busy machine a test would use up what one visitor may. */
const limits = { readMsPerMinute: 1e6 };

/**
 * @param {Parameters<typeof openServer>[0]} options
 * @param {(server: TestServer) => Promise<unknown>} use
 */
export async function withServer(options, use) {
  const server = await openServer(options);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

/**
 * One of two workers; the port of the other is free.
 *
 * @param {number} index
 * @param {number} port
 */
export const workerEnv = (index, port) => ({ PORT: String(port), WORKERS: '2', NODE_APP_INSTANCE: String(index) });

/**
 * @param {(workers: TestServer[], port: number) => Promise<unknown>} use
 * @param {Record<string, string>} [env] of both; without a DATA_DIR each has a store of its own
 */
export async function withTwoWorkers(use, env) {
  const port = await findFreePorts(3);
  await withServer({ limits, env: { ...env, ...workerEnv(0, port) } }, (first) =>
    withServer({ limits, env: { ...env, ...workerEnv(1, port) } }, (second) => use([first, second], port)),
  );
}
