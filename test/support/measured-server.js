/**
 * A server in a process of its own, so that its memory, its time and its store are its own. Run by itself it is that
 * process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openServer } from './server.js';

/** @import { Limits } from '../../server/http/limits.js' */

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
 */
export async function startMeasuredServer(limits = {}, execArgv = []) {
  const child = fork(FILE, [JSON.stringify(limits)], { execArgv: ['--expose-gc', ...execArgv] });
  const [{ port }] = await once(child, 'message');

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

    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

if (process.argv[1] === FILE) {
  const server = await openServer({ limits: JSON.parse(process.argv[2]) });
  /** @type {NodeJS.Timeout | undefined} */
  let looks;
  let mostHeldBytes = 0;
  const look = () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    mostHeldBytes = Math.max(mostHeldBytes, heapUsed + external);
  };
  const peakRssBytes = () => process.resourceUsage().maxRSS * 1024;
  /** @type {Record<string, () => object>} */
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
  };
  process.on('message', (question) => process.send?.(answers[String(question)]()));
  // Also where its parent was killed.
  process.on('disconnect', () => server.close().finally(() => process.exit()));
  process.send?.({ port: server.port });
}
