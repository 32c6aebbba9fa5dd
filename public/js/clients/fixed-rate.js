/** Adds a timer that is precise enough for a fixed rate. */

/** @import { Now } from '../../../core/base/clock.js' */
/** @import { SleepUntil } from '../../../core/experiments/fixed-rate/open-trial.js' */
/** @import { PageClient } from './contract.js' */

/** The maximum delay of a timer in a browser that has nothing else to do. */
const TIMER_MARGIN_MS = 2;

/**
 * Wakes its caller within some 0.1 ms of a time, however coarse the browser's timers are.
 *
 * A timer sleeps until shortly before. The rest is spent hopping through a MessageChannel. Each hop lets the browser
 * deliver the answers that have come. It also resets the nesting of timers, which would clamp the next one to 4 ms.
 * @see https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timer-initialisation-steps
 * @param {{ now: Now }} options
 * @returns {{ sleepUntil: SleepUntil, close(): void }} for one caller at a time; `close` must be called in the end
 */
function prepareRun({ now }) {
  const { port1, port2 } = new MessageChannel();
  /** @type {() => void} */
  let wake = () => {};
  port1.onmessage = () => wake();
  /** @returns {Promise<void>} after one iteration of the event loop */
  const hop = () =>
    new Promise((resolve) => {
      wake = resolve;
      port2.postMessage(undefined);
    });
  return {
    async sleepUntil(atMs) {
      const timerMs = atMs - now() - TIMER_MARGIN_MS;
      if (timerMs > 0) await new Promise((resolve) => setTimeout(resolve, timerMs));
      while (now() < atMs) await hop();
    },
    close: () => port1.close(),
  };
}

/** @type {PageClient} */
export const client = { prepareRun };
