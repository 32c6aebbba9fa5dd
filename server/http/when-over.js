/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * Calls back once, when a request's answer has been sent or can be sent no more.
 *
 * Node tells an answer that waits behind others on its connection (the client sent its next requests without waiting)
 * nothing when that connection breaks.
 *
 * @param {IncomingMessage} req
 * @param {ServerResponse} res
 * @param {() => void} callBack
 */
export function whenOver({ socket }, res, callBack) {
  const over = () => {
    res.off('close', over);
    socket.off('close', over);
    callBack();
  };
  res.on('close', over);
  const isBehindAnother = res.socket === null;
  if (!isBehindAnother) return;
  // There may be many of them.
  socket.setMaxListeners(0);
  socket.on('close', over);
}
