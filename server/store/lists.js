/** The queries of lists, for both databases. None of them reads more of the store than what it lists, and some runs beside. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { foldName } from '../../core/base/fold.js';
import { DIGEST_LIMITS } from '../../core/experiment/documents/digest.js';
import { fillNewKeys, toListedRun } from './rows.js';
import { sql } from './kysely.js';

/**
 * @import { Kysely, RawBuilder } from 'kysely'
 * @import { Readable, Filter, SavedRun } from './index.js'
 * @import { Tables } from './migrations.js'
 * @import { Listed } from './rows.js'
 */

/**
 * @typedef {{ savedAt: string, id: string }} Position of a run in the list
 * @typedef {{ filter?: Filter, before?: Position, limit: number }} Page `before`: only what comes after
 */

/**
 * What lists are filtered by, with its column. The first two that are given have an index, of whole runs only where the
 * experiment is not one of them; the transport has a table of its own.
 */
const FILTER_COLUMNS = /** @type {const} */ ([
  ['experiment', 'experiment'],
  ['label', 'label_key'],
  ['place', 'place_key'],
  ['browser', 'browser'],
  ['server', 'server'],
  ['isValid', 'is_valid'],
]);

/** The number of runs read at once: a study has 2,000, which take some hundredths of a second. */
const READ_AT_ONCE = 100;

/** The number of runs that a search reads for what has no index: a third filter, a transport beside another filter, or a part of a text. */
export const SEARCHED_AT_ONCE = 2000;

/** The columns that a list shows of a run: not its digest's detail, nor its delete token. */
const LISTED_COLUMNS = /** @type {const} */ ([
  'run.id', 'run.saved_at', 'run.experiment', 'run.label', 'run.note', 'run.place_name', 'run.server', 'run.browser', 'run.transports', 'run.is_valid', 'run.part_of',
]); // prettier-ignore

/** Creates what reads lists of runs. @param {Readable} database */
export const createLists = ({ db, readDb }) => ({
  /**
   * Lists runs, newest first: by savedAt, then ID, descending. Their digests have no `detail`. Parts are only among them
   * where an experiment is asked for.
   * @param {Page} page @returns {Promise<SavedRun[]>}
   */
  list: async (page) => (await listRows({ db, readDb }, page)).map(toListedRun),

  /** Lists the same as rows, which another thread makes runs of. @param {Page} page */
  listRows: (page) => listRows({ db, readDb }, page),

  /**
   * Lists runs as `list` does, but reads a limited number. `searchedTo`: where it stopped before it had found enough.
   * @param {Page} page @returns {Promise<{ runs: SavedRun[], searchedTo?: Position }>}
   */
  async search(page) {
    await fillKeysOf({ db, readDb }, page.filter);
    const { rows, searchedTo } = await search(readDb, page);
    return { runs: rows.map(toListedRun), searchedTo };
  },

  /** Returns what stays the same for as long as nobody saves, changes or deletes a run. @returns {Promise<string>} */
  async readState() {
    const { count } = await readDb.selectFrom('changes').select('count').executeTakeFirstOrThrow();
    return String(count);
  },

  /**
   * Lists the places of the newest runs, those with the most runs first.
   * @param {{ among: number, limit: number }} options `among`: how many runs @returns {Promise<{ name: string, count: number }[]>}
   */
  async countPlaces({ among, limit }) {
    await fillNewKeys({ db, readDb }, 'place_key');
    const newest = readDb
      .selectFrom('saved_runs as run')
      .select(['run.place_key', 'run.place_name'])
      .where('run.part_of', 'is', null)
      .orderBy('run.saved_at', 'desc')
      .orderBy('run.id', 'desc')
      .limit(among);
    const places = await readDb
      .selectFrom(newest.as('newest'))
      .select([sql`max(newest.place_name)`.as('name'), sql`count(*)`.as('count')])
      .where('newest.place_key', 'is not', null)
      .groupBy('newest.place_key')
      .orderBy('count', 'desc')
      .orderBy('name')
      .limit(limit)
      .execute();
    return places.map(({ name, count }) => ({ name: String(name), count: Number(count) }));
  },

  /** Counts the runs that a list without a transport or a third filter has. @param {Filter} [filter] @returns {Promise<number>} */
  async count(filter = {}) {
    const counted = splitFilter(filter)
      .indexed(readDb)
      .select(sql`count(*)`.as('count'));
    return Number((await counted.executeTakeFirstOrThrow()).count);
  },
});

/** @param {Readable} database @param {Filter} [filter] whose names must have their keys */
async function fillKeysOf(database, { label, place, search } = {}) {
  if (label !== undefined || search !== undefined) await fillNewKeys(database, 'label_key');
  if (place !== undefined || search !== undefined) await fillNewKeys(database, 'place_key');
}

