/** The queries of studies of users: who made them, for which pages, and the counters that their records add up to. */
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
 * @typedef {{ label: string, counters: ReadonlyMap<string, number> }} Counted what a study's records add
 */

/** SQLite has at most 32,766 variables in a statement, and PostgreSQL 65,535: three for each row. */
const ROWS_AT_ONCE = 1000;

/** @param {Readable & { ensureInPlace(): Promise<void> }} database */
export function createFieldStore({ db, readDb, ensureInPlace }) {
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

    /**
     * Adds to the counters of studies: all, or none; but nothing to one that is deleted. Durable when it resolves.
     * @param {readonly Counted[]} counted
     */
    async addFieldCounts(counted) {
      await ensureInPlace();
      await db.transaction().execute((trx) => addAllCounts(trx, counted));
    },

    /**
     * Returns some counters of the newest studies.
     * @param {{ names: readonly string[], limit: number }} asked @returns {Promise<Counted[]>} the newest study first
     */
    async listFieldCounts({ names, limit }) {
      const studies = readDb.selectFrom('field_studies').select(['label_key', 'label']).orderBy('created_at', 'desc');
      const newest = await studies.limit(limit).execute();
      if (newest.length === 0) return [];
      const keys = newest.map((study) => study.label_key);
      const counts = readDb.selectFrom('field_counts').selectAll().where('label_key', 'in', keys);
      const rows = await counts.where('name', 'in', [...names]).execute();
      return newest.map(({ label, label_key: key }) => {
        const own = rows.filter((row) => row.label_key === key);
        return { label, counters: new Map(own.map(({ name, count }) => [name, Number(count)])) };
      });
    },

    /** @param {string} label @returns {Promise<Map<string, number>>} by name; empty for a study without records */
    async readFieldCounts(label) {
      const query = readDb
        .selectFrom('field_counts')
        .select(['name', 'count'])
        .where('label_key', '=', foldName(label));
      const rows = await query.execute();
      return new Map(rows.map(({ name, count }) => [name, Number(count)]));
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

/** Adds to the studies that there are. @param {Kysely<Tables>} trx @param {readonly Counted[]} counted */
async function addAllCounts(trx, counted) {
  const keys = counted.map(({ label }) => foldName(label));
  const rows = await trx.selectFrom('field_studies').select('label_key').where('label_key', 'in', keys).execute();
  const existing = new Set(rows.map((row) => row.label_key));
  for (const [i, one] of counted.entries()) if (existing.has(keys[i])) await addCounts(trx, one);
}

/** @param {Kysely<Tables>} trx @param {Counted} counted */
async function addCounts(trx, { label, counters }) {
  const key = foldName(label);
  // In one order, so that of two workers none waits for the other while that waits for it.
  const names = [...counters.keys()].sort();
  for (let i = 0; i < names.length; i += ROWS_AT_ONCE) {
    const rows = names.slice(i, i + ROWS_AT_ONCE).map((name) => ({
      label_key: key,
      name,
      count: counters.get(name) ?? 0,
    }));
    const insertion = trx.insertInto('field_counts').values(rows);
    await insertion
      .onConflict((conflict) =>
        conflict.columns(['label_key', 'name']).doUpdateSet(({ eb, ref }) => ({
          count: eb(ref('field_counts.count'), '+', ref('excluded.count')),
        })),
      )
      .execute();
  }
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
