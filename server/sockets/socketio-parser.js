/** Checks Socket.IO's packets before they are parsed, as every other message is checked. */
import { createRequire } from 'node:module';
import { isTooComplex, MAX_JSON_DEPTH } from '../http/json.js';

/** The parser that the server itself has loaded. `import` would load another build of it, which is slower. */
const { Decoder, Encoder } = /** @type {typeof import('socket.io-parser')} */ (
  createRequire(import.meta.url)('socket.io-parser')
);

/**
 * Matches what may come before a packet's JSON: a type, a namespace, and a number by which it is to be acknowledged. Socket.IO
 * reads these by the character, however many there are. Types 5 and 6 announce binary data, and wait for it.
 */
const HEAD = /^[0-4](?:\/[^,]{0,100}(?:,|$))?\d{0,15}(?:["[{]|$)/;

/** Refuses what Socket.IO would parse: it closes the connection where this throws. */
class CheckedDecoder extends Decoder {
  /** @override @param {unknown} packet */
  add(packet) {
    if (typeof packet !== 'string') throw new Error('Expected text, got binary data');
    if (!HEAD.test(packet)) throw new Error('Expected a type, a short namespace, a short number, and JSON');
    if (isTooComplex(packet))
      throw new Error(`Expected at most ${MAX_JSON_DEPTH} levels of nesting, and less structure`);
    super.add(packet);
  }
}

/** The `parser` option of a Socket.IO server: its own encoder, and its decoder behind the check. */
export const parser = { Encoder, Decoder: CheckedDecoder };
