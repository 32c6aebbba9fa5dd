/**
 * Several programs that save to the same store at the same time (test/programs/save-many.js).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../programs/save-many.js', import.meta.url));

/**
 * @param {{ url?: string, dataDir?: string }} place
 * @param {string} name tells its runs from another's
 * @param {number} [count] absent for one that goes on until it is ended
 */
export function startSaver(place, name, count) {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(place), name, ...(count ? [String(count)] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** @type {string[]} */
  const lines = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    child.emit('said');
  });
  // All that it wrote is read by then, whatever ended it.
  const closed = once(child, 'close');

  return {
    /** @param {number} least of ids that it has told */
    async untilSaved(least) {
      while (lines.length <= least) {
        if (child.exitCode !== null)
          throw new Error(`A saver ended with ${child.exitCode} before it had saved ${least}`);
        await Promise.race([once(child, 'said'), closed]);
      }
    },
    kill: () => child.kill('SIGKILL'),
    /** @returns {Promise<{ code: number | null, migrations: string[], ids: string[] }>} when it ended */
    async ended() {
      const [code] = await closed;
      const [migrations = '[]', ...ids] = lines;
      return { code, migrations: JSON.parse(migrations), ids };
    },
  };
}
