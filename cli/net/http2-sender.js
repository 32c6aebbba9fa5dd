/**
 * Requests over HTTP/2 as one browser sends them: as streams of one connection.
 *
 * By Node itself, as undici 7.30 gives up all open requests when a server takes no more on a connection (GOAWAY), which
 * nginx does after some number of them, and at each reload.
 */
import { connect, constants } from 'node:http2';

/**
 * @import { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
 * @import { Sender, SentRequest } from './http1-sender.js'
 */

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants;

/**
 * @param {string} origin
 * @returns {Sender}
 */
export function createHttp2Sender(origin) {
  /** @type {Set<ClientHttp2Session>} */
  const sessions = new Set();
  /** @type {ClientHttp2Session | undefined} */
  let current;
  /** @type {string | undefined} */
  let protocol;

  const openSession = () => {
    const session = connect(origin, { settings: { enablePush: false } });
    sessions.add(session);
    session.once('connect', () => {
      protocol = session.alpnProtocol;
    });
    // The streams tell of it.
    session.on('error', () => {});
    session.once('close', () => sessions.delete(session));
    return session;
  };

  return {
    async send(request) {
      for (;;) {
        request.signal?.throwIfAborted();
        // After a GOAWAY what is open is still answered, and what is new goes to another connection.
        if (!current || current.closed || current.destroyed) current = openSession();
        const response = await sendOn(current, request);
        if (response) return response;
      }
    },
    protocol: () => protocol,
    close() {
      for (const session of sessions) session.destroy();
    },
  };
}

/**
 * @param {ClientHttp2Session} session
 * @param {SentRequest} request
 * @returns {Promise<import('./http1-sender.js').Response | undefined>} absent where the server has not looked at it, so that
 *   it may be sent again: https://www.rfc-editor.org/rfc/rfc9113#section-8.7
 */
function sendOn(session, { method, path, headers, signal }) {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: true });
    const cancel = () => stream.close(NGHTTP2_CANCEL);
    signal?.addEventListener('abort', cancel, { once: true });
    stream.once('response', ({ ':status': status }) =>
      resolve({ status: Number(status), body: stream, text: () => readText(stream) }),
    );
    // After the response, the reader of the body gets the error.
    stream.on('error', (/** @type {Error & { code?: string }} */ error) => {
      if (isUnseen(stream, error)) resolve(undefined);
      else reject(error);
    });
    stream.once('close', () => {
      signal?.removeEventListener('abort', cancel);
      reject(new Error('The stream ended without an answer.'));
    });
  });
}

/**
 * @param {ClientHttp2Stream} stream
 * @param {{ code?: string }} error
 */
function isUnseen({ rstCode }, { code }) {
  return rstCode === NGHTTP2_REFUSED_STREAM || code === 'ERR_HTTP2_GOAWAY_SESSION';
}

/**
 * @param {ClientHttp2Stream} stream
 * @returns {Promise<string>}
 */
function readText(stream) {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (piece) => (text += piece));
    stream.once('end', () => resolve(text));
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('The stream ended within an answer.')));
  });
}
