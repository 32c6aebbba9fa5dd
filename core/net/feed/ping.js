/** @import { Timers } from '../../base/async.js' */

/**
 * Finds out whether a connection still carries anything: sends a ping 5 s after each answer. Without an answer within 5 s the
 * connection is dead, though nothing has closed it.
 * @param {{ send(): unknown, onDead(): void, everyMs?: number, limitMs?: number, timers?: Timers }} options
 * @returns {{ onAnswer(): void, stop(): void }}
 */
export function watchByPing({ send, onDead, everyMs = 5000, limitMs = 5000, timers = globalThis }) {
  /** @type {any} */
  let timer;
  const wait = () => {
    timers.clearTimeout(timer);
    timer = timers.setTimeout(ping, everyMs);
  };
  const ping = () => {
    send();
    timer = timers.setTimeout(onDead, limitMs);
  };
  wait();
  return { onAnswer: wait, stop: () => timers.clearTimeout(timer) };
}
