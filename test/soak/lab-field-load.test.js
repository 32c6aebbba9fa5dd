/** The lab's load of records at its smallest: it ends with figures, and finds what a site lost. What the figures say is for whoever runs it in full. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureFieldLoad } from '../../lab/field-load.js';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/** @import { Store } from '../../server/store/index.js' */

const COUNT = 60;
const LOAD = { count: COUNT, durationMs: 2000, addressCount: 100, seed: 1 };

/** @param {string} markdown @param {string} first cell of the row @returns {string[]} its other cells */
function cellsAt(markdown, first) {
  const line = markdown.split('\n').find((text) => text.startsWith(`| ${first} |`));
  assert.ok(line, `${first} in ${markdown}`);
  return line
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
}

/** @param {(store: Store) => void} [change] what the loaded site does with its store */
async function measure(change = () => {}) {
  const [site, idle] = await Promise.all([openServer({ env: { TRUST_PROXY: '1' } }), openServer()]);
  try {
    change(site.store);
    const sites = { baseUrl: site.origin, idleUrl: idle.origin };
    return await measureFieldLoad(sites, LOAD, { signal: new AbortController().signal });
  } finally {
    await Promise.all([site.close(), idle.close()]);
  }
}

describe('the load of records', { concurrency: true }, () => {
  it('finds each that was acknowledged in the counters, and asks as two other visitors meanwhile', async () => {
    const found = await measure();
    const { sentCount, acknowledgedCount, countedCount, lostCount, differingCount } = found;
    assert.deepEqual([sentCount, acknowledgedCount, countedCount], [COUNT, COUNT, COUNT]);
    assert.deepEqual([lostCount, differingCount], [0, 0]);
    for (const { echoes, pages } of [found.visitor, found.idleVisitor])
      for (const { sortedMs, failedCount } of [echoes, pages]) assert.deepEqual([sortedMs.length, failedCount], [2, 0]);
    assert.equal(found.records.sortedMs.length, COUNT);
    assert.ok(found.memory.every(({ rssBytes: [bytes, ...others] }) => bytes > 0 && others.length === 0));
  });

  it('finds what a site acknowledged and did not write, and counters of its own making', async () => {
    let isFirst = true;
    const found = await measure((store) => {
      const write = store.addFieldCounts;
      store.addFieldCounts = async (counted) => {
        if (!isFirst) return write(counted);
        isFirst = false;
        return write([{ label: 'load', counters: new Map([['browser=Opera count', 30]]) }]);
      };
    });
    assert.equal(found.acknowledgedCount, COUNT);
    assert.ok(found.lostCount > 0 && found.lostCount < COUNT, `${found.lostCount} lost`);
    assert.equal(found.countedCount, COUNT - found.lostCount);
    assert.ok(found.differingCount > 1);
  });

  it('counts no record that was refused, each of which waited as long as one without an answer', async () => {
    const found = await measure((store) => {
      store.addFieldCounts = () => Promise.reject(new Error('The disk is full'));
    });
    assert.deepEqual([found.acknowledgedCount, found.refusedCount, found.countedCount], [0, COUNT, 0]);
    assert.deepEqual([found.records.failedCount, found.records.sortedMs[0] >= 10_000], [COUNT, true]);
    assert.deepEqual([found.lostCount, found.differingCount], [0, 0]);
  });

  it('is a command of the lab, of two processes at PostgreSQL', async () => {
    const words = 'field-load --minutes 0.1 --per-minute 600 --database postgres --workers 2';
    const { code, out, err } = await runProgram('lab/index.js', words.split(' '));
    assert.equal(code, 0, err);
    assert.deepEqual(cellsAt(out, '60'), ['60', '0', '0', '60', '0', '0']);
    const [count, failed, ...waits] = cellsAt(out, 'Another visitor, echo');
    assert.deepEqual([count, failed], ['6', '0']);
    assert.ok(waits.length === 3 && waits.every((wait) => Number(wait) > 0), out);
    assert.match(cellsAt(out, 'end')[0], /^\d+ and \d+$/);
  });

  it('refuses a time and a database that it does not know', async () => {
    for (const [words, message] of /** @type {const} */ ([
      ['--minutes 0', /^--minutes: .*“0”\n$/],
      ['--database csv', /^--database: .*“csv”\n$/],
    ])) {
      const { code, err } = await runProgram('lab/index.js', ['field-load', ...words.split(' ')]);
      assert.equal(code, 2);
      assert.match(err, message);
    }
  });
});
