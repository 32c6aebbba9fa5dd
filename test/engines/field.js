/**
 * The users of another site's page in an engine. Its driver makes it one that a program drives, which is counted apart from all others:
 * what it measured is what the page got.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHostPage } from '../support/host-page.js';

/**
 * @import { FieldRecord } from '../../core/field/record.js'
 * @import { useEngine } from './engines.js'
 */

const LOOK_MS = 50;
const LIMIT_MS = 60_000;

/** @param {ReturnType<typeof useEngine>} used */
export function describeField(used) {
  describe('the users of another site’s page', () => {
    /**
     * Visits a page that measures, and waits until its record is counted.
     * @param {string} study its label @param {string} [allowed] what the page may connect to
     * @returns {Promise<{ record: FieldRecord, faults: string[], counters: Map<string, number> }>} `faults`: of the page's scripts
     */
    async function visit(study, allowed) {
      const server = used.server();
      const script = `
        globalThis.faults = [];
        addEventListener('error', ({ message }) => faults.push(message));
        addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)));
        import('${server.origin}/field.js')
          .then(({ measureField }) => measureField({ study: '${study}', sample: '100%', delay: 0 }))
          .then((record) => (globalThis.record = JSON.stringify(record ?? null)));`;
      const host = await openHostPage({ site: server.origin, tag: '', script, allowed });
      const created = {
        label: study,
        origins: [host.origin],
        sample: 1,
        isOn: true,
        createdAt: '2026-11-22T00:00:00Z',
      };
      await server.store.createFieldStudy(created, new Uint8Array(32));
      const { page } = used.engine();
      try {
        await page.open(host.origin);
        const record = await until('a record', () => page.evaluate('globalThis.record'));
        const counters = await until('counters', async () => {
          const found = await server.store.readFieldCounts(study);
          return found.size > 0 ? found : undefined;
        });
        return { record: JSON.parse(record), faults: await page.evaluate('globalThis.faults'), counters };
      } finally {
        host.close();
      }
    }

    it('are measured under a strict policy, and counted apart', async () => {
      const { record, faults, counters } = await visit('strict');
      const { ending, socket, stream, blocks, isAutomated } = record;
      assert.deepEqual(
        { ending, socket, stream, isAutomated, blockCount: blocks.length },
        { ending: 'whole', socket: 'opened', stream: 'streamed', isAutomated: true, blockCount: 6 },
      );
      assert.ok(blocks.every(({ requestMs, socketMs }) => requestMs > 0 && Number(socketMs) > 0));
      assert.deepEqual([...counters], [['all apart=automated', 1]]);
      assert.deepEqual(faults, []);
    });

    it('get no WebSocket where the page’s policy blocks it, and are measured by requests alone', async () => {
      const { record, faults } = await visit('blocked', used.server().origin);
      const { ending, socket, stream, blocks } = record;
      assert.deepEqual(
        { ending, socket, stream, blockCount: blocks.length },
        { ending: 'whole', socket: 'failed', stream: 'streamed', blockCount: 6 },
      );
      assert.ok(blocks.every(({ requestMs, socketMs }) => requestMs > 0 && socketMs === undefined));
      assert.deepEqual(faults, []);
    });
  });
}

/**
 * @template T @param {string} what is waited for @param {() => Promise<T | null | undefined>} look @returns {Promise<T>}
 */
async function until(what, look) {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null) return found;
    assert.ok(performance.now() < endMs, `expected ${what}`);
    await sleep(LOOK_MS);
  }
}
