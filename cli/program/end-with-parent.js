/**
 * Loaded into a program before it begins (`node --import`): ends it when the one that started it is gone, as its
 * standard input is a pipe from there, which the kernel then closes. At once: a log that nobody reads could block it
 * for good.
 */
import { isMainThread } from 'node:worker_threads';

/** @import { Socket } from 'node:net' */

// The program's threads load this module, too, and their own standard input ends at once.
if (isMainThread) {
  process.stdin.once('end', () => process.exit(1)).resume();
  // The listener must not keep a finished program running.
  /** @type {Socket} */ (process.stdin).unref?.();
}
