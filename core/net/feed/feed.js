/**
 * A feed: numbered messages at a fixed rate, and at most one cut of the connections that carry them. Whoever knows its start
 * and its rate can say when each message is due.
 */

/**
 * @typedef {keyof typeof CUTS} CutName
 * @typedef {{ rate: number, count: number, cut: CutName, cutAtMs: number, cutMs: number }} FeedOptions `rate`: messages per
 *   second; `cutAtMs`: since the start; `cutMs`: how long it lasts
 * @typedef {{ rate: number, count: number }} Pace `rate`: messages per second; `count` of all
 */

/** What the server does to the connections of a feed, and whether that lasts. */
export const CUTS = Object.freeze({
  none: { lasts: false },
  close: { lasts: false },
  reset: { lasts: false },
  stall: { lasts: true },
  dead: { lasts: true },
});

export const CUT_NAMES = /** @type {CutName[]} */ (Object.keys(CUTS));

/** The ranges of a feed's options. */
export const FEED_RANGES = Object.freeze({
  rate: { min: 1, max: 20 },
  count: { min: 1, max: 3600 },
  // The heartbeats of SockJS's server would close a connection that is silent for longer.
  cutMs: { min: 1000, max: 25_000 },
});

/** What a client may send over a socket, and its answer: they show that the connection still carries something. */
export const PING = 'ping';
export const PONG = 'pong';

/** The maximum duration of a feed. */
export const MAX_FEED_MS = 180_000;

/** @param {number} n @param {{ rate: number }} pace @returns {number} ms since the start */
export const dueMsOf = (n, { rate }) => (n * 1000) / rate;

/** @param {Pace} pace @returns {number} ms since the start, when the last message is due */
export const lengthMsOf = (pace) => dueMsOf(pace.count - 1, pace);

/** @param {number} sinceStartMs @param {{ rate: number }} pace @returns {number} the first message that is due then, or later */
export const firstDueAt = (sinceStartMs, { rate }) => Math.max(0, Math.ceil((sinceStartMs * rate) / 1000));
