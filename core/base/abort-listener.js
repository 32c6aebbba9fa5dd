/**
 * Listens to a signal once, however many exchanges it may end, and never reads it again: in a browser a call to a signal
 * costs more than all else that is done for a round trip.
 *
 * @param {(reason: unknown) => void} onAbort ends what is open
 * @returns {(signal: AbortSignal | undefined) => void} to be called before each exchange; throws the signal's reason where
 *   that has been aborted already
 */
export function createAbortListener(onAbort) {
  /** @type {AbortSignal | undefined} */
  let listenedTo;
  let isAborted = false;

  return (signal) => {
    if (signal !== listenedTo) {
      listenedTo = signal;
      isAborted = signal?.aborted ?? false;
      signal?.addEventListener('abort', () => {
        if (signal === listenedTo) isAborted = true;
        onAbort(signal.reason);
      });
    }
    if (isAborted) throw signal?.reason;
  };
}
