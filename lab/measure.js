/**
 * Runs an experiment over a link: `sockshootout run` at the client's end, the site at the server's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FORGET } from './options.js';

/**
 * @import { ChildProcess, StdioOptions } from 'node:child_process'
 * @import { EmulatedLink, Ping } from '../core/experiment/run/emulated-link.js'
 * @import { LinkState } from '../cli/clients/cuts.js'
 * @import { Link } from './link.js'
 * @import { Cut } from './options.js'
 */

const PROGRAM = fileURLToPath(new URL('../cli/sockshootout.js', import.meta.url));

/**
 * @typedef {object} Measured
 * @property {string} origin of the site
 * @property {Ping} ping before the run
 * @property {string[]} args of `sockshootout run`: the experiment, then options
 * @property {NodeJS.ProcessEnv} [env] variables besides those of this process
 * @property {Cut} [cut] what happens to the link each time that the run asks for it
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
export function startRun(link, { origin, ping, args, env: more, cut }) {
  /** @type {EmulatedLink} */
  const saved = { kind: link.kind, ...link.conditions, ping };
  const command = [process.execPath, PROGRAM, 'run', ...args, '--url', origin, '--link', JSON.stringify(saved)];
  const [name, ...rest] = link.clientCommand(command);
  // A proxy cannot be reached from there.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/_proxy$/i.test(key)));
  /** @type {StdioOptions} */
  const stdio = ['inherit', 'inherit', 'inherit', ...(cut === undefined ? [] : [/** @type {const} */ ('ipc')])];
  const child = spawn(name, rest, { env: { ...env, ...more }, stdio });
  if (cut !== undefined) child.on('message', () => cutFor(child, link, cut));
  link.startChanges();
  return { end: once(child, 'exit').then(([code]) => code ?? 1), kill: (signal) => child.kill(signal) };
}

/**
 * Cuts the link, and tells the run when it is cut and when it is whole again; or that it forgot the connections.
 * @param {ChildProcess} run @param {Link} link @param {Cut} cut
 */
async function cutFor(run, link, cut) {
  const tell = (/** @type {LinkState} */ state) => run.connected && run.send(state);
  try {
    if (cut === FORGET) {
      await link.forget();
      tell('forgot');
      return;
    }
    await link.cut(cut, () => tell('cut'));
    tell('whole');
  } catch {
    // The run ends with an error then.
    if (run.connected) run.disconnect();
  }
}
