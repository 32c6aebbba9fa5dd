/**
 * Saved runs that were never measured, for what stores and lists them.
 */
import { createHash } from 'node:crypto';

/** @import { Database, SavedRun } from '../../server/store/index.js' */

const SAVED_AT = Date.parse('2026-11-21T07:00:00.000Z');

/**
 * @param {Partial<SavedRun>} [others]
 * @returns {SavedRun}
 */
export function createSavedRun(others = {}) {
  return {
    id: createId('a run'),
    savedAt: new Date(SAVED_AT).toISOString(),
    experiment: 'shootout',
    server: 'fra-1',
    transports: ['ajax', 'sockjs'],
    isValid: true,
    digest: { medianMs: { ajax: 4.5, sockjs: 2 } },
    ...others,
  };
}

/**
 * @param {string} seed
 * @returns {string} the same for the same seed
 */
export function createId(seed) {
  return createHash('sha256').update(seed).digest('base64url').slice(0, 16);
}

/**
 * @param {string} id
 * @param {number} [length] in bytes
 * @returns {Uint8Array} as random as a compressed document, and the same for the same id
 */
export function createDocument(id, length = 20_000) {
  // An XOF gives as many bytes as one asks for.
  return new Uint8Array(createHash('shake256', { outputLength: length }).update(id).digest());
}

/** @param {string} token */
export const hashToken = (token) => new Uint8Array(createHash('sha256').update(token).digest());

/**
 * Different ones, of which some were saved at the same moment, and some have neither label nor place.
 *
 * @param {number} count
 * @returns {SavedRun[]}
 */
export function createSavedRuns(count) {
  return Array.from({ length: count }, (_, index) => {
    const places = [undefined, { name: 'Köln' }, { name: 'San Francisco, cable' }];
    const labels = [undefined, 'first', 'second', undefined];
    const place = places[index % places.length];
    const label = labels[index % labels.length];
    return createSavedRun({
      id: createId(`run ${index}`),
      savedAt: new Date(SAVED_AT + 1000 * Math.floor(index / 5)).toISOString(),
      experiment: ['shootout', 'in-flight'][index % 2],
      server: ['fra-1', 'sfo-1'][Math.floor(index / 7) % 2],
      ...(index % 9 && { browser: ['Chrome', 'Firefox'][index % 5 === 0 ? 1 : 0] }),
      transports: [['ajax', 'sockjs'], ['fetch', 'websocket', 'sockjs'], ['ajax']][index % 3],
      isValid: index % 4 !== 3,
      ...(label && { label }),
      ...(place && { place }),
    });
  });
}

/**
 * As a release without a column for lists did.
 *
 * @param {Pick<Database, 'db'>} database
 * @param {SavedRun} run
 */
export async function saveAsEarlier({ db }, { id, savedAt, experiment, server, label, place, transports, digest }) {
  const row = {
    id,
    saved_at: savedAt,
    experiment,
    server,
    is_valid: 1,
    token_hash: Buffer.from(hashToken('x')),
  };
  const names = { label: label ?? null, place_name: place?.name ?? null };
  const texts = { transports: JSON.stringify(transports), digest: JSON.stringify(digest) };
  await db
    .insertInto('saved_runs')
    .values(/** @type {any} */ ({ ...row, ...names, ...texts }))
    .execute();
  const rows = transports.map((transport) => ({ run_id: id, transport, saved_at: savedAt }));
  await db.insertInto('run_transports').values(rows).execute();
}
