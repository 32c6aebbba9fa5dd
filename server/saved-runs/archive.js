/**
 * The runs that visitors saved, as they are asked for: with ids, tokens and pages over the store.
 */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { formatCursor } from './list-query.js';

const ID = /^[\w-]{16}$/;
const decompress = promisify(gunzip);

/**
 * @typedef {import('../store/index.js').SavedRun} SavedRun
 * @typedef {ReturnType<typeof createArchive>} Archive
 */

/**
 * @param {object} options
 * @param {import('../store/index.js').Store} options.store
 * @param {() => Date} [options.clock]
 */
export function createArchive({ store, clock = () => new Date() }) {
  return {
    /**
     * @param {import('./submission.js').CheckedSubmission} submission
     * @returns {Promise<{ run: SavedRun, deleteToken: string }>} the token is known to nobody else from now on
     */
    async save({ document, digest, ...words }) {
      const deleteToken = randomBytes(24).toString('base64url');
      const { server, transports, isValid } = digest;
      const run = {
        id: randomBytes(12).toString('base64url'),
        savedAt: clock().toISOString(),
        ...words,
        server,
        transports,
        isValid,
        digest,
      };
      await store.save(run, { document, tokenHash: hashOf(deleteToken) });
      return { run, deleteToken };
    },

    /**
     * @param {string} id
     * @returns {Promise<SavedRun | undefined>}
     */
    find: async (id) => (ID.test(id) ? store.get(id) : undefined),

    /**
     * @param {string} id of a run that there is
     * @returns {Promise<string | undefined>} the document's JSON
     */
    async findDocument(id) {
      const document = await store.getDocument(id);
      return document && (await decompress(document)).toString();
    },

    /**
     * @param {import('./list-query.js').ListQuery} query
     * @returns {Promise<{ runs: SavedRun[], next?: string }>} `next` is the cursor of the page after it, if there is one
     */
    async list({ limit, ...query }) {
      const found = await store.list({ ...query, limit: limit + 1 });
      const runs = found.slice(0, limit);
      return { runs, next: found.length > limit ? formatCursor(runs[limit - 1]) : undefined };
    },

    /**
     * @param {string} id
     * @param {string} deleteToken
     * @returns {Promise<'deleted' | 'wrong-token' | 'unknown'>}
     */
    delete: async (id, deleteToken) => (ID.test(id) ? store.delete(id, hashOf(deleteToken)) : 'unknown'),
  };
}

/** @param {string} token */
function hashOf(token) {
  return createHash('sha256').update(token).digest();
}
