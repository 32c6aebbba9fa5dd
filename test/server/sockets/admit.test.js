import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FRAME_WORK } from '../../../server/http/turns.js';
import { admit, FrameParser } from '../../../server/sockets/frames.js';
import { frame } from '../../support/payload-client.js';

const limits = { messageBytes: 1_000_000, partCount: 10 };
const usual = { limits, work: 4 * FRAME_WORK, isTurn: false };
const tiny = frame('x');

describe('admit', () => {
  it('lets as many frames go as there is room for, until all have gone', () => {
    const chunk = Buffer.concat(Array(100).fill(tiny));
    const frames = new FrameParser();
    for (let rest = chunk; rest.length > 0;) {
      const { frameCount } = frames;
      const { end, work } = admit(frames, rest, usual);
      assert.ok(end > 0 && work <= usual.work && frames.frameCount - frameCount <= 4);
      rest = rest.subarray(end);
    }
    assert.equal(frames.messageCount, 100);
  });

  it('lets empty frames go only as many as there is room for', () => {
    const empty = frame('');
    const frames = new FrameParser();
    const { end } = admit(frames, Buffer.concat(Array(100).fill(empty)), usual);
    assert.equal(end, 4 * empty.length);
  });

  it('lets go what is no whole frame, and keeps the end of a large one for a turn', () => {
    const large = frame('x'.repeat(100_000));
    const frames = new FrameParser();
    const begin = large.subarray(0, 50_000);
    assert.deepEqual(admit(frames, begin, usual), { end: begin.length, work: FRAME_WORK });
    const rest = Buffer.concat([large.subarray(50_000), tiny]);
    assert.equal(admit(frames, rest, usual).end, 0);
    assert.deepEqual(admit(frames, rest, { ...usual, isTurn: true }), { end: 100_014 - 50_000, work: 100_000 });
    assert.equal(frames.messageCount, 1);
  });

  it('refuses a message that is too large or in too many parts, and lets go what came before', () => {
    /** @type {[Buffer, number][]} */
    const table = [
      [frame('x'.repeat(1_000_001)).subarray(0, 20), 1009],
      [Buffer.concat(Array(11).fill(frame('', { opcode: 0, fin: false }))), 1008],
    ];
    for (const [bytes, code] of table) {
      const chunk = Buffer.concat([tiny, bytes]);
      const { end, refusal } = admit(new FrameParser(), chunk, { ...usual, work: 1_000_000 });
      assert.equal(refusal?.code, code);
      assert.ok(end >= tiny.length && end < chunk.length);
    }
  });

  it('takes a message of the largest size, in the most parts', () => {
    const part = frame('x'.repeat(100_000), { opcode: 0, fin: false });
    const chunk = Buffer.concat([...Array(9).fill(part), frame('x'.repeat(100_000), { opcode: 0 })]);
    const { end, refusal } = admit(new FrameParser(), chunk, { ...usual, work: 10_000_000 });
    assert.deepEqual([end, refusal], [chunk.length, undefined]);
  });
});
