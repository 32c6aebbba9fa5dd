/** Keeps the screen on during a run: a device that turns it off soon sleeps, and measures nothing. */

/** @typedef {{ release(): Promise<void> }} Lock */

/**
 * @param {object} page
 * @param {{ request(type: 'screen'): Promise<Lock> }} [page.wakeLock] the browser's; absent on pages without TLS away from localhost
 * @param {{ visibilityState: string, addEventListener: Document['addEventListener'] }} page.document
 * @param {(isRefused: boolean) => void} page.onAnswer gets whether the visitor has to keep it on
 * @returns {() => void} to be called when the run is over
 */
export function keepScreenOn({ wakeLock, document, onAnswer }) {
  const watching = new AbortController();
  const { signal } = watching;
  /** @param {Lock} [lock] */
  const use = (lock) => {
    onAnswer(!lock);
    signal.addEventListener('abort', () => void lock?.release());
  };
  const take = async () => {
    // The system takes the lock of a page that is not visible.
    if (document.visibilityState !== 'visible') return;
    const lock = await wakeLock?.request('screen').catch(() => undefined);
    if (signal.aborted) await lock?.release();
    else use(lock);
  };
  take();
  document.addEventListener('visibilitychange', take, { signal });
  return () => watching.abort();
}
