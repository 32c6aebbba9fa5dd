/** Transfers over Socket.IO, only over WebSocket, as with SockJS. */
import { openSocketio } from '../socketio.js';
import { createSocketTransfer } from './sockets.js';

/** @import { TransferMethod, TransferOptions } from './index.js' */

/** @param {TransferOptions} options @returns {TransferMethod} */
export const createSocketioTransfer = ({ library, url, now }) =>
  createSocketTransfer({
    name: 'socketio',
    form: 'text',
    now,
    open: (direction) => openSocketio(library, `${url}?direction=${direction}`, { only: 'websocket' }),
  });
