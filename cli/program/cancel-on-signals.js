/**
 * @import { Now } from '../../core/base/clock.js'
 * @import { Ending } from '../../core/experiment/run.js'
 */

/** A shell's for a program that ended by Ctrl-C: https://tldp.org/LDP/abs/html/exitcodes.html */
const INTERRUPTED = 130;

/** npm hands a terminal's Ctrl-C on to a program that has had it already: what follows so soon is the same one. */
const SAME_PRESS_MS = 500;

/**
 * @param {Now} [now]
 * @returns {AbortSignal} the first Ctrl-C ends the run, the second the program, at once
 */
export function cancelOnSignals(now = () => performance.now()) {
  const controller = new AbortController();
  /** @type {Ending} */
  const reason = { kind: 'cancelled', reason: 'The run was cancelled.' };
  /** @type {number | undefined} */
  let pressedAtMs;
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      pressedAtMs ??= now();
      if (now() - pressedAtMs > SAME_PRESS_MS) process.exit(INTERRUPTED);
      controller.abort(reason);
    });
  }
  return controller.signal;
}
