/**
 * The site under a pm2 of its own: its own folder, its own daemon, a free port.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePorts } from '../../cli/program/free-ports.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PM2 = path.join(ROOT, 'node_modules/pm2/bin/pm2');

/**
 * @param {Parameters<typeof openPm2>[0]} options
 * @param {(site: Pm2Site) => Promise<unknown>} use
 */
export async function withPm2(options, use) {
  const site = await openPm2(options);
  try {
    await use(site);
  } finally {
    await site.close();
  }
}

/** @typedef {Awaited<ReturnType<typeof openPm2>>} Pm2Site */

/**
 * @param {{ workers: number, env?: Record<string, string>, args?: string[] }} options `args`: of `pm2 start`
 * @returns to be closed
 */
export async function openPm2({ workers, env: siteEnv, args = [] }) {
  const home = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-pm2-'));
  const port = await findFreePorts(workers + 1);
  const env = {
    ...process.env,
    PM2_HOME: home,
    PORT: String(port),
    WORKERS: String(workers),
    SERVER_NAME: 'test',
    DATA_DIR: path.join(home, 'data'),
    ...siteEnv,
  };
  /** @param {...string} words */
  const pm2 = async (...words) =>
    (await promisify(execFile)(process.execPath, [PM2, ...words], { cwd: ROOT, env })).stdout;
  const close = async () => {
    await pm2('kill');
    await rm(home, { recursive: true, force: true });
  };
  try {
    await pm2('start', 'ecosystem.config.js', ...args);
  } catch (error) {
    await close();
    throw error;
  }
  /** @returns {Promise<{ pid: number, pm2_env: Record<string, any> }[]>} */
  const list = async () => JSON.parse(await pm2('jlist'));
  return {
    pm2,
    port,
    origin: `http://127.0.0.1:${port}`,
    list,
    /** @returns {Promise<Record<string, any>[]>} what the workers have logged, and those before them */
    async readLogs() {
      const paths = (await list()).map(({ pm2_env: { pm_out_log_path: file } }) => file);
      const texts = await Promise.all(paths.map((file) => readFile(file, 'utf8')));
      return texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line));
    },
    close,
  };
}
