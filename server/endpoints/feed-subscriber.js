/** Sends the messages of a feed over one connection, and cuts that connection when its feed says so. */
import { CUTS, firstDueAt } from '../../core/net/feed/feed.js';
import { guard } from '../http/boundary.js';
import { silence } from '../sockets/silence.js';
import { dueAtMs, formatMessage } from './feeds.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Owned } from '../http/boundary.js'
 * @import { Subscription } from './feed-options.js'
 * @import { Feed } from './feeds.js'
 *
 * @typedef {object} Line a connection that lasts
 * @property {(message: string, n: number) => void} say
 * @property {() => void} finish ends it after the last message
 * @property {() => void} goAway closes it as for a deploy
 * @property {() => Socket | undefined} socket beneath; absent while messages go over several requests
 */

/** How long until a connection is looked for again that goes over several requests. */
const LOOK_MS = 50;

/**
 * @param {Subscription & { line: Line, owned: Owned, now: () => number }} options `owned` ends where a listener throws
 * @returns {() => void} stops it; called when the connection is over, and for a drain
 */
export function subscribe({ feed, since, line, owned, now }) {
  const stopMessages = sendMessages({ feed, since, line, owned, now });
  const stopCut = scheduleCut({ feed, line, owned, now });
  return () => {
    stopMessages();
    stopCut();
  };
}

/** @param {Parameters<typeof subscribe>[0]} options */
function sendMessages({ feed, since, line, owned, now }) {
  let next = since ?? firstDueAt(now() - feed.startMs, feed);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const send = guard(owned, () => {
    while (next < feed.count && dueAtMs(next, feed) <= now()) {
      line.say(formatMessage(next), next);
      next++;
    }
    if (next < feed.count) timer = setTimeout(send, dueAtMs(next, feed) - now());
    else line.finish();
  });
  // Its library is still opening the connection.
  timer = setTimeout(send);
  return () => clearTimeout(timer);
}

/** @param {Omit<Parameters<typeof subscribe>[0], 'since'>} options @returns {() => void} ends the cut at once */
function scheduleCut({ feed, line, owned, now }) {
  const { cut, cutStartMs, cutEndMs } = feed;
  const { lasts } = CUTS[cut];
  // New connections work, except in a stall, where they wait already.
  if (!Number.isFinite(cutStartMs) || now() >= cutStartMs) return () => {};
  let release = () => {};
  const begin = guard(owned, () => {
    if (cut === 'close') return line.goAway();
    const socket = line.socket();
    if (!socket) {
      if (!lasts || now() < cutEndMs) timer = setTimeout(begin, LOOK_MS);
      return undefined;
    }
    if (lasts) release = silenceUntilEnd({ feed, socket, now });
    else socket.resetAndDestroy();
    return undefined;
  });
  let timer = setTimeout(begin, cutStartMs - now());
  return () => {
    clearTimeout(timer);
    release();
  };
}

/**
 * Holds up a connection or a request that comes during a stall.
 * @param {{ feed: Feed, socket: Socket, now: () => number }} options @returns {(() => void) | undefined} breaks it off, if it is still silent; absent without a stall
 */
export function holdUp({ feed, socket, now }) {
  const isStalled = feed.cut === 'stall' && now() >= feed.cutStartMs && now() < feed.cutEndMs;
  return isStalled ? silenceUntilEnd({ feed, socket, now }) : undefined;
}

/** The connections that are silent: several requests may come over one. @type {WeakMap<Socket, () => void>} */
const silent = new WeakMap();

/** @param {Parameters<typeof holdUp>[0]} options @returns {() => void} breaks it off, if it is still silent */
function silenceUntilEnd({ feed, socket, now }) {
  const known = silent.get(socket);
  if (known) return known;
  const { lift, breakOff } = silence(socket);
  const end = (/** @type {() => void} */ act) => {
    clearTimeout(timer);
    if (!silent.delete(socket)) return;
    act();
  };
  const timer = setTimeout(
    guard(socket, () => end(feed.cut === 'stall' ? lift : breakOff)),
    feed.cutEndMs - now(),
  );
  const release = () => end(breakOff);
  silent.set(socket, release);
  return release;
}
