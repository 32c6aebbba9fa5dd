/**
 * The boundary around everything that a client can trigger: a listener or timer that throws ends its client's
 * connection, and is logged. Without it, it would end the worker, and everybody's connections.
 */
import { channel } from 'node:diagnostics_channel';

/**
 * @import { EventEmitter } from 'node:events'
 * @typedef {{ destroy(): unknown } | { terminate(): void }} Owned a connection, WebSocket or session: one client's
 */

/** The channel for the errors of listeners in all files, to which the log subscribes. */
const failures = channel('sockshootout:failure');

/**
 * Returns a listener or timer that ends its client's connection where it throws.
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
 * @param {{ emit: EventEmitter['emit'] }} emitter whose events have at most two arguments @param {Owned} owned ends where one throws
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
 * Guards a server's listener, which is one for all clients: the request has the connection to end.
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

/** Reports an error to the log. @param {unknown} error */
export const reportFailure = (error) => failures.publish(error);

/** Ends the connection of a guarded listener that throws. @param {Owned} owned @param {unknown} error */
export function endFailed(owned, error) {
  reportFailure(error);
  if ('terminate' in owned) owned.terminate();
  else owned.destroy();
}

/**
 * Handles an 'error' that nobody else listens to, for example when something is written after the end.
 * @this {Owned} @param {Error} error
 */
export function endOnError(error) {
  endFailed(this, error);
}

/** Handles the 'error' of a broken connection. @this {{ destroy(): unknown }} */
export function destroyOnError() {
  this.destroy();
}

/** @param {(error: unknown) => void} listener @returns {() => void} stops it */
export function onFailure(listener) {
  failures.subscribe(listener);
  return () => void failures.unsubscribe(listener);
}
