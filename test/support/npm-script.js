/**
 * `npm run NAME`, as a person types it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * @import { ChildProcessByStdio } from 'node:child_process'
 * @import { Readable } from 'node:stream'
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {string} name of a script in package.json
 * @param {readonly string[]} [args]
 * @param {Record<string, string>} [env] besides this process's own
 * @returns {ChildProcessByStdio<null, Readable, Readable>} the leader of a process group of its own, as a terminal
 *   makes one
 */
export function startScript(name, args = [], env = {}) {
  return spawn('npm', ['run', '--silent', name, '--', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/**
 * @param {string} name
 * @param {readonly string[]} [args]
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ code: number | null, out: string, err: string }>} when it ended
 */
export async function runScript(name, args, env) {
  const child = startScript(name, args, env);
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  return { code, out, err };
}
