/** The queries of studies of users: who made them, and for which pages. */
import { timingSafeEqual } from 'node:crypto';
import { foldName } from '../../core/base/fold.js';
import { toBytes } from './rows.js';

/**
 * @import { Kysely } from 'kysely'
 * @import { Readable } from './index.js'
 * @import { Tables } from './migrations.js'
 * @typedef {object} FieldSettings
 * @property {readonly string[]} origins of the pages that may measure
 * @property {number} sample share of browsers, above 0 to 1
 * @property {boolean} isOn
 * @typedef {FieldSettings & { label: string, createdAt: string }} FieldStudy
 * @typedef {{ origins?: string, sample?: string, is_on?: number }} Columns of settings, without booleans
 */

/** @param {Readable & { ensureInPlace(): Promise<void> }} database */
export function createFieldStudies({ db, readDb, ensureInPlace }) {
  return {
    /**
     * Creates a study of users, unless the label has one, or has shared runs, which are somebody else's.
     * @param {FieldStudy} study @param {Uint8Array} keyHash @returns {Promise<'created' | 'taken'>}
     */
    async createFieldStudy(study, keyHash) {
      await ensureInPlace();
      return db.transaction().execute((trx) => insertStudy(trx, study, keyHash));
    },

    /** @param {string} label in any case and composition @returns {Promise<FieldStudy | undefined>} */
    async getFieldStudy(label) {
      const query = readDb.selectFrom('field_studies').selectAll().where('label_key', '=', foldName(label));
      const row = await query.executeTakeFirst();
      return row && toStudy(row);
    },

    /**
     * Changes what is given. Durable when it resolves.
     * @param {string} label @param {Uint8Array} keyHash @param {Partial<FieldSettings>} changes
     * @returns {Promise<'changed' | 'unknown' | 'wrong-token'>}
     */
    async changeFieldStudy(label, keyHash, changes) {
      await ensureInPlace();
      return db.transaction().execute((trx) => changeStudy(trx, label, { keyHash, changes }));
    },

    /**
     * Deletes a study with all that was counted.
     * @param {string} label @param {Uint8Array} keyHash @returns {Promise<'deleted' | 'unknown' | 'wrong-token'>}
     */
    async deleteFieldStudy(label, keyHash) {
      await ensureInPlace();
      return db.transaction().execute(async (trx) => {
        const fault = await findFault(trx, label, keyHash);
        if (fault) return fault;
        // With its counters.
        await trx.deleteFrom('field_studies').where('label_key', '=', foldName(label)).execute();
        return 'deleted';
      });
    },
  };
}

/** @param {Kysely<Tables>} trx @param {FieldStudy} study @param {Uint8Array} keyHash @returns {Promise<'created' | 'taken'>} */
async function insertStudy(trx, { label, createdAt, ...settings }, keyHash) {
  const key = foldName(label);
  const run = trx.selectFrom('saved_runs').select('id').where('label_key', '=', key).limit(1);
  if (await run.executeTakeFirst()) return 'taken';
  const columns = /** @type {Required<Columns>} */ (toColumns(settings));
  const row = { label_key: key, label, created_at: createdAt, key_hash: Buffer.from(keyHash), ...columns };
  const insertion = trx.insertInto('field_studies').values(row);
  const { numInsertedOrUpdatedRows } = await insertion
    .onConflict((conflict) => conflict.column('label_key').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n ? 'created' : 'taken';
}

/** @param {Kysely<Tables>} trx @param {string} label @param {{ keyHash: Uint8Array, changes: Partial<FieldSettings> }} asked */
async function changeStudy(trx, label, { keyHash, changes }) {
  const fault = await findFault(trx, label, keyHash);
  if (fault) return fault;
  const columns = toColumns(changes);
  if (Object.keys(columns).length > 0)
    await trx.updateTable('field_studies').set(columns).where('label_key', '=', foldName(label)).execute();
  return 'changed';
}

/** @param {Kysely<Tables>} trx @param {string} label @param {Uint8Array} keyHash */
async function findFault(trx, label, keyHash) {
  const query = trx.selectFrom('field_studies').select('key_hash').where('label_key', '=', foldName(label));
  const row = await query.executeTakeFirst();
  if (!row) return 'unknown';
  const known = toBytes(row.key_hash);
  return known.byteLength === keyHash.byteLength && timingSafeEqual(known, keyHash) ? undefined : 'wrong-token';
}

/** @param {Partial<FieldSettings>} settings @returns {Columns} */
const toColumns = ({ origins, sample, isOn }) => ({
  ...(origins && { origins: JSON.stringify(origins) }),
  ...(sample !== undefined && { sample: String(sample) }),
  ...(isOn !== undefined && { is_on: Number(isOn) }),
});

/** @param {Tables['field_studies']} row @returns {FieldStudy} */
const toStudy = ({ label, origins, sample, is_on: isOn, created_at: createdAt }) => ({
  label,
  origins: JSON.parse(origins),
  sample: Number(sample),
  isOn: isOn === 1,
  createdAt,
});
