/**
 * @import { IncomingMessage, Server, ServerResponse } from 'node:http'
 * @import { Socket } from 'node:net'
 */

/** The protocol to which a connection can be upgraded here. */
const WEBSOCKET = 'websocket';

/**
 * @param {IncomingMessage} req
 * @returns {boolean} whether it asks for a protocol that there is not, as curl does for h2c: a server may ignore that
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.8
 */
export function isUnknownUpgrade({ headers }) {
  return headers.upgrade?.toLowerCase() !== WEBSOCKET;
}

/**
 * Lets the server read a request once more, as if it did not ask for an upgrade: with its body, should it have one, and
 * on a connection that is kept. Node, when it knows of anybody who upgrades, otherwise stops reading behind the head.
 *
 * From Node 24 on an option (shouldUpgradeCallback) does so; before, there is none.
 *
 * @param {Server} server
 * @param {IncomingMessage} req
 * @param {Socket} socket
 * @param {Buffer} head what was read behind it
 * @see https://nodejs.org/api/http.html#event-connection which says that connections may be given to a server so
 */
export function ignoreUpgrade(server, req, socket, head) {
  whenAnswered(socket, () => {
    // What the answer before has set for an idle connection.
    socket.setTimeout(0);
    if (head.length > 0) socket.unshift(head);
    socket.unshift(Buffer.from(formatHead(req), 'latin1'));
    server.emit('connection', socket);
  });
}

/**
 * A client may send its next request without waiting. Given to the server then, it would never be answered: the server
 * would take it for the first of another connection, and keep its answer until one that it does not know is out.
 *
 * @param {Socket & { _httpMessage?: ServerResponse | null }} socket `_httpMessage` is Node's own: the answer that is
 *   under way
 * @param {() => void} callBack not called where the connection ends
 */
function whenAnswered(socket, callBack) {
  if (socket.destroyed) return;
  const { _httpMessage: answer } = socket;
  if (!answer) {
    callBack();
    return;
  }
  // Until then nothing else listens, and a broken connection would be an uncaught error.
  const onError = () => socket.destroy();
  socket.on('error', onError);
  answer.once('close', () => {
    socket.off('error', onError);
    whenAnswered(socket, callBack);
  });
}

/**
 * @param {Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'rawHeaders'>} req
 * @returns {string} as it came, but for Upgrade
 */
function formatHead({ method, url, httpVersion, rawHeaders }) {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i].toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
