import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBody, createPayload, isEchoOf } from '../../../../core/net/echo/round-trip.js';

describe('payload', () => {
  it('is the classic structure where no bytes are asked for', () => {
    assert.equal(JSON.stringify(createPayload(3, createBody(0))), '{"count":3}');
  });
  for (const bytes of [1, 26, 27, 1000]) {
    it(`carries a body of exactly ${bytes} bytes`, () => {
      assert.equal(Buffer.byteLength(String(createPayload(3, createBody(bytes)).body)), bytes);
    });
  }
});

describe('isEchoOf', () => {
  const payload = createPayload(3, 'abc');
  for (const [what, answer, expected] of [
    ['the count one higher, the body untouched', { count: 4, body: 'abc' }, true],
    ['the same count', { count: 3, body: 'abc' }, false],
    ['the count as text', { count: '4', body: 'abc' }, false],
    ['another body', { count: 4, body: 'abd' }, false],
    ['no body', { count: 4 }, false],
    ['nothing', null, false],
    ['a number', 4, false],
  ]) {
    it(`says ${expected} to ${what}`, () => assert.equal(isEchoOf(answer, payload), expected));
  }
});
