import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExchangeError } from '../../../core/net/exchange-error.js';
import { describeEnding, describeError, describeFailure } from '../../../core/experiment/faults.js';

/** @import { Ending } from '../../../core/experiment/contract.js' */

const { signal } = new AbortController();
/** @type {Ending} */
const LOST = { kind: 'invalid', reason: 'The connection to the server was lost in block 2.' };
const closed = { outcome: 'closed', message: 'x' };

describe('what a visitor is told of a run that could not go on', () => {
  it('says what happened and what to do, for each outcome, and never the browser’s own words', () => {
    const outcomes = /** @type {const} */ (['closed', 'timeout', 'rejected', 'mismatch', 'aborted']);
    for (const outcome of outcomes) {
      assert.match(describeFailure({ outcome, message: 'Too busy' }, { hadAnswer: true }), /^The .*[Rr]etry.*\.$/);
    }
    assert.match(describeFailure({ outcome: 'rejected', message: 'Too busy' }, { hadAnswer: true }), /: Too busy\. /);
    assert.doesNotMatch(describeError(new TypeError('Failed to fetch')), /TypeError|fetch/);
    assert.match(describeError(new ExchangeError('closed', 'x')), /Could not connect/);
  });

  it('tells a connection that was lost from one that was refused, in each form of trials', () => {
    for (const answered of [
      { samples: { iteration: [0] } },
      { roundTripMs: [1] },
      { told: { job: [0] } },
      { durationMs: 1 },
    ]) {
      const trials = [answered, { failures: [closed] }];
      assert.match(String(describeEnding({ ending: LOST, trials }, signal)), /was lost/);
    }
    const trials = [{ failure: closed }];
    assert.match(String(describeEnding({ ending: LOST, trials }, signal)), /Could not connect/);
  });

  it('is nothing where the run was finished or cancelled', () => {
    assert.equal(describeEnding({ trials: [{ failures: [closed] }] }, signal), undefined);
    assert.equal(describeEnding({ ending: { kind: 'cancelled', reason: 'x' }, trials: [] }, signal), undefined);
  });

  it('blames no failure for what the page itself ended', () => {
    const ending = /** @type {const} */ ({ kind: 'invalid', reason: 'The tab was hidden.' });
    const text = describeEnding({ ending, trials: [{ failures: [closed] }] }, AbortSignal.abort(ending));
    assert.match(String(text), /^The tab was hidden\. /);
  });
});
