/**
 * The kinds of connection on the server: a file each, and here its name and its adapter, which lets clients converse by a
 * protocol. What a kind is to its client says core/net/channel. A protocol names no kind: what it has to know about the
 * connection, the speaker tells.
 */
import { acceptEventStream } from './event-stream.js';
import { acceptSocketio } from './socketio.js';
import { acceptSockjs } from './sockjs.js';
import { acceptWebSocket } from './web-socket.js';

/**
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Protocol as ProtocolName } from '../../core/net/channel/index.js'
 * @import { DelayAnswer } from '../app.js'
 * @import { EndpointsBelow } from '../endpoints/index.js'
 * @import { SessionKind } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { EndpointParts } from '../parts.js'
 * @import { Recoverable } from '../sockets/socketio-recovery.js'
 *
 * @typedef {object} Speaker the client at the other end of one connection
 * @property {string} transport as it is counted
 * @property {string} url of the request that opened it
 * @property {string} visitor the address that this came from
 * @property {Socket} [socket] beneath; absent while messages go over several requests
 * @property {() => number} [keptBytes] what the client has not fetched yet, while messages go over several requests
 * @property {(message: any) => void} say a text; a value, if it `takesValues`
 * @property {(code: number, reason: string) => void} close reports a fault of the client's
 * @property {() => void} goAway closes it as for a deploy
 * @property {boolean} [takesValues] does its library format messages?
 * @property {boolean} [isCounted] is each message a request, which is counted already?
 * @property {number} [framingBytes] that its library puts around a message
 * @property {Flow} [flow] where its library reads by itself; else the socket's own
 * @property {(message: Buffer | string, isBinary: boolean) => void} [sayBytes] absent where it takes only text
 * @property {(room: string) => (message: unknown) => void} [enter] returns what says something to the whole room; absent where its
 *   library has none
 * @typedef {{ pause(): void, resume(): void }} Flow
 *
 * @typedef {object} Conversation
 * @property {(message: unknown) => void} onMessage a text, or what is none
 * @property {(message: Buffer, isBinary: boolean) => void} [onBytes] instead, where messages come as bytes
 * @property {() => void} [onEnd] nothing can be said any more
 * @property {() => void} [onError] the library closes the connection, because of what came
 * @property {() => void} [onTooMany] closes it, where more messages came at once than any client sends; absent: with 1008
 *
 * @typedef {object} Asked
 * @property {number} requestBytes that came over the connection, including the headers
 * @property {Response} [res] absent for an upgrade
 * @property {boolean} [mayHaveOthers] has the query what a library adds?
 * @property {boolean} [isDocument] is it for a document of the library's, which has no query of the client's?
 *
 * @typedef {object} Protocol
 * @property {Limits} limits of a message
 * @property {(framingBytes: number) => Limits} [frameLimits] of a library's frame, which may have several messages; by default those of
 *   the server
 * @property {SessionKind} [sessions] among which its connections count
 * @property {string} [query] of a valid request
 * @property {(req: Request, asked: Asked) => any} [look] sees each request before a library does; throws a RefusalError
 * @property {(speaker: Speaker, looked?: any) => Conversation} converse begins as soon as the connection is open; `looked`: what `look`
 *   returned for it; absent where a session may go over several requests
 * @property {boolean} [hasLongMessages] so that a heartbeat's answer may have to wait for one
 * @property {boolean} [isUnframed] may messages come without the frames of a library that has some?
 * @property {string} [unframedPath] where that is the place for them
 * @property {boolean} [sendsValues] is what is said JSON that goes into the library's frames as the value? Else as text
 * @property {boolean} [connectsAgain] is a client to connect again after a drain?
 * @property {(room: string) => Recoverable | undefined} [recovers] what was said to a room, for a session that was lost
 * @property {DelayAnswer} [delayAnswer]
 *
 * @typedef {Protocol & { only: { kind: string, path: string, name: string } }} ProtocolOverOne that is offered over one kind alone:
 *   its `path`, and what its connections are counted as
 *
 * @typedef {(parts: EndpointParts, protocol: Protocol, own: { path: string, name: string }) => EndpointsBelow} Adapter `path` of the
 *   connections; `name`: what these are counted as begins with it
 */

/** By the name of its kind. @type {Readonly<Record<string, Adapter>>} */
export const adapters = Object.freeze({
  websocket: acceptWebSocket,
  sockjs: acceptSockjs,
  'event-stream': acceptEventStream,
  socketio: acceptSocketio,
});

/**
 * What connections were counted as before all names were made alike, by kind and protocol.
 * @type {Readonly<Record<string, Partial<Record<ProtocolName, string>>>>}
 */
const OLDER_NAMES = Object.freeze({
  websocket: { echo: 'ws echo', jobs: 'ws/jobs', feed: 'feed ws' },
  'event-stream': { echo: 'sse' },
});

/** What connections of a kind are counted as. @param {ProtocolName} protocol @param {string} kind @returns {string} */
export const countedAs = (protocol, kind) =>
  OLDER_NAMES[kind]?.[protocol] ?? (protocol === 'echo' ? kind : `${protocol} ${kind}`);
