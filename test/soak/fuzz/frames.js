/** Frames of one WebSocket, as bytes: what its endpoint takes, and all that breaks the protocol. */
import { times } from './chance.js';
import { encode, socketioTextOf, sockjsTextOf, textOf } from './texts.js';

/** @import { Chance } from './chance.js' */

const OPCODES = { part: 0, text: 1, bytes: 2, close: 8, ping: 9, pong: 10 };
const RESERVED_OPCODES = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15];
const CLOSE_CODES = [1000, 1001, 1002, 1007, 1011, 3000, 4999, 0, 999, 1004, 1005, 1006, 1015, 2000, 5000, 65535];
/** Of what is declared and does not come. */
const HUGE_LENGTHS = [2 ** 16, 2 ** 21, 2 ** 31, 2 ** 32 + 5, 2 ** 53, 2 ** 63];
const SOCKJS_PATH = /\/[^/]+\/[^/]+\/websocket/;
const SOCKETIO_PATH = /\/socket\.io\//;
/** The packet with which a client of Socket.IO begins. */
const CONNECT = Buffer.from('40');

/**
 * @param {Chance} chance @param {Buffer} payload
 * @param {{ opcode?: number, fin?: boolean, rsv?: number, masked?: boolean, length?: number }} [options] `length`: declared
 */
function frameOf(chance, payload, { opcode = OPCODES.text, fin = true, rsv = 0, masked = true, length } = {}) {
  const declared = length ?? payload.length;
  const isLong = declared > 0xffff || chance.is(0.02);
  const isMiddle = !isLong && (declared > 125 || chance.is(0.02));
  const extended = Buffer.alloc(isLong ? 8 : isMiddle ? 2 : 0);
  if (isLong) extended.writeBigUInt64BE(BigInt(declared));
  if (isMiddle) extended.writeUInt16BE(declared);
  const head = Buffer.of(
    (fin ? 0x80 : 0) | (rsv << 4) | opcode,
    (masked ? 0x80 : 0) | (isLong ? 127 : isMiddle ? 126 : declared),
  );
  if (!masked) return Buffer.concat([head, extended, payload]);
  const mask = chance.is(0.5) ? Buffer.alloc(4) : chance.bytes(4);
  return Buffer.concat([head, extended, mask, payload.map((byte, index) => byte ^ mask[index % 4])]);
}

/** @param {Chance} chance @param {Buffer} payload @returns {Buffer} a message in parts, at times with a ping between two */
function inParts(chance, payload) {
  const count = chance.is(0.1) ? chance.between(20, 200) : chance.between(2, 5);
  const cuts = times(count - 1, () => chance.below(payload.length + 1)).sort((a, b) => a - b);
  const ends = [...cuts, payload.length];
  return Buffer.concat(
    ends.flatMap((end, index) => {
      const opcode = index === 0 ? OPCODES.text : OPCODES.part;
      const part = frameOf(chance, payload.subarray(ends[index - 1] ?? 0, end), {
        opcode,
        fin: index === ends.length - 1,
      });
      return chance.is(0.2) ? [part, frameOf(chance, Buffer.from('p'), { opcode: OPCODES.ping })] : [part];
    }),
  );
}

/** @param {Chance} chance @returns {Buffer} */
function closeOf(chance) {
  const code = Buffer.alloc(2);
  code.writeUInt16BE(chance.pick(CLOSE_CODES));
  const reason = chance.pick([Buffer.alloc(0), Buffer.from('reason'), Buffer.of(0xff), Buffer.alloc(123, 'x')]);
  return frameOf(chance, chance.is(0.8) ? Buffer.concat([code, reason]) : code.subarray(0, chance.below(2)), {
    opcode: OPCODES.close,
  });
}

/** @param {Chance} chance @param {Buffer} payload @returns {Buffer} a frame that the protocol forbids */
function wrongFrame(chance, payload) {
  const { below, between, is, pick } = chance;
  const control = () => pick([OPCODES.close, OPCODES.ping, OPCODES.pong]);
  return pick([
    () => frameOf(chance, payload, { opcode: pick(RESERVED_OPCODES) }),
    () => frameOf(chance, payload, { rsv: between(1, 7) }),
    () => frameOf(chance, payload, { masked: false }),
    () => frameOf(chance, payload, { opcode: OPCODES.part }),
    () => Buffer.concat(times(2, () => frameOf(chance, payload, { fin: false }))),
    () => frameOf(chance, payload, { opcode: control(), fin: false }),
    () => frameOf(chance, Buffer.alloc(between(126, 300)), { opcode: control() }),
    () => frameOf(chance, payload, { length: pick(HUGE_LENGTHS), opcode: is(0.8) ? OPCODES.text : control() }),
    () => frameOf(chance, Buffer.concat([payload, Buffer.of(0xc3)])),
    () => chance.bytes(below(40)),
  ])();
}

/** @param {Chance} chance @param {string} target @returns {Buffer} what a client says first there, mostly */
export const makeOpening = (chance, target) =>
  SOCKETIO_PATH.test(target) && chance.is(0.8) ? frameOf(chance, CONNECT) : Buffer.alloc(0);

/**
 * @param {Chance} chance @param {{ target: string, tag: string }} socket `target`: its URL @returns {Buffer} one frame, or several
 */
export function makeFrames(chance, { target, tag }) {
  const { between, is, pick } = chance;
  const ownTextOf = SOCKJS_PATH.test(target) ? sockjsTextOf : SOCKETIO_PATH.test(target) ? socketioTextOf : textOf;
  const say = () => encode(chance, is(0.85) ? ownTextOf(chance, tag) : textOf(chance, tag));
  const kind = chance.below(100);
  if (kind < 50) return frameOf(chance, say());
  if (kind < 56) return frameOf(chance, is(0.5) ? say() : chance.bytes(between(0, 300)), { opcode: OPCODES.bytes });
  if (kind < 66) return inParts(chance, say());
  if (kind < 72) return frameOf(chance, Buffer.from('hello'), { opcode: pick([OPCODES.ping, OPCODES.pong]) });
  if (kind < 76)
    return Buffer.concat(times(between(5, 150), () => frameOf(chance, Buffer.alloc(0), { opcode: OPCODES.ping })));
  if (kind < 84) return Buffer.concat(times(between(5, 60), () => frameOf(chance, say())));
  if (kind < 86) return frameOf(chance, Buffer.alloc(between(50_000, 300_000), 'x'));
  if (kind < 90) return closeOf(chance);
  return wrongFrame(chance, say());
}
