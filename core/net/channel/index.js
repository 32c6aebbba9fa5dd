/**
 * The kinds of connection: a file each, and here its name and what opens it. Echo, payload, jobs, feeds and streams are protocols over
 * them: each has a row for every kind that has a path for it.
 * @typedef {'echo' | 'payload' | 'jobs' | 'feed' | 'stream'} Protocol
 * @typedef {object} Kind
 * @property {string} name
 * @property {string} label for people
 * @property {Readonly<{ echo: string } & Partial<Record<Protocol, string>>>} paths on the server, by protocol; what cannot go over
 *   this kind has none
 * @property {string} library that its client is built on, if a row names no other: a package, or what platforms have built in
 *   (core/net/libraries.js)
 * @property {readonly string[]} protocols that it can negotiate
 * @property {boolean} isSocket has it one lasting connection? Else each message is a request
 * @property {string} [sessionPath] where a session goes over several requests, the place of its ID in their paths, below the
 *   endpoint; absent where it has one connection, or its ID is in their queries
 * @property {readonly ('text' | 'binary' | 'value')[]} carries what a message may be; `value`: its library formats values
 * @property {boolean} [sendsNothing] does it only receive? What is sent goes beside it, by requests
 */
import { byName } from '../rows.js';
import { createChannel } from './channel.js';
import { eventStream, openEventStream } from './event-stream.js';
import { http } from './http.js';
import { openSocketio, socketio } from './socketio.js';
import { openSockjs, sockjs } from './sockjs.js';
import { openWebSocket, webSocket } from './web-socket.js';

/**
 * @import { Channel, Socket } from './channel.js'
 * @typedef {object} ChannelOptions
 * @property {any} [library] the implementation, absent where the platform has it
 * @property {string} [only] one of its library's transports, by the library's name for it
 * @property {number} [timeoutMs] the minimum for each of its transports
 * @property {string} [lastMessage] which the server answers, if ending it takes one
 * @property {string | false} [postsTo] the address that takes messages, for a kind that sends nothing
 * @typedef {object} Common what the rows of all protocols have, as their kind has it
 * @property {string} kind its name
 * @property {string} endpoint the protocol's path on the server
 * @property {string} library
 * @property {readonly string[]} protocols
 * @property {boolean} isSocket
 * @property {string} [sessionPath]
 */

export const kinds = byName([webSocket, sockjs, socketio, eventStream, http]);

/**
 * What a protocol's row over a kind has, unless it says otherwise.
 * @param {string} kind @param {Protocol} protocol @returns {Common}
 */
export function over(kind, protocol) {
  const { library, protocols, isSocket, sessionPath, paths } = kinds[kind];
  const endpoint = /** @type {string} */ (paths[protocol]);
  return { kind, endpoint, library, protocols, isSocket, ...(sessionPath !== undefined && { sessionPath }) };
}

/**
 * Makes the table of a protocol: its rows, and one for each kind that speaks it without a row of its own. So it offers a new
 * kind at once.
 * @template {{ name: string, kind: string }} R @param {Protocol} protocol @param {readonly R[]} rows
 * @param {(common: Common & { name: string, label: string }, kind: Kind) => NoInfer<R>} rowOf a kind, whose
 *   row begins with `common`
 */
export function withEachKind(protocol, rows, rowOf) {
  const known = new Set(rows.map(({ kind }) => kind));
  const others = Object.values(kinds).filter(({ name, paths }) => paths[protocol] !== undefined && !known.has(name));
  const make = (/** @type {Kind} */ kind) => {
    const { name, label } = kind;
    return rowOf({ ...over(name, protocol), name, label }, kind);
  };
  return byName([...rows, ...others.map(make)]);
}

/**
 * What opens those that last. They are not in the rows: what a page does not call is left out of its script.
 * @type {Readonly<Record<string, (library: any, url: string, options?: ChannelOptions) => Socket>>}
 */
const OPENERS = Object.freeze({
  websocket: openWebSocket,
  sockjs: openSockjs,
  socketio: openSocketio,
  'event-stream': openEventStream,
});

/**
 * Begins to connect.
 * @param {string} kind @param {string} url http(s) @param {ChannelOptions} [options] @returns {Socket}
 */
export const openSocket = (kind, url, { library, ...options } = {}) => OPENERS[kind](library, url, options);

/**
 * Begins to connect.
 * @param {string} kind @param {string} url http(s) @param {ChannelOptions} [options] @returns {Channel}
 */
export const openChannel = (kind, url, options) => createChannel(openSocket(kind, url, options), kinds[kind]);
