import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'node:test';
import { createDocumentThread } from '../../server/saved-runs/document-thread.js';
import { createShootout } from '../support/submissions.js';

describe('the thread that reads documents', () => {
  it('leaves the others alone where one fails, until it is closed', async () => {
    // The thread does not keep a process alive.
    const alive = setInterval(() => {}, 60_000);
    const thread = createDocumentThread();
    const body = Buffer.from(JSON.stringify({ document: createShootout() }));
    const broken = { experiment: 'shootout', document: gzipSync('null') };
    const [failed, checked] = await Promise.allSettled([thread.formatCsv(broken), thread.check(body)]);
    assert.deepEqual([failed.status, checked.status], ['rejected', 'fulfilled']);
    const waiting = assert.rejects(thread.check(body), { code: 'busy' });
    await thread.close();
    await waiting;
    await assert.rejects(thread.check(body), { code: 'busy' });
    clearInterval(alive);
  });
});
