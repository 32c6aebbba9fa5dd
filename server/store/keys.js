/** The keys by which labels and places are found, however they are written. */
import { foldName } from '../../core/base/fold.js';

/**
 * @import { Kysely } from 'kysely'
 * @import { Readable } from './index.js'
 * @import { Tables } from './migrations.js'
 * @typedef {keyof typeof NAMES} Key
 */

/** The columns of the names, by those of their keys. */
export const NAMES = /** @type {const} */ ({ place_key: 'place_name', label_key: 'label' });

/** Fills the keys of the names that an earlier release saved without. @param {Kysely<Tables>} db @param {Key} key */
export async function fillKeys(db, key) {
  for (const { name } of await selectWithout(db, key).execute()) {
    const update = db.updateTable('saved_runs').set({ [key]: foldName(String(name)) });
    await update.where(NAMES[key], '=', name).where(key, 'is', null).execute();
  }
}

/**
 * Fills those that an earlier release leaves out while it runs beside this one. A database that cannot be written now is read as
 * it is.
 * @param {Readable} database @param {Key} key
 */
export async function fillNewKeys({ db, readDb }, key) {
  if ((await selectWithout(readDb, key).limit(1).execute()).length === 0) return;
  const filled = db.transaction().execute((trx) => fillKeys(trx, key));
  await filled.catch(() => {});
}

/** @param {Kysely<Tables>} db @param {Key} key */
function selectWithout(db, key) {
  const names = db.selectFrom('saved_runs').select(`${NAMES[key]} as name`).distinct();
  return names.where(NAMES[key], 'is not', null).where(key, 'is', null);
}