/** @param {Readable} database @param {Page} page */
async function listRows(database, { limit, ...page }) {
  await fillKeysOf(database, page.filter);
  /** @type {Listed[]} */
  const all = [];
  for (let { before } = page; ;) {
    const wanted = Math.min(limit - all.length, READ_AT_ONCE);
    const { rows, searchedTo } = await search(database.readDb, { ...page, before, limit: wanted });
    all.push(...rows);
    if (all.length === limit || (rows.length < wanted && !searchedTo)) return all;
    before = searchedTo ?? { savedAt: rows[rows.length - 1].saved_at, id: rows[rows.length - 1].id };
    // Other work of this process comes in between.
    await nextTurn();
  }
}

/** @param {Kysely<Tables>} db @param {Page} page @returns {Promise<{ rows: Listed[], searchedTo?: Position }>} */
async function search(db, { filter = {}, before, limit }) {
  const { indexed, others, position } = splitFilter(filter);
  const columns = sql.join(position);
  let found = indexed(db);
  if (before) found = found.where(sql`(${columns})`, '<', sql`(${before.savedAt}, ${before.id})`);
  for (const column of position) found = found.orderBy(column, 'desc');
  let listed = others
    .reduce((query, other) => query.where(other), found)
    .select(LISTED_COLUMNS)
    // A run that an earlier release saves during a reload has no `listed`, and may have a digest of any length.
    .select(sql`coalesce(run.listed, substr(run.digest, 1, ${sql.lit(DIGEST_LIMITS.bytes)}))`.as('digest'))
    .limit(limit);
  if (others.length === 0) return { rows: await listed.execute() };
  const [savedAt, id] = position;
  const ends = found.select([savedAt.as('savedAt'), id.as('id')]).limit(1);
  const end = await ends.offset(SEARCHED_AT_ONCE - 1).executeTakeFirst();
  if (end) listed = listed.where(sql`(${columns})`, '>=', sql`(${end.savedAt}, ${end.id})`);
  const rows = await listed.execute();
  return { rows, ...(rows.length < limit && { searchedTo: end }) };
}

/**
 * @param {Filter} filter
 * @returns {{ indexed: (db: Kysely<Tables>) => any, others: RawBuilder<any>[], position: RawBuilder<any>[] }} `indexed`: selects
 *   what an index finds in the order of the list; `others`: the conditions that no index holds, by which a database must not
 *   choose another index; `position`: the columns of that order
 */
function splitFilter(filter) {
  const { experiment, transport, search } = filter;
  const given = FILTER_COLUMNS.filter(([name]) => filter[name] !== undefined);
  const others = given
    .slice(2)
    .map(([name, column]) => sql`coalesce(run.${sql.ref(column)}, null) = ${valueOf(filter, name)}`);
  if (search !== undefined) others.push(containing(search));
  if (transport !== undefined && given.length === 0) {
    return {
      indexed: (db) =>
        db
          .selectFrom('run_transports as by')
          .innerJoin('saved_runs as run', 'run.id', 'by.run_id')
          .where('by.transport', '=', transport),
      others: [...others, sql`coalesce(run.part_of, '') = ''`],
      position: [sql.ref('by.saved_at'), sql.ref('by.run_id')],
    };
  }
  if (transport !== undefined) {
    const own = sql`select 1 from run_transports as by where by.run_id = run.id and by.transport = ${transport}`;
    others.push(sql`exists (${own})`);
  }
  return {
    indexed(db) {
      const runs = db.selectFrom('saved_runs as run');
      // Kysely has no type for a query with a number of conditions that is not known before.
      return given
        .slice(0, 2)
        .reduce(
          (query, [name, column]) => query.where(`run.${column}`, '=', valueOf(filter, name)),
          /** @type {any} */ (experiment === undefined ? runs.where('run.part_of', 'is', null) : runs),
        );
    },
    others,
    position: [sql.ref('run.saved_at'), sql.ref('run.id')],
  };
}

/** @param {string} search @returns {RawBuilder<any>} whether a text by which people look for a run contains it */
function containing(search) {
  const patternOf = (/** @type {string} */ text) => `%${text.replace(/[!%_]/g, '!$&')}%`;
  const folded = patternOf(foldName(search));
  const conditions = [
    ...['run.place_key', 'run.label_key'].map(
      (column) => sql`coalesce(${sql.ref(column)}, '') like ${folded} escape '!'`,
    ),
    // SQLite knows the other case of ASCII's letters only.
    ...['run.server', 'run.browser'].flatMap((column) => [
      sql`lower(coalesce(${sql.ref(column)}, '')) like ${folded} escape '!'`,
      sql`coalesce(${sql.ref(column)}, '') like ${patternOf(search.trim())} escape '!'`,
    ]),
  ];
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** @param {Filter} filter @param {typeof FILTER_COLUMNS[number][0]} name @returns {string | number} as its column has it */
function valueOf(filter, name) {
  const value = filter[name];
  if (typeof value === 'boolean') return Number(value);
  return name === 'label' || name === 'place' ? foldName(String(value)) : String(value);
}
