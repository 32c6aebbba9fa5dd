/**
 * The carriers by name: what the payload experiment sets against each other, each over endpoints of its own. To add one: a
 * function in http-carriers.js or socket-carriers.js, its label, an endpoint file on the server, a line in the contract
 * suite's table.
 *
 * What is timed is the same for all: from the call that sends to the moment in which the whole answer is in the page's hands,
 * as a string or as an ArrayBuffer. Not timed: making the message, looking at the answer.
 *
 * @typedef {'up' | 'down' | 'echo'} Direction up: the message goes to the server, which says what it got; down: it is asked
 *   for; echo: it comes back
 * @typedef {'text' | 'binary'} Form in which the message is in the page's hands
 *
 * @typedef {object} Receipt of a message whose answer came, whatever it is
 * @property {number} startedAtMs the clock just before the sending call
 * @property {number} endedAtMs the clock when the whole answer was there
 * @property {string | ArrayBuffer} answer not looked at yet: see check-answer.js
 *
 * @typedef {object} CarrierConnection for one message at a time, in one direction
 * @property {string | undefined} protocol what was really negotiated; absent as long as it is not known
 * @property {number | undefined} setUpMs absent where no connection was opened, or none yet
 * @property {(message: Message, options: { signal?: AbortSignal }) => Promise<Receipt>} send rejects with an
 *   ExchangeError, at once where the signal says so; a socket is closed by that
 * @property {() => void} close may be called at any time, and again
 *
 * @typedef {object} Carrier
 * @property {string} name
 * @property {Form} form
 * @property {(direction: Direction, options: { signal?: AbortSignal }) => Promise<CarrierConnection>} connect rejects with
 *   an ExchangeError
 *
 * @typedef {object} CarrierOptions
 * @property {any} [library] jQuery, fetch, WebSocket, SockJS; what the platform has by itself may be left out
 * @property {string} origin of the server, http(s)
 * @property {Now} [now]
 * @property {Performance} [performance] for those over HTTP
 */
import { createAjaxCarrier, createFetchCarrier } from './http-carriers.js';
import { createSockjsCarrier, createWebsocketCarrier } from './socket-carriers.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Message } from './message.js'
 */

/** @type {Readonly<Record<string, (options: CarrierOptions) => Carrier>>} */
export const carriers = Object.freeze({
  ajax: createAjaxCarrier,
  fetch: createFetchCarrier,
  'websocket-text': (options) => createWebsocketCarrier({ ...options, form: 'text' }),
  'websocket-binary': (options) => createWebsocketCarrier({ ...options, form: 'binary' }),
  sockjs: createSockjsCarrier,
});
