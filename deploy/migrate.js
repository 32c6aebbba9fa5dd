/**
 * `npm run migrate`: runs the migrations of this release in the store that the environment names. A deployment does so
 * once, before any worker of the release starts; elsewhere each worker does it at its start.
 */
import { parseConfig } from '../server/config.js';
import { openStore } from '../server/store/index.js';

try {
  const { dataDir, databaseUrl: url } = parseConfig().store;
  const store = await openStore({ url, dataDir });
  try {
    for (const name of await store.migrate()) process.stdout.write(`  migrated: ${name}\n`);
  } finally {
    await store.close();
  }
} catch (error) {
  process.stderr.write(`The store could not be migrated: ${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
