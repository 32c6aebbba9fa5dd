/**
 * Time that passes only when everything waits: what is due next comes next, to the clock exactly, however slow the machine
 * is.
 */

/**
 * @returns {{ now(): number, sleepUntil(atMs: number): Promise<void>, run<T>(work: Promise<T>): Promise<T>,
 *   timers: { setTimeout(wake: () => void, ms: number): any, clearTimeout(timer: any): void } }} `run` lets time pass until
 *   the work is done
 */
export function createVirtualTime() {
  let nowMs = 1000;
  /** @type {{ atMs: number, wake: () => void }[]} */
  const sleepers = [];

  return {
    now: () => nowMs,
    sleepUntil: (atMs) => new Promise((resolve) => sleepers.push({ atMs, wake: resolve })),
    timers: {
      setTimeout(wake, ms) {
        const sleeper = { atMs: nowMs + ms, wake };
        sleepers.push(sleeper);
        return sleeper;
      },
      clearTimeout(timer) {
        const index = sleepers.indexOf(timer);
        if (index >= 0) sleepers.splice(index, 1);
      },
    },
    async run(work) {
      let isDone = false;
      const watched = work.finally(() => (isDone = true));
      watched.catch(() => {});
      for (;;) {
        // All that can go on without time passing does so first.
        await new Promise((resolve) => setImmediate(resolve));
        if (isDone) return watched;
        const next = sleepers.reduce((first, one) => (one.atMs < first.atMs ? one : first), sleepers[0]);
        if (!next) {
          // Only a deadline is left, which looks at this clock by a timer of the machine's.
          nowMs += 1;
          continue;
        }
        sleepers.splice(sleepers.indexOf(next), 1);
        nowMs = Math.max(nowMs, next.atMs);
        next.wake();
      }
    },
  };
}
