/**
 * Reads recordings in a worker.
 * @import { Asked, Reply } from '../../later/recording-worker.js'
 * @import { Recording } from '../../../../core/recording/recording.js'
 */
import { InvalidInputError } from '../../../../core/base/foreign-text.js';

/** Beside the page's own script, as server/bundle.js writes both. */
const WORKER = './recording-worker.js';

/**
 * The worker is there before there is a file: nothing is requested while one is read. Only one recording is read at a time.
 */
export function createReader() {
  let { worker, failed } = open();
  /** @type {(() => void) | undefined} */
  let stop;

  const reopen = () => {
    worker.terminate();
    ({ worker, failed } = open());
  };
  const cancel = () => {
    if (!stop) return;
    reopen();
    stop();
  };

  return {
    /**
     * Reads one in place of one that is being read.
     * @param {Asked} asked @param {(share: number) => void} onShare called with how much of it was read, 0 to 1
     * @returns {Promise<Recording | undefined>} absent if it was cancelled
     * @throws {InvalidInputError} what was expected, and what came
     */
    async read(asked, onShare) {
      cancel();
      /** @type {(() => void) | undefined} */
      let own;
      try {
        return await new Promise((resolve, reject) => {
          stop = own = () => resolve(undefined);
          failed.catch(reject);
          worker.onmessage = ({ data }) => take(data, { onShare, resolve, reject });
          worker.postMessage(asked);
        });
      } catch (error) {
        // The next file is read by a new one.
        if (!(error instanceof InvalidInputError)) reopen();
        throw error;
      } finally {
        if (stop === own) stop = undefined;
      }
    },
    /** Ends the reading at once, whatever it is busy with. */
    cancel,
  };
}

function open() {
  const worker = new Worker(new URL(WORKER, import.meta.url), { type: 'module' });
  /** Rejects if it cannot be loaded, which may be before there is a file. @type {Promise<never>} */
  const failed = new Promise((_, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message || 'The reader could not be loaded'));
  });
  failed.catch(() => {});
  return { worker, failed };
}

/**
 * @param {Reply} reply
 * @param {{ onShare: (share: number) => void, resolve: (recording: Recording) => void, reject: (error: Error) => void }} reading
 */
function take(reply, { onShare, resolve, reject }) {
  if ('share' in reply) onShare(reply.share);
  else if ('recording' in reply) resolve(reply.recording);
  else reject('problem' in reply ? new InvalidInputError(reply.problem) : new Error(reply.failed));
}
