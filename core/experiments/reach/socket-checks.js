/** The checks of a WebSocket: does it open, which messages are echoed, and how long does it live? */
import { createId } from '../../base/random.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { fetchBeside } from '../../net/http.js';
import { attempt, watchLink } from './link.js';
import { heartbeatLifeMs } from './plan.js';

/**
 * @import { Context, Observed } from './measure.js'
 * @import { Link } from './link.js'
 */

/** The messages of a connection in use: they take longer than a proxy that lets an upgrade through and then cuts it. */
const IN_USE = Object.freeze({ count: 20, everyMs: 50 });
const BINARY_COUNT = 3;
const BINARY_BYTES = 256;
/** The time limit for 1 MiB in both directions over 1 Mbit/s. */
const LARGE_LIMIT_MS = 20_000;
/** Connections of a round of the search. */
const SEARCH_COUNT = 6;

/** Picks the known fields for a result. @param {any} answer @returns {NonNullable<Observed['seen']>} */
function pickSeen(answer) {
  const counts = ['plainCount', 'upgradeCount', 'openCount', 'textCount', 'binaryCount', 'closeCode', 'openMs'];
  const picked = [...counts, 'httpVersion', 'refusal']
    .filter((name) => answer[name] !== undefined)
    .map((name) => [name, counts.includes(name) ? Number(answer[name]) : String(answer[name])]);
  return Object.fromEntries(picked);
}

/**
 * Opens its own connection and reports the outcome; after a failure also what reached the server.
 * @param {Context} context
 * @param {(link: Link, found: Observed) => Promise<void>} use adds to what was found; throws an ExchangeError
 * @param {{ isAlwaysAsked?: boolean }} [options] the server is asked even if the check passed
 * @returns {Promise<Observed>}
 */
async function withLink(context, use, { isAlwaysAsked = false } = {}) {
  const { now, baseUrl, fetch, signal, openSocket } = context;
  const probe = createId(16);
  const startedAtMs = now();
  const socket = openSocket(`/reach/ws?probe=${probe}`);
  const converse = async (/** @type {Observed} */ seenSoFar) => {
    seenSoFar.roundTripMs = [];
    const link = watchLink(socket, context, seenSoFar);
    await link.open();
    Object.assign(seenSoFar, { protocol: 'websocket', setUpMs: now() - startedAtMs });
    await use(link, seenSoFar);
  };
  /** @type {Observed} */
  let found;
  try {
    // This is a copy, as the changes by its own close are no findings.
    found = { ...(await attempt(converse)) };
  } finally {
    socket.close();
  }
  if (found.failure) found.answered = socket.answered;
  if (found.failure || isAlwaysAsked) {
    found.seen = await fetchBeside(fetch, `${baseUrl}/reach/seen?probe=${probe}`, pickSeen, signal);
  }
  return found;
}

/** Checks that a WebSocket opens. @param {Context} context @returns {Promise<Observed>} */
export const checkUpgrade = (context) =>
  withLink(
    context,
    async (_, found) => {
      found.durationMs = found.setUpMs;
      delete found.roundTripMs;
    },
    { isAlwaysAsked: true },
  );

/** Checks several messages, as some proxies let only one through, or close soon. @param {Context} context */
export const checkText = (context) =>
  withLink(context, async (link, found) => {
    const openedAtMs = context.now();
    link.ended.then(({ atMs }) => (found.livedMs = atMs - openedAtMs));
    for (let i = 0; i < IN_USE.count; i++) {
      await link.exchange(`message ${i}`);
      await link.pause(IN_USE.everyMs);
      found.livedMs = context.now() - openedAtMs;
    }
  });

/** Checks that binary messages come back. @param {Context} context */
export const checkBinary = (context) =>
  withLink(context, async (link) => {
    for (let i = 0; i < BINARY_COUNT; i++) {
      await link.exchange(Uint8Array.from({ length: BINARY_BYTES }, (_, at) => (at + i) % 256));
    }
  });

