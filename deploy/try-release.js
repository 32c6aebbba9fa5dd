/**
 * Starts the release that this file lies in, beside whatever serves, and asks it for its pages: one that does not start,
 * or has a broken view, or settings that are wrong, must not replace one that works.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endChild, readUntil } from '../lab/child.js';
import { parseConfig } from '../server/config.js';
import { ask } from './ask.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PATHS = ['/healthz', '/', '/ajaxtest', '/socktest'];
const START_LIMIT_MS = 20_000;

/** What only workers of pm2 use must fit, too: their number, and a port for each. */
function checkWorkers() {
  const { WORKERS = '1' } = process.env;
  parseConfig({ ...process.env, NODE_APP_INSTANCE: String(Number(WORKERS) - 1) });
}

const env = { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info' };
const server = spawn(process.execPath, ['server.js'], { cwd: ROOT, env });
try {
  checkWorkers();
  const port = await readUntil(server, parsePort, { limitMs: START_LIMIT_MS });
  for (const path of PATHS) await ask(`http://127.0.0.1:${port}${path}`);
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
} finally {
  await endChild(server);
}

/**
 * @param {string} line of the log
 * @returns {number | undefined}
 */
function parsePort(line) {
  const found = /"port":(\d+)/.exec(line);
  return found ? Number(found[1]) : undefined;
}
