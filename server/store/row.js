/**
 * A saved run as a row of its table, and back. libsql ends the whole program when it is given a boolean, so each value is
 * checked before it gets there.
 */
import { checkBytes, checkNumber, checkText, MAX_INDEXED_CHARACTERS } from './storable.js';

/**
 * @import { SavedRunsTable } from './database.js'
 * @import { SavedRun } from './index.js'
 */

/** What is read of a row for a run; not the hash of its token. */
export const LISTED = /** @type {const} */ ([
  'id',
  'saved_at',
  'experiment',
  'label',
  'note',
  'place_name',
  'latitude',
  'longitude',
  'server',
  'browser',
  'transports',
  'is_valid',
  'digest',
]);

/**
 * @param {SavedRun} run
 * @param {Uint8Array} tokenHash
 * @returns {SavedRunsTable}
 * @throws {RangeError} what, expected, got
 */
export function toRow(run, tokenHash) {
  const { place = {} } = run;
  return {
    id: indexed('id', run.id),
    saved_at: checkInstant('savedAt', run.savedAt),
    experiment: indexed('experiment', run.experiment),
    label: orNull(run.label, (label) => indexed('label', label)),
    note: orNull(run.note, (note) => checkText('note', note)),
    place_name: orNull(place.name, (name) => indexed('place.name', name)),
    latitude: orNull(place.latitude, (latitude) => checkNumber('place.latitude', latitude)),
    longitude: orNull(place.longitude, (longitude) => checkNumber('place.longitude', longitude)),
    server: indexed('server', run.server),
    browser: orNull(run.browser, (browser) => indexed('browser', browser)),
    transports: JSON.stringify(checkTransports(run.transports)),
    is_valid: run.isValid ? 1 : 0,
    digest: checkText('digest', JSON.stringify(run.digest)),
    token_hash: checkBytes('tokenHash', tokenHash),
  };
}

/** @param {Pick<SavedRunsTable, typeof LISTED[number]>} row @returns {SavedRun} what is not known is absent */
export function toRun(row) {
  const place = dropNull({ name: row.place_name, latitude: row.latitude, longitude: row.longitude });
  return {
    id: row.id,
    savedAt: row.saved_at,
    experiment: row.experiment,
    ...dropNull({ label: row.label, note: row.note }),
    ...(Object.keys(place).length > 0 && { place }),
    server: row.server,
    ...dropNull({ browser: row.browser }),
    transports: JSON.parse(row.transports),
    isValid: row.is_valid === 1,
    digest: JSON.parse(row.digest),
  };
}

/** @param {string} name @param {unknown} value */
function indexed(name, value) {
  return checkText(name, value, MAX_INDEXED_CHARACTERS);
}

/** The list's order is that of this text. @param {string} name @param {string} text */
function checkInstant(name, text) {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return text;
  throw new RangeError(`${name}: expected an instant like 2026-11-21T07:00:00.000Z, got '${text}'`);
}

/** @param {unknown} transports */
function checkTransports(transports) {
  if (!Array.isArray(transports) || transports.length === 0) {
    throw new RangeError(`transports: expected at least one, got ${JSON.stringify(transports)}`);
  }
  return transports.map((transport) => indexed('transports', transport));
}

/**
 * @template T, U
 * @param {T | undefined} value
 * @param {(value: T) => U} check
 */
function orNull(value, check) {
  return value === undefined ? null : check(value);
}

/**
 * @template T
 * @param {Record<string, T | null>} fields
 * @returns {Record<string, any>}
 */
function dropNull(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
