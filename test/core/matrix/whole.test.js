import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isWhole } from '../../../core/matrix/whole.js';

it('a run is whole unless it, or a part of it, was stopped', () => {
  const ending = { kind: 'cancelled', reason: 'Stopped.' };
  const part = { experiment: 'reach', document: {} };
  for (const [document, expected] of /** @type {const} */ ([
    [{}, true],
    [{ ending }, false],
    [{ parts: [part, { experiment: 'jobs', missing: { kind: 'skipped' } }] }, true],
    [{ parts: [part, { experiment: 'jobs', missing: { kind: 'stopped' } }] }, false],
    [{ parts: [part, { experiment: 'jobs', document: { ending } }] }, false],
  ])) {
    assert.equal(isWhole(document), expected, JSON.stringify(document));
  }
});
