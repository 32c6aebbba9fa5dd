/**
 * Opens the store as a user who may not do all, and does what it is told: a program of its own, as root becomes another
 * user for good.
 *
 * usage: node store-user.js DATA_DIR UID, by fork
 */
import { openStore } from '../../server/store/index.js';
import { createDocument, createId, createSavedRun, hashToken } from '../support/saved-runs.js';

/** @import { Store } from '../../server/store/index.js' */

const [dataDir, uid] = process.argv.slice(2);
// After the imports, which may lie in root's home.
if (process.getuid?.() === 0) process.setuid?.(Number(uid));

const opened = start();

const CONTENTS = { document: createDocument('any'), tokenHash: hashToken('any') };

/** @type {Record<string, (store: Store) => Promise<unknown>>} */
const ACTS = {
  list: async (store) => (await store.list({ limit: 9 })).length,
  check: (store) => store.check(),
  save: (store) => store.save(createSavedRun({ id: createId('of a user') }), CONTENTS),
};

/** As a server does. */
async function start() {
  const store = await openStore({ dataDir });
  await store.migrate();
  await store.getSecret('jobs');
  return store;
}

process.on('message', async (act) => {
  try {
    process.send?.(String((await ACTS[String(act)](await opened)) ?? 'done'));
  } catch (error) {
    const { reason, message } = /** @type {any} */ (error);
    process.send?.(reason ?? message);
  }
});
