/**
 * Real servers for tests: in this process on a free port, or as a program of its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../server/app.js';
import { parseConfig } from '../../server/config.js';
import { createLog } from '../../server/log.js';
import { ownPortOf } from '../../server/workers.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {object} [options]
 * @param {Record<string, string>} [options.env]
 * @param {Partial<import('../../server/limits.js').Limits>} [options.limits]
 * @param {import('../../server/app.js').PutOff} [options.putOff]
 */
export async function openServer({ env = {}, limits, putOff } = {}) {
  const config = parseConfig({ SERVER_NAME: 'test', HOST: '127.0.0.1', LOG_LEVEL: 'silent', PORT: '0', ...env });
  const app = await createApp({ config, log: createLog(config), limits: { drainMs: 300, ...limits }, putOff });
  if (config.workers && app.ownServer) {
    app.ownServer.listen(ownPortOf(config.workers), '127.0.0.1');
    await once(app.ownServer, 'listening');
  }
  app.server.listen(0, '127.0.0.1');
  await once(app.server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (app.server.address());
  return {
    ...app,
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () => app.drain(),
  };
}

/** @typedef {Awaited<ReturnType<typeof openServer>>} TestServer */

/**
 * `node server.js`, as a person starts it.
 *
 * @param {Record<string, string>} [env]
 */
export function spawnServer(env = {}) {
  const child = spawn(process.execPath, ['server.js'], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal, errors }));

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
