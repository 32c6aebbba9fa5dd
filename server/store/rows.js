/** Converts saved runs to rows of the database, and back; fills the keys of names, by which these are found however they are written. */
import { foldName } from '../../core/base/fold.js';
import { parseJson } from '../../core/base/foreign-text.js';

/**
 * @import { Place } from '../../core/experiment/run/names.js'
 * @import { SavedRun, Readable } from './index.js'
 * @import { Kysely } from 'kysely'
 * @import { Tables } from './migrations.js'
 * @typedef {{ label?: string, note?: string, place?: Place }} Words the visitor's, about the run
 */

/** The start of the detail in a digest's JSON. No string contains it, as quotes in a string have a backslash. */
const DETAIL = ',"detail":';

/**
 * @typedef {object} WordsColumns what a visitor says about a run; null where that is nothing
 * @property {string | null} label
 * @property {string | null} label_key by which a name is found, however it is written
 * @property {string | null} note
 * @property {string | null} place_name
 * @property {string | null} place_key
 * @typedef {object} RunColumns
 * @property {string} id
 * @property {string} experiment
 * @property {string} server
 * @property {string} saved_at
 * @property {string | null} browser
 * @property {string} transports JSON
 * @property {number} is_valid 1 for valid, 0 for invalid, 2 for unknown
 * @property {string} digest JSON
 * @property {string} listed the digest without its detail, for lists
 * @property {Buffer} token_hash
 * @property {string} [part_of] absent where the column is the default, as tables of the release before have none
 * @typedef {RunColumns & WordsColumns} SavedRunsTable
 * @typedef {Omit<SavedRunsTable, 'listed' | 'label_key' | 'place_key' | 'token_hash'>} Listed
 */

/** The value of unknown validity, beside 1 for valid and 0 for invalid. */
const VALIDITY_UNKNOWN = 2;

/**
 * Converts a run to a row without booleans, with which libsql would end the whole process.
 * @param {SavedRun} run @param {Uint8Array} tokenHash @returns {SavedRunsTable}
 */
export function toRow(
  { savedAt, label, note, place, browser, transports, isValid, digest, partOf, ...run },
  tokenHash,
) {
  return {
    ...run,
    saved_at: savedAt,
    ...toWords({ label, note, place }),
    browser: browser ?? null,
    transports: JSON.stringify(transports),
    is_valid: isValid === undefined ? VALIDITY_UNKNOWN : Number(isValid),
    digest: JSON.stringify(digest),
    listed: formatListed(digest),
    token_hash: Buffer.from(tokenHash),
    ...(partOf !== undefined && { part_of: partOf }),
  };
}

/** Converts what a visitor says about a run, with the keys by which that is found. @param {Words} words @returns {WordsColumns} */
export const toWords = ({ label, note, place }) => ({
  label: label ?? null,
  label_key: label === undefined ? null : foldName(label),
  note: note ?? null,
  place_name: place?.name ?? null,
  place_key: place?.name === undefined ? null : foldName(place.name),
});

/** @param {Record<string, any>} digest @returns {Record<string, any>} what lists show of it */
const withoutDetail = ({ detail: _, ...listed }) => listed;

/** Formats the part of a digest that lists read. @param {Record<string, any>} digest @returns {string} */
export const formatListed = (digest) => JSON.stringify(withoutDetail(digest));

/** Converts a row to a run. @param {SavedRunsTable} row @returns {SavedRun} */
export const toRun = ({ digest, ...row }) => ({ ...fieldsOf(row), digest: JSON.parse(digest) });

/** Converts a row of a list to a run, without the detail of its digest. @param {Listed} row @returns {SavedRun} */
export const toListedRun = ({ digest, ...row }) => ({ ...fieldsOf(row), digest: parseListed(digest) });

/** @param {string} json of a digest, or its beginning: then what stands before a detail that is too long */
const parseListed = (json) =>
  withoutDetail(parseJson(json) ?? parseJson(`${json.slice(0, json.indexOf(DETAIL))}}`) ?? {});

/** @param {Omit<Listed, 'digest'>} row @returns {Omit<SavedRun, 'digest'>} what is not known is absent */
function fieldsOf({ id, experiment, server, label, note, browser, ...row }) {
  return {
    id,
    savedAt: row.saved_at,
    experiment,
    server,
    ...withoutNull({
      label,
      note,
      browser,
      place: row.place_name === null ? null : { name: row.place_name },
      partOf: row.part_of,
    }),
    transports: JSON.parse(row.transports),
    ...(row.is_valid !== VALIDITY_UNKNOWN && { isValid: row.is_valid === 1 }),
  };
}

/** @param {Record<string, unknown>} fields @returns {Record<string, any>} */
function withoutNull(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** @param {Uint8Array | ArrayBuffer} got libsql has the one, pg a Buffer @returns {Uint8Array} */
export function toBytes(got) {
  return got instanceof ArrayBuffer ? new Uint8Array(got) : new Uint8Array(got.buffer, got.byteOffset, got.byteLength);
}

/** @typedef {keyof typeof NAMES} Key by which a name is found */

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
