/**
 * What the carriers over a socket have in common: connecting, one message and its answer. Which socket it is, is each one's
 * own.
 */
import { abortable } from '../../base/abortable.js';
import { ExchangeError } from '../exchange-error.js';
import { OPEN, toClosed } from '../echo/socket-transport.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Socket } from '../echo/socket-transport.js'
 * @import { Carrier, CarrierConnection, Direction, Form } from './index.js'
 * @import { Message } from './message.js'
 */

/**
 * @template {Socket} S
 * @param {object} options
 * @param {string} options.name
 * @param {Form} options.form
 * @param {(direction: Direction) => S} options.open begins to connect
 * @param {(socket: S) => string | undefined} options.protocolOf an open socket
 * @param {(message: Message) => object} options.askFor what is sent, as JSON, to get a message
 * @param {Now} options.now
 * @returns {Carrier}
 */
export function createSocketCarrier({ name, form, open, protocolOf, askFor, now }) {
  return {
    name,
    form,

    /** Set-up is the whole way to a usable connection: it ends when messages may be sent. */
    connect: (direction, { signal }) =>
      abortable(signal, (resolve, reject) => {
        const startedAtMs = now();
        const socket = open(direction);
        socket.onopen = () => {
          const setUpMs = now() - startedAtMs;
          resolve(createConnection(socket, { protocol: protocolOf(socket), setUpMs, askFor, now }));
        };
        socket.onclose = (event) => reject(toClosed(event));
        // Where its policy forbids the address, Chromium tells of an error and of no close. Once the socket is open, a close
        // follows each error and says it all.
        socket.onerror = () => reject(new ExchangeError('closed', 'The connection could not be opened.'));
        return () => socket.close();
      }),
  };
}

/**
 * @param {Socket} socket an open one
 * @param {object} options
 * @param {string | undefined} options.protocol
 * @param {number} options.setUpMs
 * @param {(message: Message) => object} options.askFor
 * @param {Now} options.now
 * @returns {CarrierConnection}
 */
function createConnection(socket, { protocol, setUpMs, askFor, now }) {
  let closed = new ExchangeError('closed', 'The connection was closed.');
  /** @type {((error: ExchangeError) => void) | undefined} */
  let giveUp;
  socket.onclose = (event) => {
    closed = toClosed(event);
    giveUp?.(closed);
  };

  return {
    protocol,
    setUpMs,
    send: (message, { signal }) =>
      abortable(signal, (resolve, reject) => {
        // What is sent to a socket that is not open is dropped without a word.
        if (socket.readyState !== OPEN) {
          reject(closed);
          return undefined;
        }
        giveUp = reject;
        let startedAtMs = 0;
        socket.onmessage = ({ data }) => resolve({ startedAtMs, endedAtMs: now(), answer: data });
        startedAtMs = now();
        socket.send(contentOf(message, askFor));
        // Its answer could no longer be told from the next one's, and would be in that one's way.
        return () => socket.close();
      }),
    close: () => socket.close(),
  };
}

/** @param {Message} message @param {(message: Message) => object} askFor */
function contentOf(message, askFor) {
  if (message.direction === 'down') return JSON.stringify(askFor(message));
  return message.text ?? /** @type {Uint8Array<ArrayBuffer>} */ (message.binary);
}
