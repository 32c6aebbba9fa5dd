/**
 * Secrets that the workers share, made by whichever of them asks first.
 */
import { randomBytes } from 'node:crypto';
import { toBytes } from './storable.js';

/**
 * @import { Database } from './database.js'
 * @import { Secrets } from './index.js'
 */

const SECRET_BYTES = 32;

/** @param {Pick<Database, 'db' | 'readDb' | 'ensureInPlace'>} database @returns {Secrets} */
export function createSecrets({ db, readDb, ensureInPlace }) {
  /** @param {string} name @param {typeof db} from */
  const read = async (name, from) => {
    const row = await from.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
    return row && toBytes(row.value);
  };

  return {
    async getSecret(name) {
      const known = await read(name, readDb);
      if (known) return known;
      await ensureInPlace();
      // Of several that make one at the same moment, the first one's is kept, and all read that.
      await db.transaction().execute((trx) =>
        trx
          .insertInto('secrets')
          .values({ name, value: randomBytes(SECRET_BYTES) })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute(),
      );
      const made = await read(name, db);
      if (!made) throw new Error(`secret: expected one by the name ${name}, as it was just made; got none`);
      return made;
    },
  };
}
