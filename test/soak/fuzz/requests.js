/** HTTP requests of one sequence, as bytes: any path of the product's list, right or wrong in many ways. */
import { times } from './chance.js';
import { encode, sockjsTextOf, textOf } from './texts.js';

/**
 * @import { Chance } from './chance.js'
 * @import { ServedPath } from '../../../server/paths.js'
 * @typedef {{ paths: readonly ServedPath[], ids: Readonly<Record<string, readonly string[]>>
 *   }} Known `ids` by the name of a part of a path; those of a name are of the same length
 * @typedef {{ chance: Chance, known: Known, tag: string, isWrong(share: number): boolean }} Maker `isWrong`: in that share of all
 *   cases; but some sequences are right in all, so that they come further
 * @typedef {{ bytes: Buffer, method: string }} MadeRequest
 */

const METHODS = [
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'X',
  'get',
];
const BODY_METHODS = ['POST', 'PUT', 'PATCH', 'PROPFIND'];
const VERSIONS = ['1.0', '1.0', '0.9', '2.0', '1.2', 'x'];
/** Of sessions and streams that connections share, over all endpoints. */
const SHARED_NAMES = times(12, () => '').map((_, index) => `shared-${index}`);
const RUNS = ['AAAABBBBCCCC', 'ddddeeeeffff', 'short'];
const PARTS = ['x', 'example-1', '%41', '%', '..', '%2e%2e', '%00', 'AAAABBBBCCCCDDDD', 'a.b', '-', 'x'.repeat(300)];
const JUNK = [
  'x=1',
  'close=1',
  'count=2&count=3',
  '%zz=%',
  '&&',
  'wait=0',
  'ids=,',
  'last=1',
  'last=1&failed=1',
  '\u00e9=\u00e9',
  'a[b][c]=d',
  '?',
  '#',
];
const NUMBERS = ['0', '1', '7', '60', '250', '100000', '4294967296', '1e3', '-1', ''];
const TYPES = [
  ...['text/plain', 'application/json', 'application/x-www-form-urlencoded', 'application/xml', 'T', ''],
  ...['multipart/form-data; boundary=b', 'multipart/form-data', 'text/plain;charset=x', 'application/json, text/plain'],
];
const FIELDS = [
  'Expect: 100-continue',
  'Expect: nothing',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: Upgrade',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'Upgrade: websocket',
  'Origin: https://stranger.example',
  'Origin: null',
  'Accept-Encoding: gzip, br;q=0, *;q=0.5',
  'Accept: application/json',
  'X-Forwarded-For: 10.0.0.1, ::1, x',
  'Sec-Fetch-Site: cross-site',
  'Cookie: JSESSIONID=x; a',
  'Host: other.example:99999',
  'Host: [::1',
  'TE: trailers',
  'Transfer-Encoding: gzip',
  'Content-Length: 0',
  'Content-Length: +5',
  'If-None-Match: *',
  'If-Modified-Since: x',
  'Range: bytes=0-5',
  'Authorization: Bearer x',
  'Access-Control-Request-Method: POST',
  'X-Sockshootout-Relayed: x',
  'X-Nul: \0',
  'X-Latin: \u00e9',
  'X-Folded: a\r\n b',
  ': no name',
  'No colon',
];
/** Beyond what Node.js takes as a head. */
const LONG_FIELD = `X-Long: ${'x'.repeat(20_000)}`;

/** @param {Maker} maker @param {string} name of a part of a path @returns {string} */
function partOf({ chance, known, tag }, name) {
  const ids = known.ids[name] ?? [];
  if (ids.length > 0 && chance.is(0.9)) return chance.pick(ids);
  if (name === 'trialId') return chance.pick(RUNS);
  if (chance.is(0.1)) return chance.pick(PARTS);
  return chance.is(0.9) ? chance.pick(SHARED_NAMES) : tag;
}

/** @param {Maker} maker @param {string} path whose names were filled in @returns {string} */
function spoil({ chance, known }, path) {
  const { is, pick } = chance;
  const [bare] = path.split('?');
  return pick([
    () => path.replace(/=\d+/, () => `=${pick(NUMBERS)}`),
    () => bare,
    () => `${path}${path.includes('?') ? '&' : '?'}${pick(JUNK)}`,
    () => `${bare}?${pick(known.paths).pattern.split('?')[1] ?? pick(JUNK)}`,
    () => `${bare}${pick(['/', '//', '%00', '.', '/x', ';a', '\u00e9'])}`,
    () => `${path}${path.includes('?') ? '&' : '?'}x=${'%41'.repeat(is(0.5) ? 1000 : 10)}`,
    () => pick(['*', 'http://x/ajaxecho?count=1', '//x', '', '/ ', `${path}\0`, path.slice(1), path.toUpperCase()]),
  ])();
}

/** @param {Maker} maker @param {string} pattern @param {string} [shared] name of all parts that can have it @returns {string} */
function targetOf(maker, pattern, shared) {
  const { isWrong, tag } = maker;
  const filled = pattern.replace(/([:*])(\w+)/g, (_, _mark, name) =>
    shared && !(name in maker.known.ids) ? shared : partOf(maker, name),
  );
  const target = /^\/ajaxecho|^\/xhr/.test(filled) ? `${filled}&tag=${tag}` : filled;
  return isWrong(0.3) ? spoil(maker, target) : target;
}

