import { Worker } from 'node:worker_threads';
import { DocumentError } from '../../core/experiment/documents/check.js';

/** @import { CheckedSubmission } from './submission.js' */

/** @typedef {ReturnType<typeof createDocumentThread>} DocumentThread */

/**
 * Checks and formats large documents in a thread, so that the event loop can answer echoes. The thread starts with the
 * first document. If it ends, what waits for it is rejected, and the next document starts another.
 *
 * @param {{ clock?: () => Date }} [options]
 * @returns {{ check(body: Uint8Array): Promise<CheckedSubmission>, formatCsv(saved: { experiment: string, document:
 *   Uint8Array }): Promise<Uint8Array>, close(): Promise<void> }} `check` rejects with a DocumentError where the
 *   submission is wrong; `formatCsv` takes a document by gzip
 */
export function createDocumentThread({ clock = () => new Date() } = {}) {
  /** @type {Map<number, { resolve(done: any): void, reject(error: Error): void }>} */
  const waiting = new Map();
  /** @type {Worker | undefined} */
  let worker;
  let lastId = 0;

  const openWorker = () => {
    const opened = new Worker(new URL('./document-worker.js', import.meta.url));
    let reason = new Error('The thread that reads documents ended');
    // It alone does not keep the process alive.
    opened.unref();
    opened.on('message', ({ id, done, problem, error }) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (problem) asked?.reject(new DocumentError(problem));
      else if (error) asked?.reject(error);
      else asked?.resolve(done);
    });
    // Its end follows.
    opened.on('error', (error) => (reason = error));
    opened.on('exit', () => {
      worker = undefined;
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    });
    return opened;
  };

  /** @param {'check' | 'formatCsv'} job @param {unknown} given @returns {Promise<any>} */
  const ask = (job, given) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      worker ??= openWorker();
      worker.postMessage({ id, job, given });
    });

  return {
    check: (body) => ask('check', { body, nowMs: clock().getTime() }),
    formatCsv: (saved) => ask('formatCsv', saved),
    async close() {
      await worker?.terminate();
    },
  };
}
