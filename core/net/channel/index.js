/**
 * The kinds of connection: a file each, and here its name and what opens it. Echo, transfer, load, jobs and feeds are protocols
 * over them, whose rows say by which kind.
 * @typedef {object} Kind
 * @property {string} name
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
 */

export const kinds = byName([webSocket, sockjs, socketio, eventStream, http]);

/** What a row over a kind has, unless it says otherwise. @param {string} kind */
export function over(kind) {
  const { library, protocols, isSocket, sessionPath } = kinds[kind];
  return { kind, library, protocols, isSocket, ...(sessionPath !== undefined && { sessionPath }) };
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
