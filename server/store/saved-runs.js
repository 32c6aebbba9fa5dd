/** The queries of saved runs, for both databases. */
import { timingSafeEqual } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLists } from './lists.js';
import { toBytes, toRow, toRun, toWords } from './rows.js';

/**
 * @import { Kysely } from 'kysely'
 * @import { Readable, SavedRun } from './index.js'
 * @import { Tables } from './migrations.js'
 * @import { Words } from './rows.js'
 */

/** The number of runs deleted at once: with the largest documents, other writers do not wait long for a prune. */
const PRUNED_AT_ONCE = 10;

/**
 * @typedef {{ document: Uint8Array, tokenHash: Uint8Array }} Contents the token is the secret with which the saver may delete
 *   or replace the run
 * @typedef {'unknown' | 'wrong-token' | 'is-part'} Fault
 * @typedef {{ run: SavedRun, document: Uint8Array }} PartOfRun a run that is saved with the whole that it is a part of
 */

/** Creates what reads and writes runs, one by one. @param {Readable & { ensureInPlace(): Promise<void> }} database */
export function createSavedRuns({ db, readDb, ensureInPlace }) {
  return {
    ...createLists({ db, readDb }),

    /**
     * Saves a run with its parts, all or nothing, which is durable when it resolves. Rejects with the code 'id-taken' if
     * an ID is taken.
     * @param {SavedRun} run @param {Contents} contents @param {readonly PartOfRun[]} [parts] each with the run's ID as its
     *   `partOf`; only with that they can be deleted
     */
    async save(run, { document, tokenHash }, parts = []) {
      await ensureInPlace();
      await db.transaction().execute(async (trx) => {
        for (const one of [{ run, document }, ...parts]) await insertRun(trx, one, tokenHash);
      });
    },

    /**
     * Puts a run in the place of the one with its id and token: all of it, or nothing. Durable when it resolves.
     * @param {SavedRun} run @param {Contents} contents @returns {Promise<'replaced' | Fault>}
     */
    async replace(run, contents) {
      await ensureInPlace();
      return db.transaction().execute((trx) => replaceRun(trx, run, contents));
    },

    /**
     * Changes what the visitor says about a run and its parts: words that are undefined are removed, those that are absent
     * stay. Durable when it resolves.
     * @param {string} id @param {Uint8Array} tokenHash @param {Words} words @returns {Promise<'described' | Fault>}
     */
    async describe(id, tokenHash, words) {
      await ensureInPlace();
      return db.transaction().execute((trx) => describeRun(trx, id, { tokenHash, words }));
    },

    /** @param {string} id @returns {Promise<SavedRun | undefined>} */
    async get(id) {
      const row = await readDb.selectFrom('saved_runs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toRun(row);
    },

    /** Returns byte for byte what was saved. @param {string} id @returns {Promise<Uint8Array | undefined>} */
    async getDocument(id) {
      const documents = readDb.selectFrom('run_documents').select('document');
      const row = await documents.where('run_id', '=', id).executeTakeFirst();
      return row && toBytes(row.document);
    },

    /** Returns the IDs of a run's parts, by experiment. @param {string} id @returns {Promise<Record<string, string>>} */
    async getParts(id) {
      const rows = await readDb
        .selectFrom('saved_runs')
        .select(['id', 'experiment'])
        .where('part_of', '=', id)
        .execute();
      return Object.fromEntries(rows.map((row) => [row.experiment, row.id]));
    },

    /**
     * Deletes a run with its parts.
     * @param {string} id @param {Uint8Array} [tokenHash] absent for the operator
     * @returns {Promise<'deleted' | Fault>}
     */
    delete: (id, tokenHash) => db.transaction().execute((trx) => deleteRun(trx, id, tokenHash)),

    /** Deletes the runs saved before a date; returns how many. @param {Date} before */
    prune: (before) => pruneAll(db, before.toISOString()),
  };
}

/** @param {Kysely<Tables>} db @param {PartOfRun} one @param {Uint8Array} tokenHash */
async function insertRun(db, { run, document }, tokenHash) {
  const insertion = db.insertInto('saved_runs').values(toRow(run, tokenHash));
  const { numInsertedOrUpdatedRows } = await insertion
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) {
    const taken = new RangeError(`id: expected an unused ID, got '${run.id}'`);
    throw Object.assign(taken, { code: 'id-taken' });
  }
  await insertContents(db, run, document);
}

