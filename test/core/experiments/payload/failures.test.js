import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFault } from '../../../../core/experiment/run/faults.js';
import { payload } from '../../../../core/experiments/payload/index.js';
import { ExchangeError } from '../../../../core/net/exchange-error.js';
import { useGolden } from '../../../support/golden.js';
import { failuresOf, PLAN, run, TRIAL_COUNT } from '../../../support/run-scripted-transfers.js';

/** @import { PublishedPlan } from '../../../../core/experiments/payload/plan.js' */

const matchGolden = useGolden(import.meta.url);

describe('failed messages', () => {
  it('records a wrong byte as a failure, and continues over the same connection', async () => {
    const { trials, ending, states } = await run({
      scripts: { sockjs: { fail: (_, count) => (count === 10 ? 'lie' : undefined) } },
    });
    const failures = failuresOf(trials);
    assert.deepEqual([failures.length, failures[0].outcome, failures[0].transport], [1, 'mismatch', 'sockjs']);
    assert.match(failures[0].message, /^(Byte \d+ of \d+: expected|Expected \{"bytes")/);
    assert.equal(failures[0].durationMs, undefined);
    assert.deepEqual([trials.length, ending, states.sockjs.connectCount], [TRIAL_COUNT, undefined, 2]);
  });

  it('opens a lost connection again, and does not count the first message over it', async () => {
    const { trials, ending, states } = await run({
      scripts: {
        sockjs: { fail: (_, count) => (count === 10 ? 'closed' : undefined), openingMs: 500 },
      },
    });
    assert.deepEqual([trials.length, ending, states.sockjs.connectCount], [TRIAL_COUNT, undefined, 3]);
    assert.deepEqual(
      failuresOf(trials).map(({ outcome }) => outcome),
      ['closed'],
    );
    // No trial contains the extra time of a connection's first message.
    assert.ok(trials.every(({ durationMs = 0 }) => durationMs < 100));
    assert.equal(trials.filter(({ transport, setUpMs }) => transport === 'sockjs' && setUpMs === 7).length, 3);
  });

  it('gives up a message without an answer after its limit, and continues with the others', async () => {
    const { trials } = await run({
      scripts: { sockjs: { fail: (_, count) => (count === 10 ? 'silence' : undefined) } },
      measureOptions: { timeoutMs: 200 },
    });
    assert.equal(trials.length, TRIAL_COUNT);
    assert.deepEqual(
      failuresOf(trials).map(({ outcome, transport }) => `${transport} ${outcome}`),
      ['sockjs timeout'],
    );
  });

  it('waits longer for larger messages, but not forever', { timeout: 300_000 }, async () => {
    // The limit is 10 ms, and 1000 bytes add 20 ms up and 40 ms as an echo.
    const { trials } = await run({
      scripts: { sockjs: { fail: ({ bytes }, count) => (bytes === 1000 && count > 20 ? 'silence' : undefined) } },
      measureOptions: { timeoutMs: 10 },
    });
    const outcomes = new Set(
      failuresOf(trials).map(
        ({ direction, outcome, message }) => `${direction} ${outcome} ${/[\d.]+ ms/.exec(message)}`,
      ),
    );
    assert.deepEqual([...outcomes].toSorted(), ['echo timeout 50 ms', 'up timeout 30 ms']);
  });

  it('records a failed warm-up as a failure of the next message', async () => {
    const { trials } = await run({
      scripts: { sockjs: { fail: (_, count) => (count === 0 ? 'rejected' : undefined) } },
    });
    const [failure, ...others] = failuresOf(trials);
    assert.deepEqual([failure.block, failure.outcome, others], [0, 'rejected', []]);
  });

  it('records a failed warm-up of the published plan in the first message alone', async () => {
    /** @type {PublishedPlan} */
    const plan = { preset: 'published', transports: ['ajax'], directions: ['up'], sizes: [1] };
    const { trials } = await run({
      plan,
      scripts: { ajax: { fail: (_, count) => (count === 0 ? 'rejected' : undefined) } },
    });
    assert.deepEqual(
      trials.flatMap(({ failure }, index) => (failure ? [index] : [])),
      [0],
    );
  });

  it('does not try a transport again that never connected', async () => {
    const { trials, ending, states } = await run({ scripts: { sockjs: { isDeaf: true } } });
    assert.deepEqual([states.sockjs.connectCount, ending], [1, undefined]);
    assert.equal(failuresOf(trials).length, TRIAL_COUNT / 2);
    assert.ok(trials.every(({ transport, failure }) => (transport === 'sockjs') === (failure !== undefined)));
  });

  it('makes a run invalid where the server is lost, but not where a transport refuses large messages', async (t) => {
    const lost = (/** @type {unknown} */ _, /** @type {number} */ count) =>
      count > 12 ? /** @type {const} */ ('closed') : undefined;
    const { trials, ending } = await run({ scripts: { ajax: { fail: lost }, sockjs: { fail: lost } } });
    assert.ok(ending);
    assert.equal(ending.kind, 'invalid');
    matchGolden(t, 'payload', ending.reason);
    assert.deepEqual(findFault(payload, { plan: PLAN, trials }), ending);
    assert.ok(trials.length < TRIAL_COUNT);

    const { trials: all, ending: none } = await run({
      scripts: { sockjs: { fail: ({ bytes }) => (bytes === 1000 ? 'closed' : undefined) } },
    });
    assert.deepEqual([all.length, none, failuresOf(all).length], [TRIAL_COUNT, undefined, TRIAL_COUNT / 4]);
  });

  it('considers the server lost when each transport was lost three times since the last answer', () => {
    /** @param {string} outcomes a letter for each message: c closed, t timeout, r rejected, a dot where it was answered */
    const look = (outcomes) => {
      const kinds = /** @type {const} */ ({ c: 'closed', t: 'timeout', r: 'rejected' });
      const trials = [...outcomes].map((letter, index) => {
        const outcome = kinds[/** @type {keyof typeof kinds} */ (letter)];
        const failure = outcome && { outcome, message: 'gone' };
        const transport = ['ajax', 'sockjs'][index % 2];
        const direction = /** @type {const} */ ('up');
        return { transport, block: 0, size: 1, direction, startedAtMs: index, failure };
      });
      return findFault(payload, { plan: PLAN, trials }) !== undefined;
    };
    for (const [outcomes, isLost] of /** @type {const} */ ([
      ['cccccc', true],
      ['ctctct', true],
      ['ccccc', false],
      ['cccc.cc', false],
      ['.ccccc', false],
      ['c.c.c.c.', false],
      ['ccccrccc', false],
      ['..cccccc', true],
    ])) {
      assert.equal(look(outcomes), isLost, outcomes);
    }
  });

  it('ends a run after one timeout where the server does not answer another request either', async () => {
    const silent = (/** @type {unknown} */ _, /** @type {number} */ count) =>
      count > 10 ? /** @type {const} */ ('silence') : undefined;
    let askedCount = 0;
    const reach = () => {
      askedCount++;
      return Promise.reject(new ExchangeError('timeout', 'No answer within 10000 ms.'));
    };
    const { trials, ending } = await run({
      scripts: { ajax: { fail: silent }, sockjs: { fail: silent } },
      measureOptions: { timeoutMs: 200, reach },
    });
    assert.equal(ending?.kind, 'invalid');
    assert.equal(askedCount, 1);
    // One message got no answer, and the others were not sent any more.
    assert.deepEqual([...new Set(failuresOf(trials).map(({ outcome }) => outcome))], ['timeout']);
    const messages = failuresOf(trials).map(({ message }) => message);
    assert.equal(messages.filter((message) => message !== 'No answer within 10000 ms.').length, 1);
  });
});
