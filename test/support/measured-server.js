/**
 * A server in a process of its own, so that its memory, its time and its store are its own. Run by itself it is that
 * process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openServer } from './server.js';

/** @import { Limits } from '../../server/http/limits.js' */
/** @import { ServedPath } from '../../server/paths.js' */

const FILE = fileURLToPath(import.meta.url);
/** Between two looks at what is held, each after a collection. */
const LOOK_MS = 100;

/**
 * @typedef {object} Held
 * @property {number} heldBytes in and outside of V8's heap, after a collection: what something still refers to
 * @property {number} rssBytes what the system has given
 */

/**
 * @param {Partial<Limits>} [limits] others than the usual ones
 * @param {string[]} [execArgv] for Node.js
 * @param {{ env?: Record<string, string>, onOutput?: (line: string, stream: 'stdout' | 'stderr') => void }} [options] `env`:
 *   its configuration; `onOutput` gets each line of its log, and of whatever else it says
 */
export async function startMeasuredServer(limits = {}, execArgv = [], { env = {}, onOutput } = {}) {
  const options = { execArgv: ['--expose-gc', ...execArgv], silent: onOutput !== undefined };
  const child = fork(FILE, [JSON.stringify({ limits, env })], options);
  for (const stream of /** @type {const} */ (['stdout', 'stderr'])) {
    const input = child[stream];
    if (input) createInterface({ input }).on('line', (line) => onOutput?.(line, stream));
  }
  /** @type {Promise<number | NodeJS.Signals>} */
  const exited = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const [{ port }] = await Promise.race([
    once(child, 'message'),
    exited.then((code) => Promise.reject(new Error(`The server ended with ${code} before it listened`))),
  ]);

  /** @param {string} question */
  const ask = async (question) => {
    const answered = once(child, 'message');
    child.send(question);
    return (await answered)[0];
  };

  return {
    port,
    origin: `http://127.0.0.1:${port}`,

    /** @returns {Promise<{ rssBytes: number, peakRssBytes: number }>} now, and the most since it began */
    memory: () => ask('memory'),

    /**
     * From now on its garbage is collected ten times a second.
     *
     * @returns {Promise<Held>} now
     */
    watch: () => ask('watch'),

    /** @returns {Promise<Held>} the most of each since then */
    unwatch: () => ask('unwatch'),

    /** @returns {Promise<number>} what it has used so far, user and system together */
    async cpuMs() {
      const { user, system } = await ask('cpu');
      return (user + system) / 1000;
    },

    /** @returns {Promise<readonly ServedPath[]>} */
    paths: () => ask('paths'),

    /** @returns {Promise<{ connectionCount: number, heapBytes: number }>} now, the heap after a collection */
    rest: () => ask('rest'),

    /** Its exit code, or the signal that ended it. */
    exited,

    /** @returns {Promise<number | NodeJS.Signals>} its exit code, when it has drained */
    async close() {
      if (child.connected) child.disconnect();
      return exited;
    },
  };
}

if (process.argv[1] === FILE) {
  const server = await openServer(JSON.parse(process.argv[2]));
  /** @type {NodeJS.Timeout | undefined} */
  let looks;
  let mostHeldBytes = 0;
  const look = () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    mostHeldBytes = Math.max(mostHeldBytes, heapUsed + external);
  };
  const peakRssBytes = () => process.resourceUsage().maxRSS * 1024;
  /** @type {Record<string, () => object | Promise<object>>} */
  const answers = {
    memory: () => ({ rssBytes: process.memoryUsage.rss(), peakRssBytes: peakRssBytes() }),
    watch() {
      mostHeldBytes = 0;
      look();
      // The peak begins anew: https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html
      writeFileSync('/proc/self/clear_refs', '5');
      looks = setInterval(look, LOOK_MS);
      return { heldBytes: mostHeldBytes, rssBytes: process.memoryUsage.rss() };
    },
    unwatch() {
      clearInterval(looks);
      look();
      return { heldBytes: mostHeldBytes, rssBytes: peakRssBytes() };
    },
    cpu: () => process.cpuUsage(),
    paths: () => server.paths,
    async rest() {
      const connectionCount = await promisify(server.server.getConnections).call(server.server);
      // What the first lets go, by a finalizer, the second removes.
      for (let i = 0; i < 2; i++) {
        globalThis.gc?.();
        await setImmediate();
      }
      return { connectionCount, heapBytes: process.memoryUsage().heapUsed };
    },
  };
  process.on('message', async (question) => process.send?.(await answers[String(question)]()));
  // Also where its parent was killed.
  process.on('disconnect', () => server.close().finally(() => process.exit()));
  process.send?.({ port: server.port });
}
