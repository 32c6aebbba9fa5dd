/** The checks of a WebSocket: does it open, which messages are echoed, and how long does it live? */
import { sleep } from '../../base/async.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { fetchBeside } from '../../net/http.js';
import { openLink } from './link.js';
import { heartbeatLifeMs } from './plan.js';

/**
 * @import { Context, Found } from './measure.js'
 * @import { Link } from './link.js'
 */

/** Longer than a proxy takes that lets an upgrade through and then cuts it. */
const IN_USE = Object.freeze({ count: 20, everyMs: 50 });
const BINARY_COUNT = 3;
const BINARY_BYTES = 256;
/** 1 MiB both ways over 1 Mbit/s. */
const LARGE_LIMIT_MS = 20_000;
/** Connections of a round of the search. */
const SEARCH_COUNT = 6;

const createProbe = () => Array.from({ length: 16 }, () => Math.floor(36 * Math.random()).toString(36)).join('');

/** @param {any} answer */
function pickSeen({ plainCount, upgradeCount, openCount, textCount, binaryCount, ...rest }) {
  const { httpVersion, refusal, closeCode, openMs } = rest;
  return {
    plainCount: Number(plainCount),
    upgradeCount: Number(upgradeCount),
    openCount: Number(openCount),
    textCount: Number(textCount),
    binaryCount: Number(binaryCount),
    ...(httpVersion !== undefined && { httpVersion: String(httpVersion) }),
    ...(refusal !== undefined && { refusal: String(refusal) }),
    ...(closeCode !== undefined && { closeCode: Number(closeCode) }),
    ...(openMs !== undefined && { openMs: Number(openMs) }),
  };
}

/**
 * Opens its own connection and reports the outcome; after a failure also what reached the server.
 * @param {Context} context
 * @param {(link: Link, found: Found) => Promise<void>} use adds to what was found; throws an ExchangeError
 * @param {{ isAlwaysAsked?: boolean }} [options] the server is asked even where all is well
 * @returns {Promise<Found>}
 */
async function withLink(context, use, { isAlwaysAsked = false } = {}) {
  const { now, origin, fetch, signal } = context;
  const probe = createProbe();
  /** @type {Found} */
  const found = { startedAtMs: now(), roundTripMs: [] };
  /** @type {Link | undefined} */
  let link;
  try {
    link = await openLink(context, probe);
    Object.assign(found, { protocol: 'websocket', setUpMs: link.setUpMs });
    await use(link, found);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const { outcome, message } = error;
    found.failure = { outcome, message };
    found.answered = /** @type {any} */ (error).answered;
  } finally {
    link?.close();
  }
  if (found.failure || isAlwaysAsked) {
    found.seen = await fetchBeside(fetch, `${origin}/reach/seen?probe=${probe}`, pickSeen, signal);
  }
  return found;
}

/** @param {Context} context @returns {Promise<Found>} */
export const checkUpgrade = (context) =>
  withLink(
    context,
    async ({ setUpMs }, found) => {
      found.durationMs = setUpMs;
      delete found.roundTripMs;
    },
    { isAlwaysAsked: true },
  );

/** Several messages, as some proxies let but one through, or close soon. @param {Context} context */
export const checkText = (context) =>
  withLink(context, async (link, found) => {
    const openedAtMs = context.now();
    link.ended.then(({ atMs }) => (found.livedMs ??= atMs - openedAtMs));
    for (let i = 0; i < IN_USE.count; i++) {
      found.roundTripMs?.push(await link.exchange(`message ${i}`));
      await pause(link, IN_USE.everyMs, context);
    }
    found.livedMs = context.now() - openedAtMs;
  });

/** @param {Context} context */
export const checkBinary = (context) =>
  withLink(context, async (link, found) => {
    for (let i = 0; i < BINARY_COUNT; i++) {
      const bytes = Uint8Array.from({ length: BINARY_BYTES }, (_, at) => (at + i) % 256);
      found.roundTripMs?.push(await link.exchange(bytes));
    }
  });

/** @param {number} bytes @returns {(context: Context) => Promise<Found>} */
export const checkSize = (bytes) => (context) =>
  withLink(context, async (link, found) => {
    found.roundTripMs?.push(await link.exchange('x'.repeat(bytes), LARGE_LIMIT_MS));
  });

