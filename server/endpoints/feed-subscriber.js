/** Sends the messages of a feed over one connection, and cuts that connection when its feed says so. */
import { CUTS, firstDueAt } from '../../core/net/feed/feed.js';
import { guard } from '../http/boundary.js';
import { FRAME_WORK } from '../http/turns.js';
import { isStalled } from './feed-silences.js';
import { dueAtMs, formatMessage } from './feeds.js';

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
const MESSAGES_PER_TURN = 16;

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
 * Sends the messages of a feed as they are due; many that are due at once, some per turn of the event loop. What a stall keeps
 * back is made after it, so that it takes no memory.
 * @param {Subscription & { line: { say: Line['say'], finish: Line['finish'] }, owned: Owned, now: () => number, turns: TurnQueue }} options
 * @returns {() => number} stops it, and gives the next message
 */
export function sendMessages({ feed, since, line, owned, now, turns }) {
  let next = since ?? firstDueAt(now() - feed.startMs, feed);
  let isStopped = false;
  const takeTurn = () => {
    if (isStopped) return 0;
    if (isStalled(feed, now())) {
      timer = setTimeout(send, feed.cutEndMs - now());
      return 0;
    }
    const first = next;
    next = sendDue({ feed, next, now, say: line.say, count: MESSAGES_PER_TURN });
    if (next < feed.count && dueAtMs(next, feed) <= now()) turns.add({ connection: owned, takeTurn });
    else if (next < feed.count) timer = setTimeout(send, dueAtMs(next, feed) - now());
    else line.finish();
    return (next - first) * FRAME_WORK;
  };
  const send = guard(owned, takeTurn);
  // Its library is still opening the connection.
  let timer = setTimeout(send);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return next;
  };
}

/**
 * Sends the messages that are due.
 * @param {{ feed: Feed, next: number, now: () => number, say: Line['say'], count?: number }} options `count`: at most
 * @returns {number} the next message
 */
export function sendDue({ feed, next, now, say, count = feed.count }) {
  const end = Math.min(feed.count, next + count);
  for (; next < end && dueAtMs(next, feed) <= now(); next++) say(formatMessage(next), next);
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
