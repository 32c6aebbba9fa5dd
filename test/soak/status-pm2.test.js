import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withPm2 } from '../support/pm2.js';

/** @import { Status } from '../../core/net/status.js' */

/**
 * @param {{ origin: string }} server
 * @returns {Promise<Status>}
 */
const readStatus = async ({ origin }) => (await fetch(`${origin}/status`)).json();

describe('/status under pm2', () => {
  it('tells a worker that was restarted from the one before, as whoami does, and one that is stopped', () =>
    withPm2({ workers: 2 }, async ({ pm2, list, origin, port }) => {
      /** @param {number} worker */
      const idOf = async (worker) => {
        const found = (await list()).find(({ pm2_env: env }) => env.NODE_APP_INSTANCE === worker);
        return String(found?.pm2_env.pm_id);
      };
      const before = await readStatus({ origin });
      await pm2('restart', await idOf(1));
      const after = await readStatus({ origin });
      assert.deepEqual([before.workers.length, after.workers.length], [2, 2]);
      assert.equal(after.workers[0].startedAt, before.workers[0].startedAt);
      assert.ok(after.workers[1].startedAt > before.workers[1].startedAt);
      const whoami = await (await fetch(`http://127.0.0.1:${port + 2}/ajaxecho?whoami=1`)).json();
      assert.equal(whoami.startedAt, after.workers[1].startedAt);

      await pm2('stop', await idOf(1));
      const { workers, silentWorkerCount } = await readStatus({ origin });
      assert.deepEqual([workers.map(({ worker }) => worker), silentWorkerCount], [[0], 1]);
    }));
});
