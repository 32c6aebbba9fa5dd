/**
 * Makes and finds streams, and reads what a client asks of one. The ID of a stream contains everything about it (see
 * signed-ids.js), so any worker goes on with it after a cut. Its bytes:
 *
 * - 6: the start, in ms since 1970
 * - 2, 2, 1 and 1: pieces, bytes in each, pieces per second, spread
 * - 4: the seed
 * - 2: the piece at which its connection is reset
 * - 6: chance
 */
import { randomBytes } from 'node:crypto';
import { parseJson } from '../../core/base/foreign-text.js';
import { dueTimesOf, MAX_STREAM_MS, STREAM_RANGES, textOf } from '../../core/net/stream/stream.js';
import { checkNumber, parseFields, parseMessage, RefusalError, show, toNumber } from '../http/exchange.js';
import { steadyNow } from '../steady-clock.js';
import { checkTrialId } from '../telemetry/traffic.js';
import { CONTENT_BYTES, createSignedIds } from './signed-ids.js';

/**
 * @import { Piece, StreamOptions } from '../../core/net/stream/stream.js'
 * @typedef {StreamOptions & { dueMs: readonly number[] }} Scheduled `dueMs`: of each piece, since the start
 * @typedef {Scheduled & { id: string, startMs: number }} Stream `startMs`: since 1970, by the server's clock
 * @typedef {object} Subscription what a client asks for
 * @property {Stream} stream
 * @property {number} since the first piece to send
 * @property {boolean} isResumed does it go on with a stream whose connection broke?
 * @property {string} [trialId] to which its traffic is recorded
 * @property {string} [tag] which each of its pieces repeats
 */

const AT = { pieces: 6, bytes: 8, rate: 10, spread: 11, seed: 12, cut: 16, chance: 18 };
const NO_CUT = 0xffff;
/** How long a stream can be resumed after the longest has had its last piece. */
const KEPT_MS = 60_000;
const TAG = /^[\w-]{1,16}$/;
const OPTIONS = /** @type {const} */ (['pieces', 'bytes', 'rate', 'spread', 'seed']);
const FIELDS = /** @type {const} */ ([...OPTIONS, 'cut', 'id', 'since', 'trial', 'tag']);

/** @typedef {ReturnType<typeof createStreams>} Streams */

/** @param {{ secret: Uint8Array, now?: () => number }} options `secret`: of all workers */
export function createStreams({ secret, now = steadyNow }) {
  const ids = createSignedIds({ secret, purpose: 'stream' });

  /** @param {Scheduled} options @returns {Stream} */
  const make = (options) => {
    const { pieces, bytes, rate, spread, seed, cut = NO_CUT } = options;
    const startMs = now();
    const content = Buffer.alloc(CONTENT_BYTES);
    content.writeUIntBE(startMs, 0, AT.pieces);
    content.writeUInt16BE(pieces, AT.pieces);
    content.writeUInt16BE(bytes, AT.bytes);
    content.writeUInt8(rate, AT.rate);
    content.writeUInt8(spread, AT.spread);
    content.writeUInt32BE(seed, AT.seed);
    content.writeUInt16BE(cut, AT.cut);
    randomBytes(CONTENT_BYTES - AT.chance).copy(content, AT.chance);
    return { ...options, id: ids.seal(content), startMs };
  };

  /** @param {string} id @returns {Stream | undefined} absent if no such stream was made with this secret, or it was over long ago */
  const find = (id) => {
    const content = ids.open(id);
    if (!content) return undefined;
    const cut = content.readUInt16BE(AT.cut);
    const options = {
      pieces: content.readUInt16BE(AT.pieces),
      bytes: content.readUInt16BE(AT.bytes),
      rate: content.readUInt8(AT.rate),
      spread: content.readUInt8(AT.spread),
      seed: content.readUInt32BE(AT.seed),
      ...(cut !== NO_CUT && { cut }),
    };
    const startMs = content.readUIntBE(0, AT.pieces);
    if (now() - startMs > MAX_STREAM_MS + KEPT_MS) return undefined;
    return { ...options, id, startMs, dueMs: dueTimesOf(options) };
  };

  /** @param {Partial<Record<(typeof FIELDS)[number], unknown>>} given numbers, and texts @returns {Subscription} @throws {RefusalError} */
  const read = ({ id, since, trial, tag, ...options }) => {
    const more = { trialId: checkTrialId(trial), ...(tag !== undefined && { tag: checkTag(tag) }) };
    if (id === undefined) {
      if (since !== undefined) throw new RefusalError('bad-option', 'id: expected one beside since, got none');
      return { stream: make(checkOptions(options)), since: 0, isResumed: false, ...more };
    }
    refuseOptions(options);
    const stream = find(String(id));
    if (!stream) throw new RefusalError('not-found', 'id: expected the ID of a stream from this server', 404);
    return { stream, since: checkNumber('option', 'since', since ?? 0, 0, stream.pieces), isResumed: true, ...more };
  };

  return {
    now,
    /** Reads the query of a URL. @param {string} query @returns {Subscription} @throws {RefusalError} */
    parseQuery(query) {
      const { id, trial, tag, ...numbers } = parseFields('option', query, FIELDS);
      const given = Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, toNumber(text)]));
      return read({ ...given, id, trial, tag });
    },
    /** Reads a message over a socket. @param {string} text JSON @returns {Subscription} @throws {RefusalError} */
    parseAsk: (text) => read(parseMessage('option', text, FIELDS)),
    /** Reads a message that ends streams. @param {string} text @returns {string | undefined} their tag; absent where it asks for one @throws {RefusalError} */
    parseStop(text) {
      // Most messages ask: they are parsed once.
      if (!text.includes('"stop"') || parseJson(text)?.stop === undefined) return undefined;
      return checkTag(parseMessage('option', text, ['stop']).stop, 'stop');
    },
    /** @param {string} text of a message that may be wrong @returns {string | undefined} the tag that its refusal repeats; absent where it has none */
    findTag(text) {
      const tag = parseJson(text)?.tag;
      return isTag(tag) ? tag : undefined;
    },
  };
}

