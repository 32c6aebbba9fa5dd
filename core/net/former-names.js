/**
 * The names that transports had in earlier releases, where those names mean others today: a count-down, poll or push, and
 * reach never measured SockJS's endpoint for a native WebSocket.
 */

/** Today's names, by the former ones. @type {ReadonlyMap<string, string>} */
export const FORMER_NAMES = new Map([['websocket', 'ws']]);
