/**
 * The runs that visitors saved, as they are asked for: with ids, tokens and pages over the store.
 */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BROWSER_NAMES, RUN_ID } from '../../core/experiment/names.js';
import { formatCursor } from './list-query.js';

/**
 * @import { SavedRun, Store } from '../store/index.js'
 * @import { ListQuery } from './list-query.js'
 * @import { CheckedSubmission } from './submission.js'
 */

const decompress = promisify(gunzip);

/** @typedef {ReturnType<typeof createArchive>} Archive */

/** @param {object} options @param {Store} options.store @param {() => Date} [options.clock] */
export function createArchive({ store, clock = () => new Date() }) {
  return {
    /**
     * Whoever makes the token may save twice what was saved, should the first answer have been lost: the id comes of it.
     *
     * @param {CheckedSubmission} submission
     * @param {string} [deleteToken] absent: one is made
     * @returns {Promise<{ outcome: 'saved' | 'there' | 'conflict', run: SavedRun, deleteToken: string }>} `there`: it was
     *   saved before by this token, as `run` says; `conflict`: `run` is of another document, and nothing was saved. The
     *   token is known to nobody else
     */
    async save({ document, digest, ...words }, deleteToken = randomBytes(24).toString('base64url')) {
      const { server, browser, transports, isValid } = digest;
      const run = {
        id: idOf(deleteToken),
        savedAt: clock().toISOString(),
        ...words,
        server,
        browser: browserFamilyOf(browser),
        transports,
        isValid,
        digest,
      };
      try {
        await store.save(run, { document, tokenHash: hashOf(deleteToken) });
        return { outcome: 'saved', run, deleteToken };
      } catch (error) {
        if (/** @type {any} */ (error).code !== 'id-taken') throw error;
        const there = await store.get(run.id);
        const thereDocument = there && (await store.getDocument(run.id));
        if (!there || !thereDocument) throw error;
        // Another version of zlib may have packed the same document otherwise.
        const [before, now] = await Promise.all([decompress(thereDocument), decompress(document)]);
        return { outcome: before.equals(now) ? 'there' : 'conflict', run: there, deleteToken };
      }
    },

    /** @param {string} id @returns {Promise<SavedRun | undefined>} */
    find: async (id) => (RUN_ID.test(id) ? store.get(id) : undefined),

    /**
     * @param {string} id of a run that there is
     * @returns {Promise<Uint8Array | undefined>} the document's JSON, by gzip
     */
    findDocument: (id) => store.getDocument(id),

    /**
     * @param {ListQuery} query
     * @returns {Promise<{ runs: SavedRun[], next?: string }>} `next` is the cursor of the page after it, if there is one
     */
    async list({ limit, ...query }) {
      const found = await store.list({ ...query, limit: limit + 1 });
      const runs = found.slice(0, limit);
      return { runs, next: found.length > limit ? formatCursor(runs[limit - 1]) : undefined };
    },

    /** @param {string} id @param {string} deleteToken @returns {Promise<'deleted' | 'wrong-token' | 'unknown'>} */
    delete: async (id, deleteToken) => (RUN_ID.test(id) ? store.delete(id, hashOf(deleteToken)) : 'unknown'),
  };
}

/** @param {string} [browser] with its version @returns {string | undefined} without it; absent for one that is not known */
function browserFamilyOf(browser) {
  return BROWSER_NAMES.find((name) => browser?.startsWith(`${name} `));
}

/** @param {string} token @returns {string} says nothing of the token */
function idOf(token) {
  const id = hashOf(`id${token}`).toString('base64url').slice(0, 16);
  // The command line would take one that begins so for an option.
  return id.replace(/^[-_]/, 'a');
}

/** @param {string} token */
function hashOf(token) {
  return createHash('sha256').update(token).digest();
}
