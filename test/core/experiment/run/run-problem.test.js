import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExchangeError } from '../../../../core/net/exchange-error.js';
import { describeEnding, describeError, describeFailure } from '../../../../core/experiment/run/faults.js';
import { findExperiment } from '../../../../core/experiments/all.js';

/** @import { Counts, Ending } from '../../../../core/experiment/contract.js' */

const { signal } = new AbortController();
/** @type {Ending} */
const LOST = { kind: 'invalid', reason: 'The connection to the server was lost in block 2.' };
const closed = /** @type {const} */ ({ outcome: 'closed', message: 'x' });
/** @type {Counts} */
const LOST_TRIAL = { answerCount: 0, failures: [closed] };
/** One that had an answer and one that was lost, by experiment. @type {[name: string, trials: object[]][]} */
const TRIALS = [
  [
    'shootout',
    [
      { samples: { iteration: [0], sentAtMs: [0], roundTripMs: [1] }, failures: [] },
      { samples: { iteration: [], sentAtMs: [], roundTripMs: [] }, failures: [closed] },
    ],
  ],
  [
    'in-flight',
    [
      { roundTripMs: [1], failures: [] },
      { roundTripMs: [], failures: [closed] },
    ],
  ],
  [
    'jobs',
    [
      { notified: { job: [0] }, failures: [] },
      { notified: { job: [] }, failures: [closed] },
    ],
  ],
  ['payload', [{ durationMs: 1 }, { failure: closed }]],
  ['reach', [{ roundTripMs: [1] }, { failure: closed }]],
];

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
    for (const [name, trials] of TRIALS) {
      const counts = trials.map((trial) => findExperiment(name)?.readTrial(trial) ?? assert.fail());
      assert.match(String(describeEnding({ ending: LOST, counts }, signal)), /was lost/, name);
      assert.match(
        String(describeEnding({ ending: LOST, counts: counts.slice(1) }, signal)),
        /Could not connect/,
        name,
      );
    }
  });

  it('is nothing where the run was finished or cancelled', () => {
    assert.equal(describeEnding({ counts: [LOST_TRIAL] }, signal), undefined);
    assert.equal(describeEnding({ ending: { kind: 'cancelled', reason: 'x' } }, signal), undefined);
  });

  it('blames no failure for what the page itself ended', () => {
    const ending = /** @type {const} */ ({ kind: 'invalid', reason: 'The tab was hidden.' });
    const text = describeEnding({ ending, counts: [LOST_TRIAL] }, AbortSignal.abort(ending));
    assert.match(String(text), /^The tab was hidden\. /);
  });
});