/** @param {unknown} tag @returns {tag is string} */
const isTag = (tag) => typeof tag === 'string' && TAG.test(tag);

/** @param {unknown} tag @param {string} [name] of its field @returns {string} the same @throws {RefusalError} */
function checkTag(tag, name = 'tag') {
  if (isTag(tag)) return tag;
  throw new RefusalError('bad-option', `${name}: expected 1 to 16 letters, digits, _ or -, got ${show(tag)}`);
}

/** @param {object} options of a stream that has them already @throws {RefusalError} */
function refuseOptions(options) {
  const [name] = Object.keys(options);
  if (name !== undefined) throw new RefusalError('bad-option', `${name}: expected none, as the id says it, got one`);
}

/** @param {Partial<Record<string, unknown>>} given @returns {Scheduled} @throws {RefusalError} */
function checkOptions({ cut, ...given }) {
  const options = /** @type {Record<(typeof OPTIONS)[number], number>} */ (
    Object.fromEntries(
      OPTIONS.map((name) => {
        const { min, max } = STREAM_RANGES[name];
        return [name, checkNumber('option', name, given[name], min, max)];
      }),
    )
  );
  const dueMs = dueTimesOf(options);
  const lengthMs = Math.ceil(dueMs[options.pieces - 1]);
  if (lengthMs > MAX_STREAM_MS) {
    throw new RefusalError(
      'bad-option',
      `pieces: expected at most ${MAX_STREAM_MS / 1000} s of pieces, got ${lengthMs / 1000} s`,
    );
  }
  if (cut === undefined) return { ...options, dueMs };
  return { ...options, dueMs, cut: checkNumber('option', 'cut', cut, 1, options.pieces - 1) };
}

/** @param {StreamOptions} options @returns {number} pieces per second that it counts as */
export const paceOf = ({ rate }) => (rate === 0 ? STREAM_RANGES.rate.max : rate);

/**
 * Creates a piece of what a client asked for.
 * @param {Subscription} subscription @param {number} n @param {number} ms since the start of its stream @returns {Piece}
 */
export const pieceOf = ({ stream: { id, pieces, bytes }, since, tag }, n, ms) => ({
  ...(tag !== undefined && { tag }),
  n,
  ms: Math.max(0, Math.round(ms * 10) / 10),
  ...(n === since && { id }),
  text: textOf(n, bytes),
  ...(n === pieces - 1 && { last: true }),
});
