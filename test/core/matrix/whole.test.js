import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isStopped, isWhole } from '../../../core/matrix/whole.js';

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

it('a run is stopped unless a part of it is whole, or it ended for another reason', () => {
  const cancelled = { kind: 'cancelled', reason: 'Stopped.' };
  const stopped = { experiment: 'jobs', missing: { kind: 'stopped' } };
  for (const [document, expected] of /** @type {const} */ ([
    [{}, false],
    [{ ending: cancelled }, true],
    [{ ending: { kind: 'invalid', reason: 'Hidden.' } }, false],
    [{ parts: [{ experiment: 'reach', document: { ending: cancelled } }, stopped] }, true],
    [{ parts: [{ experiment: 'reach', document: {} }, stopped] }, false],
  ])) {
    assert.equal(isStopped(document), expected, JSON.stringify(document));
  }
});
