/**
 * The gate before every echo endpoint: who may ask, how, how much at once. One for all transports, so that none pays
 * for more than another; SockJS and the WebSocket library sit behind it and see only what it let through.
 */
import { ServerResponse } from 'node:http';
import { answerError } from './answer.js';
import { createBodyReader, NO_BODY } from './body.js';

const WEBSOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;
const PREFLIGHT_SECONDS = 600;

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {import('node:stream').Duplex} Socket
 *
 * @typedef {object} Endpoint what sits behind the gate
 * @property {readonly string[]} [methods] absent: the endpoint answers OPTIONS, wrong methods and CORS itself
 * @property {boolean} [anyEmbedder] may be loaded by a page that sends no Origin
 * @property {(req: Request, res: Response, body: Buffer) => void} answer `body` is empty but for POST
 * @property {(req: Request, socket: Socket, head: Buffer) => void} [upgrade]
 *
 * @typedef {{ status: number, code: string, message: string }} Refusal
 *
 * @typedef {ReturnType<typeof createGate>} Gate
 */

/**
 * @param {{ allowedOrigins: readonly string[] | undefined, limits: import('./limits.js').Limits }} options
 */
export function createGate({ allowedOrigins, limits }) {
  const readBody = createBodyReader(limits);
  let sessionCount = 0;
  let draining = false;

  /** @param {Request} req @param {Endpoint} [endpoint] */
  const isOriginAllowed = ({ headers }, endpoint) => {
    if (!allowedOrigins) return true;
    const { origin, host } = headers;
    // A script or an image on another site sends no Origin, but does say that it is on another site.
    if (origin === undefined)
      return endpoint?.anyEmbedder || !/^(cross|same)-site$/.test(String(headers['sec-fetch-site']));
    return origin === `https://${host}` || origin === `http://${host}` || allowedOrigins.includes(origin);
  };

  /** @param {Request} req @param {Response} res */
  const setCorsHeaders = ({ headers: { origin } }, res) => {
    if (origin === undefined) return;
    res.setHeader('Access-Control-Allow-Origin', allowedOrigins ? origin : '*');
    if (allowedOrigins) res.setHeader('Vary', 'Origin');
  };

  /** @returns {Refusal | undefined} why no further session may be opened now */
  const refuseSession = () => {
    if (draining) return { status: 503, code: 'draining', message: 'This server is shutting down' };
    if (sessionCount < limits.sessionCount) return undefined;
    return { status: 503, code: 'busy', message: `This server has ${sessionCount} sessions open and takes no more` };
  };

  return {
    refuseSession,

    sessionOpened() {
      sessionCount++;
    },

    sessionClosed() {
      sessionCount--;
    },

    /** From now on no session is opened. */
    drain() {
      draining = true;
    },

    /**
     * Lets a request through to its endpoint, or answers it with the reason why not.
     *
     * @param {Request} req
     * @param {Response} res
     * @param {Endpoint} endpoint
     */
    admit(req, res, endpoint) {
      const { methods } = endpoint;
      if (!isOriginAllowed(req, endpoint)) {
        answerError(res, 403, 'origin-refused', originMessage(req));
        return;
      }
      if (methods) setCorsHeaders(req, res);
      if (methods && req.method === 'OPTIONS') answerPreflight(res, methods);
      else if (methods && !methods.includes(String(req.method))) refuseMethod(req, res, methods);
      else if (req.method === 'POST') readBody(req, res, (body) => endpoint.answer(req, res, body));
      else endpoint.answer(req, res, NO_BODY);
    },

    /**
     * Lets a WebSocket handshake through, or answers it with the reason why not.
     *
     * @param {Request} req
     * @param {Socket} socket
     * @param {Buffer} head
     * @param {Endpoint | undefined} endpoint absent where the path has none
     */
    admitUpgrade(req, socket, head, endpoint) {
      // Until the WebSocket library listens, a connection that breaks would be an uncaught error.
      socket.on('error', () => socket.destroy());
      const refusal =
        (isOriginAllowed(req) ? undefined : { status: 403, code: 'origin-refused', message: originMessage(req) }) ??
        refuseHandshake(req, endpoint) ??
        refuseSession();
      if (refusal) answerUpgrade(req, socket, refusal);
      else endpoint?.upgrade?.(req, socket, head);
    },
  };
}

/** @param {Request} req */
function originMessage({ headers }) {
  return `Origin: ${headers.origin ?? 'another site'} is not allowed here`;
}

/**
 * @param {Request} req
 * @param {Endpoint | undefined} endpoint
 * @returns {Refusal | undefined}
 */
function refuseHandshake({ method, headers }, endpoint) {
  if (!endpoint?.upgrade) {
    return { status: 404, code: 'not-found', message: 'path: expected a WebSocket endpoint' };
  }
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') {
    return { status: 400, code: 'bad-upgrade', message: 'Upgrade: expected a GET for websocket' };
  }
  // SockJS's library would also take the drafts before RFC 6455, which know no limit of size.
  if (headers['sec-websocket-version'] !== '13') {
    return { status: 426, code: 'bad-version', message: 'Sec-WebSocket-Version: expected 13' };
  }
  if (!WEBSOCKET_KEY.test(String(headers['sec-websocket-key']))) {
    return { status: 400, code: 'bad-key', message: 'Sec-WebSocket-Key: expected 16 bytes in base64' };
  }
  return undefined;
}

/**
 * @param {Request} req
 * @param {Response} res
 * @param {readonly string[]} methods
 */
function refuseMethod({ method }, res, methods) {
  res.setHeader('Allow', methods.join(', '));
  answerError(res, 405, 'wrong-method', `method: expected ${methods.join(' or ')}, got ${method}`);
}

/**
 * @param {Response} res
 * @param {readonly string[]} methods
 */
function answerPreflight(res, methods) {
  res.writeHead(204, {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  });
  res.end();
}

/**
 * After an upgrade request Node gives the bare socket; a ServerResponse writes the answer onto it.
 *
 * @param {Request} req
 * @param {Socket} socket
 * @param {Refusal} refusal
 */
function answerUpgrade(req, socket, { status, code, message }) {
  const res = new ServerResponse(req);
  res.assignSocket(/** @type {import('node:net').Socket} */ (socket));
  res.on('finish', () => socket.end());
  res.setHeader('Connection', 'close');
  if (status === 426) res.setHeader('Sec-WebSocket-Version', '13');
  answerError(res, status, code, message);
}
