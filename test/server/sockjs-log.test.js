import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { createSockjsLog } from '../../server/sockets/sockjs-sessions.js';
import { createLog } from '../../server/telemetry/log.js';
import { withServer } from '../support/two-workers.js';

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

  it('says nothing of what a client sent', async () => {
    const log = createLog({ logLevel: 'silent' });
    const errors = mock.method(log, 'error');
    await withServer({ log }, async ({ origin }) => {
      for (const action of ['xhr_send', 'jsonp_send']) {
        for (const [type, body] of [
          ['text/plain', '{"__proto__":null}'],
          ['text/plain', '['],
          ['text/unknown', '[]'],
        ]) {
          const init = { method: 'POST', body, headers: { 'Content-Type': type } };
          assert.equal((await fetch(`${origin}/echo/000/nobody/${action}`, init)).status, 500);
        }
      }
    });
    assert.equal(errors.mock.callCount(), 0);
  });
});
