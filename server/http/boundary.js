/**
 * The boundary around all that a client can set going: a listener or timer that throws ends its own client's connection, and
 * is logged. Without it, it would end the worker, and everybody's connections.
 */
import { channel } from 'node:diagnostics_channel';

/**
 * @import { EventEmitter } from 'node:events'
 * @typedef {{ destroy(): unknown } | { terminate(): void }} Owned a connection, WebSocket or session: one client's
 */

/** Listeners stand in every file: what they report goes to whoever has a log. */
const failures = channel('sockshootout:failure');

/**
 * @template {unknown[]} Args, Result @param {Owned} owned ends where the listener or timer throws
 * @param {(...args: Args) => Result} act @returns {(...args: Args) => Result | undefined}
 */
export function guard(owned, act) {
  return (...args) => {
    try {
      return act(...args);
    } catch (error) {
      endFailed(owned, error);
      return undefined;
    }
  };
}

/**
 * Puts all listeners that an emitter has, or will have, inside: less memory than one guard for each.
 * @param {Pick<EventEmitter, 'emit'>} emitter whose events have at most two arguments @param {Owned} owned ends where one throws
 */
export function guardEmitter(emitter, owned) {
  const { emit } = emitter;
  emitter.emit = (
    /** @type {string | symbol} */ event,
    /** @type {unknown} */ first,
    /** @type {unknown} */ second,
  ) => {
    try {
      return emit.call(emitter, event, first, second);
    } catch (error) {
      endFailed(owned, error);
      return true;
    }
  };
}

/**
 * A server's listener is one for all clients: the request says whose fault it is.
 * @template {{ socket: Owned }} Req, Second, Third @param {(req: Req, second: Second, third: Third) => void} act
 * @returns {(req: Req, second: Second, third: Third) => void}
 */
export function guardRequest(act) {
  return (req, second, third) => {
    try {
      act(req, second, third);
    } catch (error) {
      endFailed(req.socket, error);
    }
  };
}

/** To the log. @param {unknown} error */
export const reportFailure = (error) => failures.publish(error);

/** What a guarded listener does where it throws. @param {Owned} owned @param {unknown} error */
export function endFailed(owned, error) {
  reportFailure(error);
  if ('terminate' in owned) owned.terminate();
  else owned.destroy();
}

/**
 * For an 'error' that nobody else listens to, as when something is written after the end.
 * @this {Owned} @param {Error} error
 */
export function endOnError(error) {
  endFailed(this, error);
}

/** For an 'error' of a connection that broke. @this {{ destroy(): unknown }} */
export function destroyOnError() {
  this.destroy();
}

/** @param {(error: unknown) => void} listener @returns {() => void} stops it */
export function onFailure(listener) {
  failures.subscribe(listener);
  return () => void failures.unsubscribe(listener);
}
