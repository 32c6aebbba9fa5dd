/**
 * Reads large documents in a thread of its own: 4 MiB of samples, and computing all that is said of them, take some tenths
 * of a second, in which no echo would be answered. Those who ask take turns, by address.
 */
import { DocumentError } from '../../core/experiment/documents/check.js';
import { RefusalError } from '../http/exchange.js';
import { FairQueue } from '../http/fair-queue.js';
import { LIMITS } from '../http/limits.js';

/**
 * @import { Piscina } from 'piscina'
 * @import { Client } from '../http/fair-queue.js'
 * @import { Limits } from '../http/limits.js'
 * @import * as jobs from './document-jobs.js'
 * @import { CheckedForm, CheckedSubmission } from './submission.js'
 */

/** The thread ends when nobody has needed it for so long: it takes some 60 MB. */
const IDLE_MS = 60_000;
const MIB = 1024 * 1024;

/** The error for documents that a drain did not wait for, which is not a fault. */
const closing = () => new RefusalError('busy', 'The server is shutting down. Try again in a minute', 503);

/**
 * @param {{ clock?: () => Date, limits?: Pick<Limits, 'documentMs' | 'documentHeapBytes'> }} [options] `limits`: of a document. One that
 *   goes beyond them ends its thread, and the next one starts another
 */
export function createDocuments({ clock = () => new Date(), limits = LIMITS } = {}) {
  const turns = new FairQueue({ atOnce: 1 });
  /** @type {Promise<Piscina> | undefined} since the first document */
  let pool;
  let isClosed = false;

  /** @param {unknown} error of the thread, not of the document @returns {unknown} */
  const describe = (error) => {
    const { name, code } = /** @type {Error & { code?: string }} */ (error);
    if (isClosed) return closing();
    if (name === 'AbortError') return tooCostly(`${limits.documentMs / 1000} s`);
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') return tooCostly(`${limits.documentHeapBytes / MIB} MiB`);
    return error;
  };

  /** @param {keyof typeof jobs} name @param {Client} client @param {unknown} given @returns {Promise<any>} */
  const ask = (name, client, given) =>
    turns.run(client, async () => {
      // A thread that starts while its process ends may bring Node.js down.
      if (isClosed) throw closing();
      pool ??= openPool(limits.documentHeapBytes);
      const signal = AbortSignal.timeout(limits.documentMs);
      const answer = await (await pool).run(given, { name, signal }).catch((error) => Promise.reject(describe(error)));
      if (answer.problem) throw new DocumentError(answer.problem);
      return answer.done;
    });

  return {
    /** @param {Uint8Array} body @param {Client} client @returns {Promise<CheckedSubmission>} rejects with a DocumentError */
    check: (body, client) => ask('check', client, { body, nowMs: clock().getTime() }),
    /**
     * @param {Uint8Array} body @param {string} contentType @param {Client} client
     * @returns {Promise<CheckedForm>} rejects with a DocumentError
     */
    checkForm: (body, contentType, client) => ask('checkForm', client, { body, contentType, nowMs: clock().getTime() }),
    /** @param {{ experiment: string, document: Uint8Array }} saved by gzip @param {Client} client @returns {Promise<Uint8Array>} UTF-8 */
    formatCsv: (saved, client) => ask('formatCsv', client, saved),
    async close() {
      isClosed = true;
      await (await pool)?.destroy();
    },
  };
}

/** @param {string} limit that a document went beyond */
const tooCostly = (limit) =>
  new RefusalError('too-large', `document: expected one that is read within ${limit}, got one that takes more`, 413);

/** @param {number} heapBytes @returns {Promise<Piscina>} that does not keep its process alive */
async function openPool(heapBytes) {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: new URL('document-jobs.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: heapBytes / MIB },
    // A thread that blocks while it waits would not let streams end.
    atomics: 'disabled',
  });
}
