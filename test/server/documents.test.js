import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'node:test';
import { createDocuments } from '../../server/saved-runs/documents.js';
import { createShootout } from '../support/submissions.js';

const client = { address: '192.0.2.1', signal: new AbortController().signal };
const body = Buffer.from(JSON.stringify({ document: createShootout() }));

/**
 * @param {Parameters<typeof createDocuments>[0]} options
 * @param {(documents: ReturnType<typeof createDocuments>) => Promise<void>} use
 */
async function withDocuments(options, use) {
  // The thread does not keep a process alive.
  const alive = setInterval(() => {}, 60_000);
  const documents = createDocuments(options);
  try {
    await use(documents);
  } finally {
    await documents.close();
    clearInterval(alive);
  }
}

describe('the thread that reads documents', () => {
  it('leaves the others alone where one fails, until it is closed', () =>
    withDocuments({}, async (documents) => {
      const broken = { experiment: 'shootout', document: gzipSync('null') };
      const given = [documents.formatCsv(broken, client), documents.check(body, client)];
      const [failed, checked] = await Promise.allSettled(given);
      assert.deepEqual([failed.status, checked.status], ['rejected', 'fulfilled']);
      const waiting = [1, 2].map(() => assert.rejects(documents.check(body, client), { code: 'busy' }));
      await documents.close();
      await Promise.all(waiting);
      await assert.rejects(documents.check(body, client), { code: 'busy' });
    }));

  it('ends with a document that takes too long, which is refused, and starts again for the next', async () => {
    const program = new URL('../programs/endless-documents.js', import.meta.url);
    await withDocuments({ program, limits: { documentMs: 2000 } }, async (documents) => {
      assert.equal(await documents.check(body, client), body.length);
      const tooLarge = { code: 'too-large', status: 413, message: /within 2 s/ };
      await assert.rejects(documents.check(new Uint8Array(), client), tooLarge);
      assert.equal(await documents.check(body, client), body.length);
    });
  });

  it('that cannot start fails its document alone', () =>
    withDocuments({ program: new URL('nowhere.js', import.meta.url) }, async (documents) => {
      for (let i = 0; i < 2; i++) await assert.rejects(documents.check(body, client), { code: 'ERR_MODULE_NOT_FOUND' });
    }));
});
