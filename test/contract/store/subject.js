/** What the contract of the store is held against, whatever database is behind it. */
import { openStore } from '../../../server/store/index.js';
import { hashToken } from '../../support/saved-runs.js';

/**
 * @import { Database, SavedRun, Store } from '../../../server/store/index.js'
 * @import { StoreFaults } from '../../support/store-faults.js'
 */

export const TOKEN = hashToken('secret');
export const SMALL = { document: new Uint8Array([1]), tokenHash: TOKEN };
/** That have the same store open at the same moment. */
export const OPENED_COUNT = 3;

/**
 * @typedef {object} Subject
 * @property {{ url?: string, dataDir?: string }} place of a database that is still empty
 * @property {() => Promise<Database>} openDatabase
 * @property {StoreFaults} faults
 * @property {string} path by which errors name it
 *
 * @typedef {Record<string, (subject: Subject) => Promise<void>>} Contract
 */

/**
 * @param {(store: Store) => Promise<void>} use
 * @returns {(subject: Pick<Subject, 'place'>) => Promise<void>} opens and migrates, and closes in the end
 */
export function withStore(use) {
  return async ({ place }) => {
    const store = await openStore(place);
    try {
      await store.migrate();
      await use(store);
    } finally {
      await store.close();
    }
  };
}

/** @type {(a: SavedRun, b: SavedRun) => number} */
export function byNewest(a, b) {
  const [first, second] = [a, b].map(({ savedAt, id }) => `${savedAt} ${id}`);
  return first < second ? 1 : -1;
}
