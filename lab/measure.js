/**
 * Runs an experiment over a link: `sockshootout run` at the client's end, the site at the server's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * @import { ChildProcess, StdioOptions } from 'node:child_process'
 * @import { EmulatedLink, Ping } from '../core/experiment/emulated-link.js'
 * @import { Link } from './link.js'
 */

const PROGRAM = fileURLToPath(new URL('../cli/sockshootout.js', import.meta.url));

/**
 * @typedef {object} Measured
 * @property {string} origin of the site
 * @property {Ping} ping before the run
 * @property {string[]} args of `sockshootout run`: the experiment, then options
 * @property {NodeJS.ProcessEnv} [env] variables besides those of this process
 * @property {number} [cutMs] how long the link is cut each time that the run asks for it
 *
 * @typedef {{ end: Promise<number>, kill: (name: NodeJS.Signals) => void }} StartedRun `end`: the exit code
 */

/**
 * Starts a run whose document has the link. Its output is that of this program.
 *
 * @param {Link} link
 * @param {Measured} measured
 * @returns {StartedRun}
 */
export function startRun(link, { origin, ping, args, env: more, cutMs }) {
  /** @type {EmulatedLink} */
  const saved = { kind: link.kind, ...link.conditions, ping };
  const command = [process.execPath, PROGRAM, 'run', ...args, '--url', origin, '--link', JSON.stringify(saved)];
  const [name, ...rest] = link.clientCommand(command);
  // A proxy cannot be reached from there.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/_proxy$/i.test(key)));
  /** @type {StdioOptions} */
  const stdio = ['inherit', 'inherit', 'inherit', ...(cutMs === undefined ? [] : [/** @type {const} */ ('ipc')])];
  const child = spawn(name, rest, { env: { ...env, ...more }, stdio });
  if (cutMs !== undefined) child.on('message', () => cutFor(child, link, cutMs));
  link.startChanges();
  return { end: once(child, 'exit').then(([code]) => code ?? 1), kill: (signal) => child.kill(signal) };
}

/**
 * Cuts the link, and tells the run when it is cut and when it is whole again.
 * @param {ChildProcess} run @param {Link} link @param {number} cutMs
 */
async function cutFor(run, link, cutMs) {
  const tell = (/** @type {string} */ state) => run.connected && run.send(state);
  try {
    await link.cut(cutMs, () => tell('cut'));
    tell('whole');
  } catch {
    // The run ends with an error then.
    if (run.connected) run.disconnect();
  }
}
