/**
 * An HTTP exchange on plain node:http, before Express: the request's target (not decoded, as these paths are plain
 * ASCII), its fields, bytes and end, and the answer.
 */
import { parseJson } from '../../core/base/foreign-text.js';
import { guard } from './boundary.js';

/**
 * @import { Duplex } from 'node:stream'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Socket } from 'node:net'
 * @typedef {'option' | 'field'} Noun what a part of the request is called, as in the code `bad-option`
 */

/** Of what is measured: a proxy that compressed it would change its size over HTTP, but not over WebSockets. */
export const CACHE_CONTROL = 'no-store, no-transform';

const DIGITS = /^\d{1,15}$/;
const ABSOLUTE_FORM = /^(?:http|ws)s?:\/\/([^/?]*)/i;
const SHOWN_CHARACTERS = 40;
const READ_BEFORE = Symbol('bytes that were read when this was last asked');

/**
 * Gives a listener the path of each request whose target is a whole URL, as clients and proxies may send it, and its host.
 * @template {{ url?: string, headers: { host?: string } }} Req, Second, Third
 * @param {(req: Req, second: Second, third: Third) => void} listener @returns {typeof listener}
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
export const inOriginForm = (listener) => (req, second, third) => {
  const { url = '' } = req;
  const [start, host] = url.startsWith('/') ? [] : (ABSOLUTE_FORM.exec(url) ?? []);
  if (start !== undefined) {
    req.url = url.slice(start.length).replace(/^(?!\/)/, '/');
    req.headers.host = host;
  }
  listener(req, second, third);
};

/** Returns the path of a request, without its query. @param {{ url?: string }} req */
export function pathOf({ url = '' }) {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/** Returns the query of a request. @param {{ url?: string }} req */
export function queryOf({ url = '' }) {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** Returns the bytes read on a connection since the last call, including headers and frames. @param {Duplex} socket */
export function bytesReadSince(socket) {
  const marked = /** @type {Socket & { [READ_BEFORE]?: number }} */ (socket);
  const total = marked.bytesRead;
  const since = total - (marked[READ_BEFORE] ?? 0);
  marked[READ_BEFORE] = total;
  return since;
}

/** Has a request a body, by its headers? @param {Request} req */
export function hasBody({ headers }) {
  const { 'content-length': length = '0' } = headers;
  return length !== '0' || headers['transfer-encoding'] !== undefined;
}

/**
 * Calls back once, when the answer has been sent or can be sent no more. Where an answer waits behind others on its
 * connection, Node tells it nothing when that breaks.
 * @param {{ socket: Socket }} req @param {Response} res @param {() => void} callBack
 */
export function whenOver({ socket }, res, callBack) {
  const over = guard(socket, () => {
    res.off('close', over);
    socket.off('close', over);
    callBack();
  });
  res.on('close', over);
  if (res.socket !== null) return;
  socket.setMaxListeners(0);
  socket.on('close', over);
}

/**
 * Keeps what ends an answer that goes on for some time among `ends`, until it is over.
 * @param {Request} req @param {Response} res @param {{ ends: Set<() => void>, stop: () => void }} own `stop`: nothing more is written
 */
export function keepEnd(req, res, { ends, stop }) {
  const end = () => {
    stop();
    res.end();
  };
  ends.add(end);
  whenOver(req, res, () => {
    stop();
    ends.delete(end);
  });
}

/** @param {string} text @returns {Record<string, any> | undefined} absent where the text is not a JSON object */
export function parseObject(text) {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** @param {unknown} value @returns {value is Record<string, any>} is it a JSON object? */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @template {string} Name @param {Noun} noun @param {string} text of a message; of a field that it has twice, JSON has the last
 * @param {readonly Name[]} names of the possible fields
 * @returns {Partial<Record<Name, unknown>>} @throws {RefusalError}
 */
export function parseMessage(noun, text, names) {
  const given = parseObject(text);
  if (!given) throw new RefusalError('bad-json', `message: expected a JSON object, got ${show(text)}`);
  refuseOthers(noun, Object.keys(given), names);
  return /** @type {Partial<Record<Name, unknown>>} */ (given);
}

/**
 * @template {string} Name @param {Noun} noun @param {string} query what follows the `?` of a URL
 * @param {readonly Name[]} names of the possible fields; each may be given once
 * @param {{ mayHaveOthers?: boolean }} [options] `mayHaveOthers`: other fields are ignored
 * @returns {Partial<Record<Name, string>>} @throws {RefusalError}
 */
export function parseFields(noun, query, names, { mayHaveOthers = false } = {}) {
  const fields = new URLSearchParams(query);
  const given = [...fields.keys()];
  if (!mayHaveOthers) refuseOthers(noun, given, names);
  refuseSecond(noun, given, names);
  return /** @type {Partial<Record<Name, string>>} */ (Object.fromEntries(fields));
}

/** @param {Noun} noun @param {readonly string[]} given @param {readonly string[]} names @throws {RefusalError} */
function refuseSecond(noun, given, names) {
  const twice = names.find((name) => given.indexOf(name) < given.lastIndexOf(name));
  if (twice !== undefined) throw new RefusalError(`bad-${noun}`, `${twice}: expected one value, got more than one`);
}

/**
 * Checks a whole number within its bounds.
 * @param {Noun} noun @param {string} name @param {unknown} value @param {number} min @param {number} max
 * @returns {number} @throws {RefusalError}
 */
export function checkNumber(noun, name, value, min, max) {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  const got = typeof value === 'number' ? value : show(value);
  throw new RefusalError(`bad-${noun}`, `${name}: expected a whole number from ${min} to ${max}, got ${got}`);
}

/** @param {unknown} text @returns {unknown} the number that its digits form; any other value as it is */
export function toNumber(text) {
  return typeof text === 'string' && DIGITS.test(text) ? Number(text) : text;
}

/** @param {unknown} value @returns {string} what came, for an error message */
export function show(value) {
  if (value === undefined) return 'none';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  const text = String(value);
  return `'${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}'`;
}

/** @param {Noun} noun @param {readonly string[]} given @param {readonly string[]} names @throws {RefusalError} */
function refuseOthers(noun, given, names) {
  const other = given.find((name) => !names.includes(name));
  if (other === undefined) return;
  throw new RefusalError(`bad-${noun}`, `${noun}: expected ${names.join(' or ')}, got ${show(other)}`);
}

/** Formats an error as JSON, the same over every transport. @param {string} code @param {string} message */
export const formatError = (code, message) => JSON.stringify({ error: { code, message } });

/** Says why a request is refused; the gate answers with it. */
export class RefusalError extends Error {
  /**
   * @param {string} code for programs @param {string} message what was expected @param {number} [status] over HTTP
   * @param {Record<string, string>} [headers] over HTTP
   */
  constructor(code, message, status = 400, headers = {}) {
    // A client may cause thousands in a moment, and nobody reads where they were created.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Returns names and values in turn, which take Node.js less time than an object.
 * @param {string} body @param {string} [contentType]
 */
export function answerHeaders(body, contentType = 'application/json') {
  const length = String(Buffer.byteLength(body));
  return ['Content-Type', contentType, 'Content-Length', length, 'Cache-Control', CACHE_CONTROL];
}

/**
 * Closes the connection if the query has `close=1`, to measure new connections: a page cannot open one itself.
 * @param {Response} res @param {string} query
 */
export function closeIfAsked(res, query) {
  if (query.includes('close=1') && /(?:^|&)close=1(?:&|$)/.test(query)) res.setHeader('Connection', 'close');
}

/**
 * Sends an answer with its whole body.
 * @param {Response} res @param {number} status @param {string} body @param {string} [contentType]
 */
export function answer(res, status, body, contentType) {
  res.writeHead(status, answerHeaders(body, contentType));
  res.end(body);
}

/** Sends an error as JSON. @param {Response} res @param {number} status @param {string} code @param {string} message */
export function answerError(res, status, code, message) {
  answer(res, status, formatError(code, message));
}
