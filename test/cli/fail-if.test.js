import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listFailures } from '../../cli/fail-if.js';
import { createReport } from '../../core/report.js';
import { createResult, createTrial, createTrials } from '../support/results.js';

/** @type {[number, number][]} */
const BLOCKS = [10, 10.1, 9.9, 10, 10.2, 9.8].map((ms) => [ms, ms / 2]);

describe('--fail-if', () => {
  const report = createReport(createResult({ trials: createTrials(BLOCKS) }));

  it('names each condition that holds, and no other', () => {
    const conditions = ['faster', 'slower', 'same', 'unclear'].map((word) => ({ transport: 'sockjs', word }));
    assert.deepEqual(listFailures(conditions, report), ["--fail-if 'sockjs faster': SockJS against AJAX is faster."]);
  });

  it('holds, too, where it cannot be judged', () => {
    const plan = { ...report.result.plan, transports: ['ajax', 'websocket', 'sockjs'] };
    const failures = [{ outcome: /** @type {const} */ ('closed'), message: 'No way through.' }];
    const trials = [...createTrials(BLOCKS), ...BLOCKS.map((_, i) => createTrial('websocket', i, [], { failures }))];
    const [reason] = listFailures(
      [{ transport: 'websocket', word: 'slower' }],
      createReport(createResult({ plan, trials })),
    );
    assert.match(reason, /^--fail-if 'websocket slower': WebSocket against AJAX cannot be judged/);
  });
});
