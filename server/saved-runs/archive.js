/** The runs that visitors saved, as they are asked for: with ids, tokens and pages over the store. */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { boundDigest, nestPart } from '../../core/experiment/documents/digest.js';
import { BROWSER_NAMES, RUN_ID } from '../../core/experiment/names.js';
import { findExperiment } from '../../core/experiments/all.js';
import { experimentOf, formatCursor } from './list.js';

/**
 * @import { SavedRun, Store } from '../store/index.js'
 * @import { CheckedSubmission } from './submission.js'
 */

const decompress = promisify(gunzip);

/** @param {{ store: Store, clock?: () => Date }} options */
export function createArchive({ store, clock = () => new Date() }) {
  /** @param {CheckedSubmission} submission @param {string} deleteToken @returns {SavedRun} */
  const runOf = ({ document: _, digest, ...words }, deleteToken) => {
    const { server, transports, isValid } = digest;
    // Without its version; absent for one that is not known.
    const browser = BROWSER_NAMES.find((name) => digest.browser?.startsWith(`${name} `));
    const savedAt = clock().toISOString();
    return { id: idOf(deleteToken), savedAt, ...words, server, browser, transports, isValid, digest };
  };

  return {
    /**
     * Whoever makes the token may save twice what was saved, should the first answer have been lost: the id comes of it.
     * @param {CheckedSubmission} submission @param {string} [deleteToken] absent: one is made
     * @returns {Promise<{ outcome: 'saved' | 'there' | 'conflict', run: SavedRun, deleteToken: string }>} `there`: it was
     *   saved before by this token, as `run` says; `conflict`: `run` is of another document, and nothing was saved
     */
    async save(submission, deleteToken = randomBytes(24).toString('base64url')) {
      const { document } = submission;
      const run = runOf(submission, deleteToken);
      try {
        await store.save(run, { document, tokenHash: hashOf(deleteToken) });
        return { outcome: 'saved', run, deleteToken };
      } catch (error) {
        if (/** @type {any} */ (error).code !== 'id-taken') throw error;
        const [there, thereDocument] = await Promise.all([store.get(run.id), store.getDocument(run.id)]);
        if (!there || !thereDocument) throw error;
        // Another version of zlib may have packed the same document otherwise.
        const [before, now] = await Promise.all([thereDocument, document].map((packed) => decompress(packed)));
        return { outcome: before.equals(now) ? 'there' : 'conflict', run: bound(there), deleteToken };
      }
    },

    /**
     * @param {CheckedSubmission} submission @param {string} deleteToken of the run whose place it takes, with its id
     * @returns {Promise<SavedRun | undefined>} absent where no run has that token
     */
    async replace(submission, deleteToken) {
      const run = runOf(submission, deleteToken);
      const contents = { document: submission.document, tokenHash: hashOf(deleteToken) };
      return (await store.replace(run, contents)) === 'replaced' ? run : undefined;
    },

    /** @param {string} id */
    async find(id) {
      const run = RUN_ID.test(id) ? await store.get(id) : undefined;
      return run && bound(run);
    },
    /** The document's JSON, by gzip. @param {string} id of a run that there is */
    findDocument: (id) => store.getDocument(id),

    /** Without details. `next`: the cursor of the page after it, if there is one. @param {Parameters<Store['list']>[0]} query */
    async list({ limit, ...query }) {
      const found = await store.list({ ...query, limit: limit + 1 });
      const runs = found.slice(0, limit).map(bound);
      return { runs, next: found.length > limit ? formatCursor(runs[limit - 1]) : undefined };
    },

    /** @param {string} id @param {string} deleteToken */
    delete: async (id, deleteToken) => (RUN_ID.test(id) ? store.delete(id, hashOf(deleteToken)) : 'unknown'),
  };
}

/**
 * Earlier releases stored digests of another form; one that a reload keeps for a while still saves those, of any length.
 * @param {SavedRun} run @returns {SavedRun}
 */
function bound(run) {
  const { experiment, server, transports, digest } = run;
  const nested = nestPart(digest, findExperiment(experiment));
  return { ...run, digest: boundDigest({ server, transports, headline: experimentOf(experiment), ...nested }) };
}

/** Says nothing of the token. @param {string} token */
function idOf(token) {
  const id = hashOf(`id${token}`).toString('base64url').slice(0, 16);
  // The command line would take one that begins so for an option.
  return id.replace(/^[-_]/, 'a');
}

/** @param {string} token */
function hashOf(token) {
  return createHash('sha256').update(token).digest();
}
