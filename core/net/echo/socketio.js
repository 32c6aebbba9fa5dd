/** The echoes over Socket.IO, which sends values and formats them itself. */
import { checkAnswer } from '../exchange-error.js';
import { openSocketio } from '../socketio.js';
import { createSocketTransport } from './sockets.js';

/**
 * @import { Transport } from './index.js'
 * @import { Io } from '../socketio.js'
 */

/**
 * Creates a transport of Socket.IO, with its defaults or over `only` one of its own transports.
 * @param {{ name: string, library: Io, url: string, only?: string }} options @returns {Transport}
 */
export const createSocketio = ({ name, library, url, only }) =>
  createSocketTransport({
    name,
    doesFallBack: !only,
    open: () => openSocketio(library, url, { only }),
    codec: { encode: (payload) => payload, decode: checkAnswer },
  });
