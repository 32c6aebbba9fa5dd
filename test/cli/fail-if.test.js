import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listFailures } from '../../cli/program/fail-if.js';
import { createReport } from '../../core/experiments/shootout/report.js';
import { useGolden } from '../support/golden.js';
import { createResult, createTrial, createTrials } from '../support/results.js';

const matchGolden = useGolden(import.meta.url);

/** @type {[number, number][]} */
const BLOCKS = [10, 10.1, 9.9, 10, 10.2, 9.8].map((ms) => [ms, ms / 2]);

/** @param {string} reason */
const conditionOf = (reason) => reason.slice(0, reason.indexOf(':'));

describe('--fail-if', () => {
  const report = createReport(createResult({ trials: createTrials(BLOCKS) }));

  it('names each condition that holds, and no other', (t) => {
    const conditions = ['faster', 'slower', 'same', 'unclear'].map((word) => ({ transport: 'sockjs', word }));
    const reasons = listFailures(conditions, report);
    assert.deepEqual(reasons.map(conditionOf), ["--fail-if 'sockjs faster'"]);
    matchGolden(t, 'shootout', reasons);
  });

  it('holds, too, where it cannot be judged', (t) => {
    const plan = { ...report.result.plan, transports: ['ajax', 'websocket', 'sockjs'] };
    const failures = [{ outcome: /** @type {const} */ ('closed'), message: 'No way through.' }];
    const trials = [...createTrials(BLOCKS), ...BLOCKS.map((_, i) => createTrial('websocket', i, [], { failures }))];
    const reasons = listFailures(
      [{ transport: 'websocket', word: 'slower' }],
      createReport(createResult({ plan, trials })),
    );
    assert.deepEqual(reasons.map(conditionOf), ["--fail-if 'websocket slower'"]);
    assert.match(reasons[0], /cannot be judged/);
    matchGolden(t, 'shootout', reasons);
  });
});
