import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSockjsLog } from '../../server/sockets/sockjs-sessions.js';

describe('createSockjsLog', () => {
  it('says one error a minute, and how many it left out', () => {
    /** @type {unknown[][]} */
    const said = [];
    let nowMs = 0;
    const log = createSockjsLog(
      { error: (/** @type {unknown[]} */ ...args) => said.push(args), trace: () => {} },
      () => nowMs,
    );
    for (let i = 0; i < 5; i++) log('error', `broken ${i}`);
    log('info', 'a request');
    nowMs = 60_000;
    log('error', 'broken again');
    assert.deepEqual(said, [
      [{ leftOutCount: 0 }, 'broken 0'],
      [{ leftOutCount: 4 }, 'broken again'],
    ]);
  });
});
