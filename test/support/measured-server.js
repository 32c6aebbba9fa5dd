/**
 * A server in a process of its own, so that its memory, its time and its store are its own. Run by itself it is that
 * process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openServer } from './server.js';

const FILE = fileURLToPath(import.meta.url);

/**
 * @param {Partial<import('../../server/http/limits.js').Limits>} [limits] others than the usual ones
 * @param {string[]} [execArgv] for Node.js
 */
export async function startMeasuredServer(limits = {}, execArgv = []) {
  const child = fork(FILE, [JSON.stringify(limits)], { execArgv });
  const [{ port }] = await once(child, 'message');

  return {
    port,
    origin: `http://127.0.0.1:${port}`,

    /** @returns {Promise<{ rssBytes: number, peakRssBytes: number }>} now, and the most since it began */
    async memory() {
      const answered = once(child, 'message');
      child.send('memory');
      return (await answered)[0];
    },

    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

if (process.argv[1] === FILE) {
  const server = await openServer({ limits: JSON.parse(process.argv[2]) });
  process.on('message', () => {
    const { maxRSS } = process.resourceUsage();
    process.send?.({ rssBytes: process.memoryUsage.rss(), peakRssBytes: maxRSS * 1024 });
  });
  // Also where its parent was killed.
  process.on('disconnect', () => server.close().finally(() => process.exit()));
  process.send?.({ port: server.port });
}
