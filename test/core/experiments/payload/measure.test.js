import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trialsOf } from '../../../../core/experiments/payload/trials.js';
import { PLAN, run, TRIAL_COUNT } from '../../../support/run-scripted-transfers.js';

describe('a payload run', () => {
  it('times each message of the plan, in its order, and nothing else', async () => {
    const { trials, ending } = await run({
      scripts: { ajax: { law: ({ bytes }) => 3 + bytes / 100 }, sockjs: { law: () => 2 } },
    });
    assert.equal(ending, undefined);
    assert.deepEqual(
      trials.map(({ block, size, direction, transport }) => ({ block, size, direction, transport })),
      trialsOf(PLAN).map(({ warmUps: _, ...planned }) => planned),
    );
    for (const { transport, size, durationMs, protocol } of trials) {
      const expected = transport === 'ajax' ? 3 + size / 100 : 2;
      // The subtraction of clock readings rounds.
      assert.ok(Math.abs(Number(durationMs) - expected) < 1e-9, `${transport} ${size}: ${durationMs}`);
      assert.equal(protocol, 'script');
    }
    assert.ok(trials.every(({ startedAtMs }, i) => i === 0 || startedAtMs > trials[i - 1].startedAtMs));
  });

  it('opens a connection for each transport and direction, and reports its setup once', async () => {
    const { trials, states } = await run();
    for (const { connectCount, closeCount } of Object.values(states)) {
      assert.deepEqual([connectCount, closeCount], [2, 2]);
    }
    const opened = trials.filter(({ setUpMs }) => setUpMs !== undefined);
    assert.deepEqual(opened.map(({ block, direction, transport }) => `${block} ${transport} ${direction}`).toSorted(), [
      '0 ajax echo',
      '0 ajax up',
      '0 sockjs echo',
      '0 sockjs up',
    ]);
  });

  it('warms up each size by all transports before it times it by any', async () => {
    /** @type {string[]} */
    const begun = [];
    await run({
      measureOptions: {
        onWarmUp: ({ size, direction }) => begun.push(`${size} ${direction} warm-up`),
        onTrialEnd({ trials }) {
          const { block, size, direction, transport } = trials[trials.length - 1];
          if (block === 0) begun.push(`${size} ${direction} ${transport}`);
        },
      },
    });
    assert.equal(begun.length, 16);
    for (let i = 0; i < begun.length; i += 4) {
      assert.match(begun[i], /warm-up$/);
      assert.equal(begun[i], begun[i + 1]);
      assert.deepEqual(
        [begun[i + 2], begun[i + 3]].map((text) => /warm-up/.test(text)),
        [false, false],
      );
    }
  });

  it('sends no two equal messages one after the other', async () => {
    const { states } = await run();
    const { sent } = states.ajax;
    assert.ok(sent.every(({ offset }, i) => i === 0 || offset !== sent[i - 1].offset));
  });

  it('ends when it is cancelled, and keeps what was measured', async () => {
    const controller = new AbortController();
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
    const {
      trials,
      ending: got,
      states,
    } = await run({
      scripts: {
        sockjs: {
          law: (_, count) => {
            if (count === 9) controller.abort(ending);
            return 5;
          },
        },
      },
      measureOptions: { signal: controller.signal },
    });
    assert.deepEqual(got, ending);
    assert.ok(trials.length > 0 && trials.length < TRIAL_COUNT);
    assert.ok(trials.slice(0, -1).every(({ failure }) => failure === undefined));
    for (const { connectCount, closeCount } of Object.values(states)) assert.ok(closeCount >= connectCount);
  });

  it('throws an error of the program itself', async () => {
    const law = () => {
      throw new TypeError('ours');
    };
    await assert.rejects(run({ scripts: { ajax: { law } } }), TypeError);
  });
});
