import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'node:test';
import { LIMITS } from '../../server/http/limits.js';
import { createDocuments } from '../../server/saved-runs/documents.js';
import { createShootout } from '../support/submissions.js';

/** @import { Limits } from '../../server/http/limits.js' */

const client = { address: '192.0.2.1', signal: new AbortController().signal };
/** As many samples as a document may have. */
const LARGE_PLAN = {
  transports: ['ajax', 'sockjs'],
  blocks: 100,
  iterations: 1000,
  warmUpCount: 0,
  payloadBytes: 0,
  seed: 1,
};
const body = Buffer.from(JSON.stringify({ document: createShootout() }));

/** @param {Partial<Limits>} limits @param {(documents: ReturnType<typeof createDocuments>) => Promise<void>} use */
async function withDocuments(limits, use) {
  // The thread does not keep a process alive.
  const alive = setInterval(() => {}, 60_000);
  const documents = createDocuments({ limits: { ...LIMITS, ...limits } });
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

  it('ends with a document that takes too long, which is refused, and starts again for the next', () =>
    withDocuments({ documentMs: 100 }, async (documents) => {
      const large = Buffer.from(JSON.stringify({ document: createShootout({ plan: LARGE_PLAN }) }));
      await untilChecked(documents);
      const tooLarge = { code: 'too-large', status: 413, message: /within 0\.1 s/ };
      await assert.rejects(documents.check(large, client), tooLarge);
      await untilChecked(documents);
    }));
});

/** The thread may take longer to start than the limit. @param {ReturnType<typeof createDocuments>} documents */
async function untilChecked(documents) {
  while (!(await documents.check(body, client).catch(() => undefined)));
}
