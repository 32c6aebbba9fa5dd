import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrameParser } from '../../../server/sockets/frames.js';
import { frame } from '../../support/payload-client.js';

/**
 * @param {FrameParser} parser
 * @param {Buffer} chunk
 */
function read(parser, chunk) {
  for (let at = 0; at < chunk.length;) {
    at = parser.isInPayload ? parser.skipPayload(chunk, at) : parser.readHead(chunk, at);
  }
}

describe('FrameParser', () => {
  const parts = [
    frame('x'.repeat(70_000), { fin: false }),
    frame('ping', { opcode: 9 }),
    frame('x'.repeat(300), { opcode: 0, fin: false }),
    frame('', { opcode: 0 }),
    frame(''),
    frame('x'.repeat(126)),
  ];
  const bytes = Buffer.concat(parts);
  const [first, ping, second, last] = parts.map(({ length }) => length);

  for (const step of [1, 3, 1000, bytes.length]) {
    it(`counts what is there of a message until it is whole, in chunks of ${step} bytes`, () => {
      const parser = new FrameParser();
      for (let at = 0; at < bytes.length; at += step) {
        read(parser, bytes.subarray(at, at + step));
        const end = Math.min(at + step, bytes.length);
        if (end < first) assert.equal(parser.pendingBytes, end);
        if (end >= 14 && end < first) assert.equal(parser.declaredBytes, 70_000);
        if (end === first + ping) assert.deepEqual([parser.partCount, parser.pendingBytes], [1, first]);
        if (end === first + ping + second) assert.equal(parser.declaredBytes, 70_300);
        if (end === first + ping + second + last) {
          assert.deepEqual([parser.pendingBytes, parser.declaredBytes, parser.partCount], [0, 0, 0]);
        }
      }
      const { pendingBytes, frameCount, messageCount, controlCount } = parser;
      assert.deepEqual({ pendingBytes, frameCount, messageCount, controlCount }, COUNTS);
    });
  }
  const COUNTS = { pendingBytes: 0, frameCount: 6, messageCount: 3, controlCount: 1 };

  it('takes a length of eight bytes, and a frame without mask', () => {
    const parser = new FrameParser();
    read(parser, Buffer.from('82ff0000000001000001', 'hex'));
    assert.equal(parser.isInPayload, false);
    read(parser, Buffer.alloc(4));
    assert.equal(parser.declaredBytes, 16 * 1024 * 1024 + 1);
    const other = new FrameParser();
    read(other, Buffer.from([0x81, 1, 65, 0x81, 0]));
    assert.equal(other.messageCount, 2);
  });
});
