/** What a cut keeps back: the connections of feeds that are silent, and the requests whose answers wait, until it ends. */
import { guard } from '../http/boundary.js';
import { whenOver } from '../http/exchange.js';
import { silence } from '../sockets/silence.js';

/**
 * @import { Duplex } from 'node:stream'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Endpoint, Gate } from '../http/gate.js'
 * @import { Feed, Feeds } from './feeds.js'
 * @import { Silence } from '../sockets/silence.js'
 * @typedef {object} Silences
 * @property {(feed: Feed, socket: Socket, begin?: () => Silence) => void} begin silences a connection, or what it carries, until the
 *   cut of its feed ends, by itself
 * @property {() => void} breakOffAll a drain reaches nobody who is silent
 * @typedef {object} Waits
 * @property {(req: Request, res: Response, untilMs: number, act: () => void) => void} wait keeps an answer back, which has a place for
 *   that time; throws a RefusalError
 * @property {() => void} endAll lets everything go on: for a drain
 */

/** Are new connections and requests silent, too? @param {Feed} feed @param {number} nowMs */
export const isStalled = ({ cut, cutStartMs, cutEndMs }, nowMs) =>
  cut === 'stall' && nowMs >= cutStartMs && nowMs < cutEndMs;

/** @param {{ now: () => number }} feeds of this worker @returns {Silences} */
export function createSilences({ now }) {
  /** By connection, over which several answers may come. @type {Map<Duplex, () => void>} */
  const breakOffs = new Map();

  return {
    begin({ cut, cutEndMs }, socket, begin = () => silence(socket)) {
      if (breakOffs.has(socket)) return;
      const { lift, breakOff } = begin();
      const end = (/** @type {() => void} */ act) => {
        clearTimeout(timer);
        breakOffs.delete(socket);
        act();
      };
      const endCut = guard(socket, () => end(cut === 'stall' ? lift : breakOff));
      const timer = setTimeout(endCut, cutEndMs - now());
      breakOffs.set(socket, () => end(breakOff));
    },

    breakOffAll() {
      for (const breakOff of [...breakOffs.values()]) breakOff();
    },
  };
}

/** @param {{ feeds: Feeds, gate: Gate }} parts @returns {Waits} */
export function createWaits({ feeds, gate }) {
  /** Each lets its request go on. @type {Set<() => void>} */
  const goOns = new Set();

  return {
    wait(req, res, untilMs, act) {
      const leave = gate.takePlace(req, 'feeds');
      const stop = () => {
        clearTimeout(timer);
        if (goOns.delete(goOn)) leave();
      };
      const goOn = guard(res, () => {
        stop();
        act();
      });
      const timer = setTimeout(goOn, untilMs - feeds.now());
      goOns.add(goOn);
      whenOver(req, res, stop);
    },

    endAll() {
      for (const goOn of [...goOns]) goOn();
    },
  };
}

/**
 * Lets an endpoint feel the stall of a feed: no request is answered in that time, and a WebSocket that is opened is silent.
 * @template {Endpoint} T @param {T} endpoint
 * @param {{ feeds: Feeds, silences: Silences, waits: Waits, findFeed(req: Request): Feed | undefined }} own @returns {T}
 */
export function stallable(endpoint, { feeds, silences, waits, findFeed }) {
  const stalledFeed = (/** @type {Request} */ req) => {
    const feed = findFeed(req);
    return feed && isStalled(feed, feeds.now()) ? feed : undefined;
  };
  const { upgrade } = endpoint;
  return {
    ...endpoint,
    keepBack(req, res, goOn) {
      const feed = stalledFeed(req);
      if (feed) waits.wait(req, res, feed.cutEndMs, goOn);
      return feed !== undefined;
    },
    upgrade: upgrade && {
      ...upgrade,
      open(req, socket, requestBytes) {
        const feed = stalledFeed(req);
        if (feed) silences.begin(feed, /** @type {Socket} */ (socket));
        upgrade.open(req, socket, requestBytes);
      },
    },
  };
}