/** @param {Maker} maker @param {Buffer} body @returns {{ fields: string[], bytes: Buffer }} whose length is given somehow */
function framed({ chance, isWrong }, body) {
  const { below, is, pick } = chance;
  if (isWrong(0.08)) return { fields: [], bytes: body };
  if (is(0.6)) {
    const length = isWrong(0.1) ? pick([body.length + 3, Math.max(0, body.length - 3), 1e9, 1e20, -1]) : body.length;
    return { fields: [`Content-Length: ${length}`, ...(isWrong(0.05) ? ['Content-Length: 1'] : [])], bytes: body };
  }
  /** @type {Buffer[]} */
  const chunks = [];
  const size = pick([1, 7, 100, 5000]);
  for (let at = 0; at < body.length; at += body.length > 2000 ? 5000 : size) {
    const chunk = body.subarray(at, at + (body.length > 2000 ? 5000 : size));
    const extension = is(0.1) ? pick([';a=b', ';"', ';x'.repeat(500)]) : '';
    chunks.push(Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`), chunk, Buffer.from('\r\n'));
  }
  const broken = () => pick(['zz\r\n', 'ffffffffffffffffff\r\nx', '-1\r\n', '5\r\nxx', '\r\n']);
  const trailers = is(0.1) ? pick(['X-Trailer: 1\r\n', 'Content-Length: 1\r\n', 'No colon\r\n']) : '';
  if (isWrong(0.1)) chunks.splice(below(chunks.length + 1), 0, Buffer.from(broken()));
  else if (!isWrong(0.08)) chunks.push(Buffer.from(`0\r\n${trailers}\r\n`));
  return { fields: ['Transfer-Encoding: chunked'], bytes: Buffer.concat(chunks) };
}

/** @param {Maker} maker @param {string} target @param {boolean} isShared @returns {{ body: Buffer, type?: string }} */
function bodyOf({ chance, tag }, target, isShared) {
  const { between, is, pick } = chance;
  // What is said in a session, which may be of several sequences, others hear.
  const own = isShared ? 'shared' : tag;
  if (is(0.03)) return { body: Buffer.alloc(between(60_000, 300_000), 'x') };
  if (!target.includes('_send')) return { body: encode(chance, textOf(chance, own)), type: pick(TYPES) };
  const text = sockjsTextOf(chance, own);
  if (!target.includes('jsonp') || is(0.3))
    return { body: encode(chance, text), type: is(0.8) ? 'text/plain' : pick(TYPES) };
  const fields = times(is(0.9) ? 1 : 3, () => `d=${encodeURIComponent(Buffer.from(text).toString())}`);
  return { body: Buffer.from(fields.join('&')), type: 'application/x-www-form-urlencoded' };
}

/** @param {{ method: string, target: string, version?: string, fields: readonly string[], body?: Buffer }} request */
function format({ method, target, version = '1.1', fields, body = Buffer.alloc(0) }) {
  const head = [`${method} ${target} HTTP/${version}`, ...fields, '\r\n'].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/**
 * @param {Maker} maker @param {ServedPath} path @param {string} [shared] name of its session @returns {MadeRequest}
 */
export function makeRequest(maker, { pattern, methods }, shared) {
  const { chance, isWrong } = maker;
  const { is, pick } = chance;
  const target = targetOf(maker, pattern, shared);
  const method = methods.length === 0 || isWrong(0.3) ? pick(METHODS) : pick(methods);
  const fields = isWrong(0.05) ? [] : ['Host: localhost'];
  if (isWrong(0.3)) fields.push(...times(chance.between(1, 3), () => pick(FIELDS)));
  if (isWrong(0.01)) fields.push(LONG_FIELD);
  let body;
  if (is(BODY_METHODS.includes(method) ? 0.95 : 0.03)) {
    const made = bodyOf(maker, target, pattern.includes(':'));
    const { fields: lengths, bytes } = framed(maker, made.body);
    fields.push(...lengths, ...(made.type === undefined ? [] : [`Content-Type: ${made.type}`]));
    body = bytes;
  }
  return {
    bytes: format({ method, target, version: isWrong(0.08) ? pick(VERSIONS) : undefined, fields, body }),
    method,
  };
}

/** @param {Maker} maker @param {ServedPath} path @param {string} [shared] @returns {{ bytes: Buffer, target: string }} of a WebSocket */
export function makeUpgrade(maker, { pattern }, shared) {
  const { chance, isWrong } = maker;
  const { is, pick } = chance;
  const target = targetOf(maker, pattern, shared);
  const key = isWrong(0.08) ? pick(['', 'x', 'AAAA', '=='.repeat(12)]) : chance.bytes(16).toString('base64');
  const fields = [
    'Host: localhost',
    isWrong(0.05) ? pick(['Connection: keep-alive, upgrade, close', 'Connection: close']) : 'Connection: Upgrade',
    isWrong(0.1)
      ? pick(['Upgrade: WebSocket', 'Upgrade: h2c', 'Upgrade: websocket, h2c', 'Upgrade:'])
      : 'Upgrade: websocket',
    ...(isWrong(0.05) ? [] : [`Sec-WebSocket-Key: ${key}`]),
    ...(isWrong(0.1)
      ? pick([[], ['Sec-WebSocket-Version: 8'], ['Sec-WebSocket-Version: 13, 8']])
      : ['Sec-WebSocket-Version: 13']),
    ...(is(0.1) ? ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits'] : []),
    ...(isWrong(0.05) ? ['Sec-WebSocket-Extensions: ;;='] : []),
    ...(is(0.05) ? ['Sec-WebSocket-Protocol: a, b'] : []),
    ...(isWrong(0.05) ? ['Sec-WebSocket-Protocol: a, a,'] : []),
    ...(isWrong(0.1) ? [pick(FIELDS)] : []),
  ];
  const method = isWrong(0.05) ? pick(METHODS) : 'GET';
  return { bytes: format({ method, target, version: isWrong(0.05) ? '1.0' : undefined, fields }), target };
}
