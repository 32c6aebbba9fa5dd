/**
 * One answer at a time, for a connection that has one message under way.
 *
 * @returns {{ next(): Promise<number>, resolve(count: number): void, reject(error: Error): void }} once rejected, every
 *   further answer is
 */
export function createWaiter() {
  /** @type {{ resolve: (count: number) => void, reject: (error: Error) => void } | undefined} */
  let waiting;
  /** @type {Error | undefined} */
  let failure;

  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure);
        else waiting = { resolve, reject };
      }),
    resolve(count) {
      waiting?.resolve(count);
    },
    reject(error) {
      failure ??= error;
      waiting?.reject(failure);
    },
  };
}
