import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { integer, integers } from '../../../../core/experiment/plan/fields.js';
import { describeNumberInput, formatSeconds, parseSeconds } from '../../../../core/experiment/plan/number-input.js';
import { complaintOf } from '../../../support/complaint.js';

const bytes = integer({ parameter: 'size', label: 'Size', unit: 'bytes', min: 0, max: 1_000_000, default: 5 });
const waits = integers({
  ...{ parameter: 'waits', label: 'Waits', unit: 'ms', isInSeconds: true },
  ...{ min: 100, max: 600_000, maxCount: 4, default: [500, 65_000] },
});

describe('the input of a number', () => {
  it('is as wide as the digits of the maximum, and says the unit', () => {
    assert.deepEqual(describeNumberInput(bytes), { label: 'Size, in bytes', value: '5', width: 7 });
  });

  it('has a list of milliseconds in seconds, as wide as the longest list', () => {
    assert.deepEqual(describeNumberInput(waits), { label: 'Waits, in seconds', value: '0.5,65', width: 16 });
  });

  it('reads seconds as the milliseconds of a link, and back', () => {
    assert.equal(parseSeconds('0.5, 65,0.123', waits), '500,65000,123');
    assert.equal(formatSeconds('500,65000,123'), '0.5,65,0.123');
  });

  for (const [text, got] of [
    ['0.05', '“0.05”'],
    ['x', '“x”'],
    ['601', '“601”'],
    ['0.1234', '“0.1234”'],
    ['', 'nothing'],
  ])
    // prettier-ignore
    it(`refuses ${got}, in seconds`, () => {
      assert.throws(() => parseSeconds(text, waits), complaintOf('waits', got));
      assert.throws(() => parseSeconds(text, waits), /1 to 4 numbers of seconds from 0\.1 to 600, each once/);
    });
});
