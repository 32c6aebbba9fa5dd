/**
 * Ends a program when the program that started it is gone; it is loaded before the program begins (`node --import`). The
 * program's standard input is a pipe from its parent, which the kernel then closes. It ends at once: a log that nobody
 * reads could block it forever.
 */
import { isMainThread } from 'node:worker_threads';

/** @import { Socket } from 'node:net' */

// The program's threads load this module, too, and their own standard input ends at once.
if (isMainThread) {
  process.stdin.once('end', () => process.exit(1)).resume();
  // The listener must not keep a finished program running.
  /** @type {Socket} */ (process.stdin).unref?.();
}
