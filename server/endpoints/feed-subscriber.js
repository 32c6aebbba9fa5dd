/** Sends the messages of a feed over one connection, and cuts that connection when its feed says so. */
import { CUTS, firstDueAt } from '../../core/net/feed/feed.js';
import { guard } from '../http/boundary.js';
import { isStalled } from './feed-silences.js';
import { dueAtMs, formatMessage } from './feeds.js';
import { sendOnSchedule } from './on-schedule.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Owned } from '../http/boundary.js'
 * @import { Feed, Subscription } from './feeds.js'
 * @import { Silence } from '../sockets/silence.js'
 * @import { Silences } from './feed-silences.js'
 * @import { TurnQueue } from '../http/turns.js'
 *
 * @typedef {object} Line a connection that lasts
 * @property {(message: string, n: number) => void} say
 * @property {() => void} finish ends it after the last message
 * @property {() => void} goAway closes it as for a deploy
 * @property {() => Socket | undefined} socket beneath; absent while messages go over several requests
 * @property {() => Silence} [silence] makes it silent; absent where the socket carries nothing else
 */

/** How long until a connection is looked for again that goes over several requests. */
const LOOK_MS = 50;

/**
 * @param {Subscription & { line: Line, owned: Owned, now: () => number, silences: Silences, turns: TurnQueue }} options `owned` ends where a
 *   listener throws
 * @returns {() => void} stops it; called when the session is over: a silence that has begun goes on, whatever a library does
 */
export function subscribe(options) {
  const stopMessages = sendMessages(options);
  const stopCut = scheduleCut(options);
  return () => {
    stopMessages();
    stopCut();
  };
}

/**
 * Sends the messages of a feed as they are due. What a stall keeps back is made after it.
 * @param {Subscription & { line: { say: Line['say'], finish: Line['finish'] }, owned: Owned, now: () => number, turns: TurnQueue }} options
 * @returns {() => number} stops it, and gives the next message
 */
export const sendMessages = ({ feed, since, line, ...others }) =>
  sendOnSchedule({
    ...others,
    count: feed.count,
    next: since ?? firstDueAt(others.now() - feed.startMs, feed),
    dueAtMs: (n) => dueAtMs(n, feed),
    heldForMs: () => (isStalled(feed, others.now()) ? Math.max(0, feed.cutEndMs - others.now()) : undefined),
    say: (n) => line.say(formatMessage(n), n),
    finish: line.finish,
  });

/**
 * Sends the messages that are due.
 * @param {{ feed: Feed, next: number, now: () => number, say: Line['say'] }} options @returns {number} the next message
 */
export function sendDue({ feed, next, now, say }) {
  for (; next < feed.count && dueAtMs(next, feed) <= now(); next++) say(formatMessage(next), next);
  return next;
}

/** @param {Omit<Parameters<typeof subscribe>[0], 'since' | 'turns'>} options @returns {() => void} forgets a cut that is to come */
export function scheduleCut({ feed, line, owned, now, silences }) {
  const { cut, cutStartMs, cutEndMs } = feed;
  const { lasts } = CUTS[cut];
  // New connections work, except in a stall, where they wait already.
  if (!Number.isFinite(cutStartMs) || now() >= cutStartMs) return () => {};
  const begin = guard(owned, () => {
    if (cut === 'close') return line.goAway();
    const socket = line.socket();
    if (socket) {
      if (lasts) silences.begin(feed, socket, line.silence);
      else socket.resetAndDestroy();
    } else if (!lasts || now() < cutEndMs) timer = setTimeout(begin, LOOK_MS);
    return undefined;
  });
  let timer = setTimeout(begin, cutStartMs - now());
  return () => clearTimeout(timer);
}
