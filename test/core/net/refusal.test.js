import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeRefusal } from '../../../core/net/refusal.js';

describe('a run that a site refuses', () => {
  const DATE = 'Sat, 28 Nov 2026 10:00:00 GMT';
  const dayMs = 24 * 3600 * 1000;
  const error = { path: 'document.startedAt', message: 'expected a time, got another' };

  for (const [days, span] of /** @type {const} */ ([
    [3, '3 days ahead'],
    [1.01, '1 day ahead'],
    [-20_000, '20000 days behind'],
  ])) {
    it(`was measured by a clock that is ${span}`, () => {
      const text = describeRefusal(error, DATE, Date.parse(DATE) + days * dayMs);
      assert.ok(text.includes(`clock is ${span}. `) && !text.includes('startedAt'), text);
    });
  }

  it('has another fault where the clock is right, or nobody knows, or it is not about a date', () => {
    const nowMs = Date.parse(DATE);
    for (const [given, date, at] of /** @type {const} */ ([
      [error, DATE, nowMs],
      [error, null, nowMs],
      [{ ...error, path: 'document.trials.0.protocol' }, DATE, nowMs + 3 * dayMs],
    ])) {
      assert.equal(describeRefusal(given, date, at), `${given.path}: ${given.message}`);
    }
    assert.equal(describeRefusal({ message: 'busy' }, DATE, nowMs), 'busy');
  });
});
