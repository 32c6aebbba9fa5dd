/**
 * What a visitor's browser sends of the field: a few figures, and nothing that tells who it is. The schema is shared by the script
 * that measures and the server that counts.
 */

/**
 * @typedef {'opened' | 'failed' | 'timeout'} SocketOutcome of opening a WebSocket
 * @typedef {'streamed' | 'batched' | 'failed' | 'timeout'} StreamOutcome of an event stream; `batched`: its events arrived together
 * @typedef {'whole' | 'hidden' | 'busy' | 'late'} FieldEnding why it ended: `hidden`: the page was hidden or left; `busy`: the page had
 *   work to do; `late`: the time was over
 * @typedef {{ requestMs: number, socketMs?: number }} FieldBlock mean times of a message in a block; `socketMs` is absent without a
 *   WebSocket
 * @typedef {object} FieldRecord
 * @property {1} version
 * @property {string} study the label
 * @property {FieldEnding} ending
 * @property {number} tookMs from the first request to the last answer
 * @property {string} zone of IANA, such as 'Europe/Zurich'
 * @property {string} [connection] as the browser says it, such as 'wifi'
 * @property {string} [protocol] of the requests, by ALPN, such as 'h2'
 * @property {boolean} [isAutomated] a program drives the browser
 * @property {SocketOutcome} [socket] absent where it was cut short before
 * @property {StreamOutcome} [stream] absent where it was cut short before
 * @property {readonly FieldBlock[]} blocks
 */

export const RECORD_VERSION = 1;
/** A record with more bytes is refused. */
export const MAX_RECORD_BYTES = 4096;
/** Fewer blocks give no interval. */
export const FIELD_BLOCKS = 6;
/** The script ends by itself after that time. */
export const FIELD_LIMIT_MS = 10_000;
/** In a page in the background a timer runs late. */
const MAX_TOOK_MS = 3 * FIELD_LIMIT_MS;
const MAX_STUDY_LENGTH = 80;

const SOCKET_OUTCOMES = /** @type {const} */ (['opened', 'failed', 'timeout']);
const STREAM_OUTCOMES = /** @type {const} */ (['streamed', 'batched', 'failed', 'timeout']);
const FIELD_ENDINGS = /** @type {const} */ (['whole', 'hidden', 'busy', 'late']);
/** The types of https://wicg.github.io/netinfo/#connectiontype-enum */
const CONNECTIONS = /** @type {const} */ ([
  ...['bluetooth', 'cellular', 'ethernet', 'mixed', 'none', 'other', 'unknown', 'wifi', 'wimax'],
]);
const PROTOCOLS = /** @type {const} */ (['http/1.0', 'http/1.1', 'h2', 'h2c', 'h3']);

/** @param {typeof import('valibot')} v */
export function createRecordSchema(v) {
  const ms = v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(FIELD_LIMIT_MS));
  return v.strictObject({
    version: v.literal(RECORD_VERSION),
    study: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_STUDY_LENGTH)),
    ending: v.picklist(FIELD_ENDINGS),
    tookMs: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(MAX_TOOK_MS)),
    zone: v.pipe(v.string(), v.regex(/^[A-Za-z][\w+/-]{0,59}$/)),
    connection: v.optional(v.picklist(CONNECTIONS)),
    protocol: v.optional(v.picklist(PROTOCOLS)),
    isAutomated: v.optional(v.boolean()),
    socket: v.optional(v.picklist(SOCKET_OUTCOMES)),
    stream: v.optional(v.picklist(STREAM_OUTCOMES)),
    blocks: v.pipe(v.array(v.strictObject({ requestMs: ms, socketMs: v.optional(ms) })), v.maxLength(FIELD_BLOCKS)),
  });
}

/**
 * Finds a contradiction within a record, which no run of the script can make.
 * @param {FieldRecord} record @returns {string | undefined} what contradicts what; absent for a record that may be true
 */
export function findContradiction({ ending, socket, stream, blocks, tookMs }) {
  const withSocket = blocks.filter(({ socketMs }) => socketMs !== undefined).length;
  if (ending === 'whole' && (!socket || !stream)) return 'whole, without an outcome of the WebSocket or of the stream';
  if (ending === 'whole' && blocks.length < FIELD_BLOCKS) return 'whole, with too few blocks';
  if (withSocket > 0 && socket !== 'opened') return 'times over a WebSocket that did not open';
  const measuredMs = blocks.reduce((sum, { requestMs, socketMs = 0 }) => sum + requestMs + socketMs, 0);
  if (measuredMs > tookMs) return 'messages that took longer than the whole';
  return undefined;
}

/** What one browser sends, as its users are shown it. @type {FieldRecord} */
export const EXAMPLE_RECORD = Object.freeze({
  version: RECORD_VERSION,
  study: 'dashboard',
  ending: 'whole',
  tookMs: 5480,
  zone: 'Europe/Zurich',
  connection: 'wifi',
  protocol: 'h2',
  socket: 'opened',
  stream: 'streamed',
  blocks: [
    { requestMs: 34.1, socketMs: 30.2 },
    { requestMs: 33.8, socketMs: 29.9 },
    { requestMs: 35.6, socketMs: 31.4 },
    { requestMs: 33.9, socketMs: 30.1 },
    { requestMs: 34.4, socketMs: 30.6 },
    { requestMs: 34, socketMs: 30.3 },
  ],
});
