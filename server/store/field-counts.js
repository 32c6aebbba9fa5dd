/** The queries of the counters that the records of users add up to, by study. */
import { foldName } from '../../core/base/fold.js';

/**
 * @import { Kysely } from 'kysely'
 * @import { Readable } from './index.js'
 * @import { Tables } from './migrations.js'
 * @typedef {{ label: string, counters: ReadonlyMap<string, number> }} Counted what a study's records add
 */

/** SQLite has at most 32,766 variables in a statement, and PostgreSQL 65,535: three for each row. */
const ROWS_AT_ONCE = 1000;

/** @param {Readable & { ensureInPlace(): Promise<void> }} database */
export function createFieldCounts({ db, readDb, ensureInPlace }) {
  return {
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
