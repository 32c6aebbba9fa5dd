/**
 * Reads large documents, and sums up many runs, in a thread of its own. A document of 4 MiB, or a study of 2,000 runs, takes some
 * tenths of a second, in which no echo would be answered. Those who ask take turns, by address.
 */
import { DocumentError } from '../../core/experiment/documents/check.js';
import { RefusalError } from '../http/exchange.js';
import { FairQueue } from '../http/fair-queue.js';
import { LIMITS } from '../http/limits.js';

/**
 * @import { Piscina } from 'piscina'
 * @import { Client } from '../http/fair-queue.js'
 * @import * as jobs from './document-jobs.js'
 * @import { Listed } from '../store/rows.js'
 * @import { MatrixForm } from './matrix.js'
 * @import { CheckedForm, CheckedSubmission } from './submission.js'
 */

const PROGRAM = new URL('document-jobs.js', import.meta.url);
/** A drain waits so long for the document that is being read. */
const CLOSE_MS = 2000;

/** The error for documents that a drain did not wait for, which is not a fault. */
const closing = () => new RefusalError('busy', 'The server is shutting down. Try again in a minute', 503);

/** @typedef {ReturnType<typeof createDocuments>} Documents */

/**
 * @param {{ clock?: () => Date, limits?: { documentMs: number }, program?: URL }} [options] `limits`: of a document. One that
 *   exceeds them ends its thread, and the next one starts another; `program`: of the thread
 */
export function createDocuments({ clock = () => new Date(), limits = LIMITS, program = PROGRAM } = {}) {
  const turns = new FairQueue({ atOnce: 1 });
  const { documentMs } = limits;
  /** @type {Promise<Piscina> | undefined} since the first document */
  let pool;
  /** Of the document that is being read. */
  let failure = new AbortController();
  let isClosed = false;

  const openPool = async () => {
    const opened = await createPool(program);
    // Of a thread that has no job yet, as it could not start.
    opened.on('error', (error) => failure.abort(error));
    return opened;
  };

  /** @param {keyof typeof jobs} name @param {any} error of the thread, not of the document @returns {unknown} */
  const describe = (name, error) => {
    if (isClosed) return closing();
    const cause = error.name === 'AbortError' ? error.cause : error;
    if (cause.name === 'TimeoutError') return tooCostly(name, `${documentMs / 1000} s`);
    return cause;
  };

  /** @param {keyof typeof jobs} name @param {Client} client @param {unknown} given @returns {Promise<any>} */
  const ask = (name, client, given) =>
    turns.run(client, async () => {
      // A thread that starts while its process ends may bring Node.js down.
      if (isClosed) throw closing();
      failure = new AbortController();
      pool ??= openPool();
      const thread = await pool.catch((error) => {
        pool = undefined;
        throw error;
      });
      const signal = AbortSignal.any([failure.signal, AbortSignal.timeout(documentMs)]);
      const answer = await thread.run(given, { name, signal }).catch((error) => Promise.reject(describe(name, error)));
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
    /**
     * @param {{ experiment: string, document: Uint8Array, place?: string, site: string }} saved by gzip, and what its picture says besides
     * @param {string | undefined} address @returns {Promise<Uint8Array>} a PNG file
     */
    drawPicture: (saved, address) => ask('drawPicture', staying(address), saved),
    /**
     * @param {{ experiment: string, document: Uint8Array }} saved by gzip @param {string | undefined} address
     * @returns {Promise<string>} the link that makes the same run
     */
    planOf: (saved, address) => ask('planOf', staying(address), saved),
    /** @param {string} svg @param {string | undefined} address @returns {Promise<Uint8Array>} a PNG file */
    rasterize: (svg, address) => ask('rasterize', staying(address), svg),
    /**
     * @param {{ label: string, form: MatrixForm, rows: Listed[], olderCount: number }} study @param {string | undefined} address of
     *   who asks; others may wait for the same by then, so it is made also where they have left @returns {Promise<string>}
     */
    sumUp: (study, address) => ask('sumUp', staying(address), study),
    /** @param {{ experiment: string, rows: Listed[] }} runs @param {string | undefined} address @returns {Promise<string>} JSON */
    countShares: (runs, address) => ask('countShares', staying(address), runs),
    async close() {
      isClosed = true;
      await (await pool?.catch(() => undefined))?.close({ force: true });
    },
  };
}

/** @param {string | undefined} address @returns {Client} */
const staying = (address = '') => ({ address, signal: new AbortController().signal });

/** @param {keyof typeof jobs} name @param {string} limit that was exceeded @returns {RefusalError} */
function tooCostly(name, limit) {
  // What is saved was read once: now the server is too slow.
  if (!name.startsWith('check')) return new RefusalError('busy', `The server could not make this within ${limit}`, 503);
  return new RefusalError('too-large', `document: expected one that can be checked within ${limit}`, 413);
}

/**
 * Has no limit of memory, as reaching it in JSON.parse ends the whole process: the size of a document is limited instead.
 * @param {URL} program @returns {Promise<Piscina>} that does not keep its process alive
 */
async function createPool({ href }) {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: href,
    minThreads: 0,
    maxThreads: 1,
    // It stays: after an update in place, another one would be of another version than its server.
    idleTimeout: Infinity,
    closeTimeout: CLOSE_MS,
    // A thread that blocks while it waits would not let streams end.
    atomics: 'disabled',
  });
}
