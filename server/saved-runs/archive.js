/** The archive of saved runs: adds IDs, delete tokens and pages to the store. */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BROWSER_NAMES, RUN_ID } from '../../core/experiment/run/names.js';
import { formatCursor } from './list.js';

/**
 * @import { SavedRun, Store } from '../store/index.js'
 * @import { Page } from '../store/lists.js'
 * @import { CheckedSubmission, CheckedWords } from './submission.js'
 */

const decompress = promisify(gunzip);

/** @typedef {ReturnType<typeof createArchive>} Archive */

/** Creates the archive on a store. @param {{ store: Store, clock?: () => Date }} options */
export function createArchive({ store, clock = () => new Date() }) {
  return {
    /**
     * Saves a run. A client that makes the token may save again if the answer was lost: the ID comes from the token.
     * @param {CheckedSubmission} submission @param {string} [deleteToken] absent: one is made
     * @returns {Promise<{ outcome: 'saved' | 'there' | 'conflict', run: SavedRun, deleteToken: string }>} `there`: it was
     *   saved before by this token, as `run` says; `conflict`: `run` is of another document, and nothing was saved
     */
    async save(submission, deleteToken = randomBytes(24).toString('base64url')) {
      const { document } = submission;
      const run = createRun(submission, { id: idOf(deleteToken), savedAt: clock().toISOString() });
      try {
        await store.save(run, { document, tokenHash: hashOf(deleteToken) }, createParts(submission, run));
        return { outcome: 'saved', run, deleteToken };
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'id-taken') throw error;
        const [there, thereDocument] = await Promise.all([store.get(run.id), store.getDocument(run.id)]);
        if (!there || !thereDocument) throw error;
        // Another version of zlib may have packed the same document otherwise.
        const [before, now] = await Promise.all([thereDocument, document].map((packed) => decompress(packed)));
        return { outcome: before.equals(now) ? 'there' : 'conflict', run: there, deleteToken };
      }
    },

    /**
     * @param {CheckedSubmission} submission @param {string} deleteToken of the run whose place it takes, with its id
     * @returns {Promise<SavedRun | undefined>} absent where no run has that token
     */
    async replace(submission, deleteToken) {
      const run = createRun(submission, { id: idOf(deleteToken), savedAt: clock().toISOString() });
      const contents = { document: submission.document, tokenHash: hashOf(deleteToken) };
      return (await store.replace(run, contents)) === 'replaced' ? run : undefined;
    },

    /** @param {string} id */
    find: async (id) => (RUN_ID.test(id) ? store.get(id) : undefined),
    /** Returns the IDs of a run's parts, by experiment. @param {string} id of an existing run */
    findParts: (id) => store.getParts(id),
    /** Returns the document's JSON, compressed with gzip. @param {string} id of an existing run */
    findDocument: (id) => store.getDocument(id),

    /**
     * Returns runs without details. `next`: the cursor of the next page, if there may be one: also where fewer runs were found
     * than asked for, as a page searches a limited number of runs.
     * @param {Page} query
     */
    async list({ limit, ...query }) {
      const found = await store.search({ ...query, limit: limit + 1 });
      const runs = found.runs.slice(0, limit);
      const last = found.runs.length > limit ? runs[limit - 1] : found.searchedTo;
      return { runs, next: last && formatCursor(last) };
    },

    /**
     * Returns the newest runs as rows, which another thread makes runs of, and how many older ones there are.
     * @param {Page} query
     */
    async listRows(query) {
      const rows = await store.listRows(query);
      const count = rows.length < query.limit ? rows.length : await store.count(query.filter);
      return { rows, olderCount: Math.max(0, count - rows.length) };
    },

    /** @param {{ among: number, limit: number }} asked */
    countPlaces: (asked) => store.countPlaces(asked),

    /**
     * Changes what the visitor says about a run.
     * @param {string} id @param {string} deleteToken @param {CheckedWords} words
     */
    describe: async (id, deleteToken, words) =>
      RUN_ID.test(id) ? store.describe(id, hashOf(deleteToken), words) : 'unknown',

    /** @param {string} id @param {string} deleteToken */
    delete: async (id, deleteToken) => (RUN_ID.test(id) ? store.delete(id, hashOf(deleteToken)) : 'unknown'),
  };
}

/**
 * @param {Omit<CheckedSubmission, 'document' | 'parts'>} submission
 * @param {{ id: string, savedAt: string, partOf?: string }} identity @returns {SavedRun}
 */
function createRun({ experiment, label, note, place, digest }, identity) {
  const { server, transports, isValid } = digest;
  // The version is left out; an unknown browser is absent.
  const browser = BROWSER_NAMES.find((name) => digest.browser?.startsWith(`${name} `));
  return { ...identity, experiment, label, note, place, server, browser, transports, isValid, digest };
}

/**
 * Creates the parts of a run, each as a run of its own with the visitor's words about the whole.
 * @param {CheckedSubmission} submission @param {SavedRun} run
 */
function createParts({ parts, ...words }, { id, savedAt }) {
  return parts.map(({ experiment, digest, document }) => {
    const identity = { id: toId(hashOf(`part ${id} ${experiment}`)), savedAt, partOf: id };
    return { run: createRun({ ...words, experiment, digest }, identity), document };
  });
}

/** Derives the ID of a run from its token, without revealing it. @param {string} token */
const idOf = (token) => toId(hashOf(`id${token}`));

/** @param {Buffer} hash */
function toId(hash) {
  const id = hash.toString('base64url').slice(0, 16);
  // The command line would parse an ID that begins with `-` as an option.
  return id.replace(/^[-_]/, 'a');
}

/** @param {string} token */
function hashOf(token) {
  return createHash('sha256').update(token).digest();
}
