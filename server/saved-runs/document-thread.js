/**
 * Reads large documents in a thread of its own: 4 MiB of samples, and computing all that is said of them, take some tenths
 * of a second, in which no echo would be answered. The thread runs this same file.
 */
import { promisify } from 'node:util';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { gunzip } from 'node:zlib';
import { DocumentError } from '../../core/experiment/documents/check.js';
import { upgradeDocument } from '../../core/experiment/documents/schemas.js';
import { findDescribed } from '../../core/full-test/all.js';
import { RefusalError } from '../http/exchange.js';
import { checkForm, checkSubmission } from './submission.js';

/**
 * @import { CheckedForm, CheckedSubmission } from './submission.js'
 */

const THREAD = 'documents';
/** The error for documents that a drain did not wait for, which is not a fault. */
const closing = () => new RefusalError('busy', 'The server is shutting down. Try again in a minute', 503);
const decompress = promisify(gunzip);

/**
 * The thread starts with the first document. If it ends, what waits for it is rejected, and the next one starts another.
 * @param {{ clock?: () => Date }} [options]
 */
export function createDocumentThread({ clock = () => new Date() } = {}) {
  /** @type {Map<number, { resolve(done: any): void, reject(error: Error): void }>} */
  const waiting = new Map();
  /** @type {Worker | undefined} */
  let worker;
  let isClosed = false;
  let lastId = 0;

  const openWorker = () => {
    const opened = new Worker(new URL(import.meta.url), { workerData: THREAD });
    let reason = new Error('The thread that reads documents ended');
    opened.on('message', ({ id, done, problem, error }) => {
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (problem) reject?.(new DocumentError(problem));
      else if (error) reject?.(error);
      else resolve?.(done);
    });
    // The 'exit' event follows.
    opened.on('error', (error) => (reason = error));
    opened.on('exit', () => {
      worker = undefined;
      for (const { reject } of waiting.values()) reject(isClosed ? closing() : reason);
      waiting.clear();
    });
    // It alone does not keep the process alive. Listeners that are added later would.
    opened.unref();
    return opened;
  };

  /** @param {keyof typeof JOBS} job @param {unknown} given @returns {Promise<any>} */
  const ask = (job, given) =>
    new Promise((resolve, reject) => {
      // A thread that starts while its process ends may bring Node.js down.
      if (isClosed) throw closing();
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      worker ??= openWorker();
      worker.postMessage({ id, job, given });
    });

  return {
    /** @param {Uint8Array} body @returns {Promise<CheckedSubmission>} rejects with a DocumentError */
    check: (body) => ask('check', { body, nowMs: clock().getTime() }),
    /** @param {Uint8Array} body @param {string} contentType @returns {Promise<CheckedForm>} rejects with a DocumentError */
    checkForm: (body, contentType) => ask('checkForm', { body, contentType, nowMs: clock().getTime() }),
    /** @param {{ experiment: string, document: Uint8Array }} saved by gzip @returns {Promise<Uint8Array>} UTF-8 */
    formatCsv: (saved) => ask('formatCsv', saved),
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

const JOBS = {
  /** @param {{ body: Uint8Array, nowMs: number }} given */
  check: ({ body, nowMs }) => checkSubmission(body, { nowMs }),
  checkForm,

  /** @param {{ experiment: string, document: Uint8Array }} saved */
  async formatCsv({ experiment, document }) {
    const found = findDescribed(experiment);
    if (!found) throw new RangeError(`experiment: expected a known experiment, got ${experiment}`);
    return Buffer.from(found.formatCsv(upgradeDocument(found, JSON.parse((await decompress(document)).toString()))));
  },
};

/**
 * Runs one job. If it fails, the thread goes on with the others.
 * @param {{ id: number, job: keyof typeof JOBS, given: any }} asked
 */
async function answer({ id, job, given }) {
  try {
    parentPort?.postMessage({ id, done: await JOBS[job](given) });
  } catch (error) {
    const isWrong = error instanceof DocumentError;
    parentPort?.postMessage(isWrong ? { id, problem: { path: error.path, message: error.reason } } : { id, error });
  }
}

if (workerData === THREAD) parentPort?.on('message', answer);