/** Makes the check of a message of so many bytes. @param {number} bytes @returns {(context: Context) => Promise<Observed>} */
export const checkSize = (bytes) => (context) =>
  withLink(context, async (link) => void (await link.exchange('x'.repeat(bytes), LARGE_LIMIT_MS)));

/** Checks a message, the silence, another message. @param {Context} context @param {number} silenceMs */
export const checkSilence = (context, silenceMs) =>
  withLink(context, async (link, found) => {
    await link.exchange('before');
    const silentSinceMs = context.now();
    link.ended.then(({ atMs, code }) => Object.assign(found, { livedMs: atMs - silentSinceMs, closeCode: code }));
    await link.pause(silenceMs);
    const roundTripMs = await link.exchange('after');
    found.livedMs = context.now() - roundTripMs - silentSinceMs;
  });

/** Checks how long a connection with a heartbeat lives, for longer than the longest silence. @param {Context} context */
export const checkHeartbeat = (context) =>
  withLink(context, async (link, found) => {
    const { plan, now } = context;
    const openedAtMs = now();
    link.ended.then(({ atMs, code }) => Object.assign(found, { livedMs: atMs - openedAtMs, closeCode: code }));
    for (let atMs = 0; atMs <= heartbeatLifeMs(plan); atMs += plan.heartbeatMs) {
      await link.pause(openedAtMs + atMs - now());
      await link.exchange('heartbeat');
      // A connection that is cut without a close is known to have lived until the last answer.
      found.livedMs = now() - openedAtMs;
    }
  });

/**
 * Searches for the longest silence that a connection survives: bisection by several concurrent connections, whose
 * silences divide the remaining range evenly in their logarithms, in two rounds. The first failure ends its round, as
 * longer ones would fail, too.
 * @param {Context} context @param {{ livedMs: number, cutMs?: number }} known by the silences of the plan
 * @returns {Promise<Observed>}
 */
export async function searchIdleTimeout(context, known) {
  const startedAtMs = context.now();
  const { plan } = context;
  /** @type {{ livedMs: number, cutMs?: number }} */
  let bracket = { ...known, livedMs: Math.max(known.livedMs, 100) };
  for (let round = 0; round < 2 && bracket.livedMs < (bracket.cutMs ?? plan.idleMs); round++) {
    if (round > 0 && bracket.cutMs === undefined) break;
    bracket = await searchRound(context, bracket);
  }
  return { durationMs: context.now() - startedAtMs, ...bracket };
}

/** @param {Context} context @param {{ livedMs: number, cutMs?: number }} bracket */
async function searchRound(context, { livedMs, cutMs }) {
  const maxMs = cutMs ?? context.plan.idleMs;
  // The shortest silence that is cut need not be tried again.
  const parts = cutMs === undefined ? SEARCH_COUNT : SEARCH_COUNT + 1;
  const round = new AbortController();
  const signal = AbortSignal.any([context.signal, round.signal]);
  const silences = Array.from({ length: SEARCH_COUNT }, (_, i) => livedMs * (maxMs / livedMs) ** ((i + 1) / parts));
  const checks = silences.map((silenceMs) => checkSilence({ ...context, signal }, silenceMs));
  // These checks end with the round, and nobody reads their errors.
  for (const check of checks) check.catch(() => {});
  let survivedMs = livedMs;
  for (const [i, check] of checks.entries()) {
    const { failure, livedMs: seenMs } = await check;
    if (!failure) {
      survivedMs = silences[i];
      continue;
    }
    round.abort(new ExchangeError('aborted', 'A shorter silence failed.'));
    const isSeen = seenMs !== undefined && seenMs < silences[i];
    // The close was seen, so nothing is left to search for.
    return isSeen ? { livedMs: seenMs, cutMs: seenMs } : { livedMs: survivedMs, cutMs: silences[i] };
  }
  return { livedMs: survivedMs, cutMs };
}