/** A message, the silence, another message. @param {Context} context @param {number} silenceMs */
export const checkSilence = (context, silenceMs) =>
  withLink(context, async (link, found) => {
    found.roundTripMs?.push(await link.exchange('before'));
    const silentSinceMs = context.now();
    link.ended.then(({ atMs, code }) => Object.assign(found, { livedMs: atMs - silentSinceMs, closeCode: code }));
    await pause(link, silenceMs, context);
    const roundTripMs = await link.exchange('after');
    found.roundTripMs?.push(roundTripMs);
    found.livedMs = context.now() - roundTripMs - silentSinceMs;
  });

/** @param {Context} context */
export const checkHeartbeat = (context) =>
  withLink(context, async (link, found) => {
    const { plan, now } = context;
    const openedAtMs = now();
    link.ended.then(({ atMs, code }) => Object.assign(found, { livedMs: atMs - openedAtMs, closeCode: code }));
    for (let atMs = 0; atMs <= heartbeatLifeMs(plan); atMs += plan.heartbeatMs) {
      await pause(link, openedAtMs + atMs - now(), context);
      found.roundTripMs?.push(await link.exchange('heartbeat'));
    }
    found.livedMs = now() - openedAtMs;
  });

/** Waits, unless the connection ends. @param {Link} link @param {number} ms @param {Context} context @throws {ExchangeError} */
async function pause(link, ms, { timers, signal }) {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  /** @type {ExchangeError | undefined} */
  let closed;
  link.ended.then(({ error }) => {
    closed = error;
    over.abort();
  });
  // Even a wait of 0 ms lets the event of a close that has arrived run.
  await sleep(Math.max(0, ms), { signal: either, timers });
  if (signal.aborted) throw signal.reason;
  if (closed) throw closed;
}

/**
 * Searches for the longest silence that a connection survives: bisection by several connections at once, whose silences divide
 * what is left evenly in their logarithms, in two rounds. The first that fails ends its round, as longer ones would, too.
 * @param {Context} context @param {{ livedMs: number, cutMs?: number }} known by the silences of the plan
 * @returns {Promise<Found>}
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
  return { startedAtMs, durationMs: context.now() - startedAtMs, ...bracket };
}

/** @param {Context} context @param {{ livedMs: number, cutMs?: number }} bracket */
async function searchRound(context, { livedMs, cutMs }) {
  const maxMs = cutMs ?? context.plan.idleMs;
  // What is known to be cut need not be tried again.
  const parts = cutMs === undefined ? SEARCH_COUNT : SEARCH_COUNT + 1;
  const round = new AbortController();
  const signal = AbortSignal.any([context.signal, round.signal]);
  const silences = Array.from({ length: SEARCH_COUNT }, (_, i) => livedMs * (maxMs / livedMs) ** ((i + 1) / parts));
  const checks = silences.map((silenceMs) => checkSilence({ ...context, signal }, silenceMs));
  // Those that end with the round, unread.
  for (const check of checks) check.catch(() => {});
  let longestMs = livedMs;
  for (const [i, check] of checks.entries()) {
    const { failure, livedMs: seenMs } = await check;
    if (!failure) {
      longestMs = silences[i];
      continue;
    }
    round.abort(new ExchangeError('aborted', 'A shorter silence failed.'));
    const isSeen = seenMs !== undefined && seenMs < silences[i];
    // The close was seen, so nothing is left to search for.
    return isSeen ? { livedMs: seenMs, cutMs: seenMs } : { livedMs: longestMs, cutMs: silences[i] };
  }
  return { livedMs: longestMs, cutMs };
}

/** What the silences of a plan show of the idle timeout. @param {readonly { found: Pick<Found, 'failure' | 'livedMs'>, silenceMs: number }[]} silences */
export function bracketOf(silences) {
  const lived = silences.filter(({ found }) => !found.failure).map(({ silenceMs }) => silenceMs);
  const failed = silences.flatMap(({ found: { failure, livedMs }, silenceMs }) =>
    failure ? [Math.min(livedMs ?? silenceMs, silenceMs)] : [],
  );
  const cutMs = failed.length > 0 ? Math.min(...failed) : undefined;
  return { livedMs: Math.max(0, ...lived.filter((ms) => cutMs === undefined || ms < cutMs)), cutMs };
}
