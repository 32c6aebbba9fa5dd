/**
 * Asks each worker, at its own port, whether it takes visitors.
 */
import { parseConfig } from '../server/config.js';
import { ownPortOf } from '../server/workers.js';
import { ask } from './ask.js';

try {
  const { workers } = parseConfig({ ...process.env, NODE_APP_INSTANCE: '0' });
  for (let index = 0; workers && index < workers.count; index++) {
    await ask(`http://127.0.0.1:${ownPortOf(workers, index)}/readyz`);
  }
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
