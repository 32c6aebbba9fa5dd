/**
 * The one layer of queries, for both databases.
 */
import { timingSafeEqual } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { LISTED, toRow, toRun } from './row.js';
import { checkBytes, isStorableText, toBytes } from './storable.js';

/**
 * @import { ExpressionBuilder, Kysely } from 'kysely'
 * @import { Database, SavedRunsTable, Tables } from './database.js'
 * @import { Filter, SavedRuns } from './index.js'
 */

/** Of runs with the largest documents, so that others who write do not wait long for a prune. */
const PRUNED_AT_ONCE = 10;

/** The text that the list is filtered by, and its columns; the transport has a table of its own. */
const FILTER_COLUMNS = /** @type {const} */ ([
  ['experiment', 'run.experiment'],
  ['label', 'run.label'],
  ['place', 'run.place_name'],
  ['server', 'run.server'],
  ['browser', 'run.browser'],
]);

/** @param {Pick<Database, 'db' | 'readDb' | 'ensureInPlace'>} database @returns {SavedRuns} */
export function createSavedRuns({ db, readDb, ensureInPlace }) {
  return {
    async save(run, { document, tokenHash }) {
      const row = toRow(run, tokenHash);
      const contents = { run_id: row.id, document: checkBytes('document', document) };
      const transports = [...new Set(run.transports)].map((transport) => ({
        run_id: row.id,
        transport,
        saved_at: row.saved_at,
      }));
      await ensureInPlace();
      await db.transaction().execute(async (trx) => {
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('saved_runs')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) throw idTaken(row.id);
        await trx.insertInto('run_transports').values(transports).execute();
        await trx.insertInto('run_documents').values(contents).execute();
      });
    },

    async get(id) {
      if (!isStorableText(id)) return undefined;
      const row = await readDb.selectFrom('saved_runs').select(LISTED).where('id', '=', id).executeTakeFirst();
      return row && toRun(row);
    },

    async getDocument(id) {
      if (!isStorableText(id)) return undefined;
      const row = await readDb
        .selectFrom('run_documents')
        .select('document')
        .where('run_id', '=', id)
        .executeTakeFirst();
      return row && toBytes(row.document);
    },

    async list({ filter = {}, before, limit }) {
      if (!Number.isInteger(limit)) throw new RangeError(`limit: expected an integer, got ${limit}`);
      if (!canMatch(filter, before)) return [];
      const rows = await selectPage(readDb, { filter, before, limit }).execute();
      return rows.map(toRun);
    },

    async delete(id, tokenHash) {
      if (!isStorableText(id)) return 'unknown';
      return db.transaction().execute(async (trx) => {
        const row = await trx.selectFrom('saved_runs').select('token_hash').where('id', '=', id).executeTakeFirst();
        if (!row) return 'unknown';
        if (tokenHash !== undefined && !isSame(toBytes(row.token_hash), tokenHash)) return 'wrong-token';
        const { numDeletedRows } = await trx.deleteFrom('saved_runs').where('id', '=', id).executeTakeFirst();
        // Of two that delete it at the same moment, one does.
        return numDeletedRows > 0n ? 'deleted' : 'unknown';
      });
    },

    async prune(before) {
      const limit = before.toISOString();
      for (let count = 0; ;) {
        const pruned = await pruneSome(db, limit);
        count += pruned;
        if (pruned === 0) return count;
        // For what else this process has to do.
        await nextTurn();
      }
    },
  };
}

/** @param {string} id @returns {RangeError & { code: 'id-taken' }} which a caller can tell from other refusals */
function idTaken(id) {
  return Object.assign(new RangeError(`id: expected one that is not taken, got '${id}'`), {
    code: /** @type {const} */ ('id-taken'),
  });
}

/** @param {Kysely<Tables>} db @param {string} before @returns {Promise<number>} 0 when none is left */
async function pruneSome(db, before) {
  const { numDeletedRows } = await db.transaction().execute((trx) =>
    trx
      .deleteFrom('saved_runs')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('saved_runs')
          .select('id')
          .where('saved_at', '<', before)
          .orderBy('saved_at')
          .limit(PRUNED_AT_ONCE),
      )
      .executeTakeFirst(),
  );
  return Number(numDeletedRows);
}

/**
 * @param {Kysely<Tables>} db
 * @param {{ filter: Filter, before?: { savedAt: string, id: string }, limit: number }} page
 */
function selectPage(db, { filter, before, limit }) {
  const { transport, label, place, isValid } = filter;
  const runs = db
    .selectFrom('saved_runs as run')
    .select(LISTED.map((column) => /** @type {const} */ (`run.${column}`)));
  // A label or a place leaves fewer runs than a transport. Where there is neither, the list is read in the order of the
  // transport's own table, without sorting all that have it.
  const isByTransport = transport !== undefined && label === undefined && place === undefined;
  const order = isByTransport ? ORDERS.transport : ORDERS.run;
  let query = isByTransport ? joinTransport(runs, transport) : runs;
  if (transport !== undefined && !isByTransport) query = query.where((eb) => eb.exists(selectTransport(eb, transport)));
  for (const [name, column] of FILTER_COLUMNS) {
    const text = filter[name];
    if (text !== undefined) query = query.where(column, '=', text);
  }
  if (isValid !== undefined) query = query.where('run.is_valid', '=', isValid ? 1 : 0);
  if (before) query = query.where(sql`(${order.savedAt}, ${order.id})`, '<', sql`(${before.savedAt}, ${before.id})`);
  return query.orderBy(order.savedAt, 'desc').orderBy(order.id, 'desc').limit(limit);
}

const ORDERS = {
  run: { savedAt: sql.ref('run.saved_at'), id: sql.ref('run.id') },
  transport: { savedAt: sql.ref('by.saved_at'), id: sql.ref('by.run_id') },
};

/**
 * @template T
 * @param {T} runs
 * @param {string} transport
 * @returns {T} nothing more is read
 */
function joinTransport(runs, transport) {
  return /** @type {any} */ (runs)
    .innerJoin('run_transports as by', 'by.run_id', 'run.id')
    .where('by.transport', '=', transport);
}

/** @param {ExpressionBuilder<Tables & { run: SavedRunsTable }, 'run'>} eb @param {string} transport */
function selectTransport(eb, transport) {
  return eb
    .selectFrom('run_transports as by')
    .select('by.run_id')
    .whereRef('by.run_id', '=', 'run.id')
    .where('by.transport', '=', transport);
}

/** @param {Filter} filter @param {{ savedAt: string, id: string }} [before] */
function canMatch({ isValid: _, ...texts }, before) {
  return [...Object.values(texts), before?.savedAt, before?.id].every(
    (text) => text === undefined || isStorableText(text),
  );
}

/** Compares without telling by its time how much was right. @param {Uint8Array} a @param {Uint8Array} b */
function isSame(a, b) {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