/** @param {Kysely<Tables>} db @param {SavedRun} run @param {Contents} contents @returns {Promise<'replaced' | Fault>} */
async function replaceRun(db, run, { document, tokenHash }) {
  const fault = await findFault(db, run.id, tokenHash);
  if (fault) return fault;
  // The row is updated, not deleted and inserted: the later of two concurrent replacements would find none.
  const update = db.updateTable('saved_runs').set(toRow(run, tokenHash)).where('id', '=', run.id);
  const { numUpdatedRows } = await update.executeTakeFirst();
  if (numUpdatedRows === 0n) return 'unknown';
  await db.deleteFrom('run_transports').where('run_id', '=', run.id).execute();
  await db.deleteFrom('run_documents').where('run_id', '=', run.id).execute();
  await insertContents(db, run, document);
  return 'replaced';
}

/**
 * @param {Kysely<Tables>} db @param {string} id @param {{ tokenHash: Uint8Array, words: Words }} change
 * @returns {Promise<'described' | Fault>}
 */
async function describeRun(db, id, { tokenHash, words }) {
  const fault = await findFault(db, id, tokenHash);
  if (fault) return fault;
  const { label, label_key, note, place_name, place_key } = toWords(words);
  const columns = {
    ...('label' in words && { label, label_key }),
    ...('note' in words && { note }),
    ...('place' in words && { place_name, place_key }),
  };
  if (Object.keys(columns).length === 0) return 'described';
  const update = db.updateTable('saved_runs').set(columns);
  const { numUpdatedRows } = await update.where('id', '=', id).executeTakeFirst();
  // It was deleted in between.
  if (numUpdatedRows === 0n) return 'unknown';
  await update.where('part_of', '=', id).execute();
  return 'described';
}

/** @param {Kysely<Tables>} db @param {string} id @param {Uint8Array} [tokenHash] @returns {Promise<'deleted' | Fault>} */
async function deleteRun(db, id, tokenHash) {
  const fault = await findFault(db, id, tokenHash);
  if (fault) return fault;
  const { numDeletedRows } = await db.deleteFrom('saved_runs').where('id', '=', id).executeTakeFirst();
  // Only one of two concurrent deletions succeeds.
  return numDeletedRows > 0n ? 'deleted' : 'unknown';
}

/**
 * Inserts what has tables of its own.
 * @param {Kysely<Tables>} db @param {SavedRun} run @param {Uint8Array} document
 */
async function insertContents(db, { id: run_id, savedAt: saved_at, transports }, document) {
  const rows = [...new Set(transports)].map((transport) => ({ run_id, transport, saved_at }));
  await db.insertInto('run_transports').values(rows).execute();
  const row = { run_id, document: Buffer.from(document) };
  await db.insertInto('run_documents').values(row).execute();
}

/**
 * Returns why a run must not be changed.
 * @param {Kysely<Tables>} db @param {string} id @param {Uint8Array} [tokenHash] @returns {Promise<Fault | undefined>}
 */
async function findFault(db, id, tokenHash) {
  const rows = db.selectFrom('saved_runs').select(['token_hash', 'part_of']).where('id', '=', id);
  const row = await rows.executeTakeFirst();
  if (!row) return 'unknown';
  if (tokenHash !== undefined && !isSame(toBytes(row.token_hash), tokenHash)) return 'wrong-token';
  // What a whole was measured with is not changed beneath it.
  return row.part_of === null ? undefined : 'is-part';
}

/** @param {Kysely<Tables>} db @param {string} before */
async function pruneAll(db, before) {
  for (let count = 0; ;) {
    const pruned = await pruneSome(db, before);
    count += pruned;
    if (pruned === 0) return count;
    // Other work of this process comes in between.
    await nextTurn();
  }
}

/** @param {Kysely<Tables>} db @param {string} before @returns {Promise<number>} 0 when none is left */
async function pruneSome(db, before) {
  const { numDeletedRows } = await db.transaction().execute((trx) => {
    const wholes = trx.selectFrom('saved_runs').select('id').where('part_of', 'is', null);
    const oldest = wholes.where('saved_at', '<', before).orderBy('saved_at');
    return trx.deleteFrom('saved_runs').where('id', 'in', oldest.limit(PRUNED_AT_ONCE)).executeTakeFirst();
  });
  return Number(numDeletedRows);
}

/** Compares in a time that does not reveal how much is right. @param {Uint8Array} a @param {Uint8Array} b */
const isSame = (a, b) => a.byteLength === b.byteLength && timingSafeEqual(a, b);
