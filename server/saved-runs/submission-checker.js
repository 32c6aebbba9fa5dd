import { Worker } from 'node:worker_threads';
import { DocumentError } from '../../core/documents/index.js';

/**
 * @typedef {ReturnType<typeof createSubmissionChecker>} SubmissionChecker
 *
 * @typedef {object} Waiting
 * @property {(checked: import('./submission.js').CheckedSubmission) => void} resolve
 * @property {(error: Error) => void} reject
 */

/**
 * Checks submissions beside the event loop, in a thread that begins with the first of them.
 *
 * @returns {{ check(body: Uint8Array): Promise<import('./submission.js').CheckedSubmission>, waitingCount(): number,
 *   close(): Promise<void> }} `check` rejects with a DocumentError where the submission is wrong
 */
export function createSubmissionChecker() {
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  /** @type {Worker | undefined} */
  let worker;
  let lastId = 0;

  const openWorker = () => {
    const opened = new Worker(new URL('./submission-worker.js', import.meta.url));
    // It alone does not keep the process alive.
    opened.unref();
    opened.on('message', ({ id, checked, problem }) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (problem) asked?.reject(new DocumentError(problem));
      else asked?.resolve(checked);
    });
    opened.on('error', (error) => {
      // The next submission gets a new thread.
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    });
    return opened;
  };

  return {
    check: (body) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        worker ??= openWorker();
        worker.postMessage({ id, body });
      }),
    waitingCount: () => waiting.size,
    async close() {
      await worker?.terminate();
    },
  };
}
