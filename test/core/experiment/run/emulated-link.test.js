import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as valibot from 'valibot';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import { formatMarkdown } from '../../../../core/experiment/report/report.js';
import { createDocumentCheck } from '../../../../core/experiments/all.js';
import { describeConditions, nameLink } from '../../../../core/experiment/run/emulated-link.js';
import { titleOf, titlesOf } from '../../../../core/experiment/run/names.js';
import { createShootout } from '../../../support/submissions.js';

const LINK = { kind: 'tun', rttMs: 230, ping: { count: 10, minMs: 230.4, meanMs: 230.6, maxMs: 231 } };
const check = createDocumentCheck(valibot);

/** @param {object} link @returns {any} a document */
function createRunOver(link) {
  const document = createShootout();
  return { ...document, environment: { ...document.environment, link } };
}

/** @param {object} link */
function createListed(link) {
  const { experiment, document } = check(createRunOver(link));
  const place = { name: 'Bonn' };
  return { id: 'x'.repeat(16), place, label: 'at home', digest: digestOf(experiment, document) };
}

describe('a run over an emulated link', () => {
  it('has that in its document', () => {
    const changes = [
      { afterMs: 1000, rttMs: 100 },
      {
        afterMs: 2000,
        rttMs: 90,
        rttUpMs: 60,
        jitterMs: 5,
        lossPercent: 1,
        mbitPerSecond: 5,
        mbitPerSecondUp: 1,
        queueMs: 90,
      },
    ];
    const server = { cpus: 0.125, memoryMib: 1024 };
    for (const link of [LINK, { ...LINK, ...server }, { ...LINK, kind: 'netem', rttUpMs: 200, changes }]) {
      assert.deepEqual(check(createRunOver(link)).document.environment.link, link);
    }
  });

  for (const [name, link] of Object.entries({
    'no ping': { kind: 'tun', rttMs: 230 },
    'an unknown kind': { ...LINK, kind: 'wire' },
    'an unknown field': { ...LINK, colour: 'red' },
    'a round trip of minutes': { ...LINK, rttMs: 100_000 },
    'no number': { ...LINK, lossPercent: null },
    'more than all lost': { ...LINK, lossPercent: 101 },
    'a rate of 0': { ...LINK, mbitPerSecond: 0 },
    'a queue without a rate': { ...LINK, queueMs: 100 },
    'a queue of no time': { ...LINK, mbitPerSecond: 5, queueMs: 0 },
    'no CPU time': { ...LINK, cpus: 0 },
    'more towards the server than the round trip': { ...LINK, rttUpMs: 231 },
    'more jitter than the round trip': { ...LINK, changes: [{ afterMs: 1, rttMs: 5, jitterMs: 6 }] },
    'changes in another order': { ...LINK, changes: [2, 1].map((afterMs) => ({ afterMs, rttMs: 5 })) },
    'many changes': { ...LINK, changes: Array.from({ length: 101 }, (_, afterMs) => ({ afterMs, rttMs: 5 })) },
    'a mean below the smallest': { ...LINK, ping: { ...LINK.ping, meanMs: 230 } },
    'half a ping': { ...LINK, ping: { ...LINK.ping, count: 0.5 } },
  })) {
    it(`is refused with ${name}`, () => {
      assert.throws(() => check(createRunOver(link)), { name: 'InvalidInputError', path: /^environment\.link/ });
    });
  }

  it('has the title of its link, not that of the machine', () => {
    const run = createListed(LINK);
    assert.equal(titleOf({ ...run, place: undefined }), 'emulated, 230 ms');
    assert.equal(titleOf(run), 'emulated, 230 ms (Bonn)');
    const changing = createListed({ ...LINK, changes: [{ afterMs: 1, rttMs: 100 }] });
    assert.equal(titleOf({ ...changing, place: undefined }), 'emulated, 230 ms, then 100 ms');
    assert.deepEqual(titlesOf([run, changing, run]), [
      'emulated, 230 ms (Bonn) (run 1)',
      'emulated, 230 ms, then 100 ms (Bonn)',
      'emulated, 230 ms (Bonn) (run 3)',
    ]);
  });

  it('has a title that counts changes where there are more than two', () => {
    const changes = Array.from({ length: 8 }, (_, i) => ({ afterMs: i, rttMs: 9999 + (i % 2) }));
    const limits = { cpus: 0.125, memoryMib: 1024 };
    assert.equal(nameLink({ rttMs: 10_000, changes }), 'emulated, 10000 ms, then 8 changes');
    const longest = nameLink({ rttMs: 10_000, changes: changes.slice(0, 2), ...limits });
    assert.match(longest, /then 9999 ms, then 10000 ms, server with 0\.125 CPUs/);
    assert.ok(longest.length <= 100, longest);
  });

  it('says its conditions in its report', () => {
    const { experiment, document } = check(createRunOver(LINK));
    assert.match(formatMarkdown(experiment, document), /230 ms round trip/);
  });
});

describe('the conditions of a link', () => {
  it('are told for both directions, and for each change', () => {
    const changes = [{ afterMs: 30_000, rttMs: 100 }];
    const text = describeConditions({
      rttMs: 230,
      rttUpMs: 180,
      lossPercent: 1,
      mbitPerSecondUp: 1,
      queueMs: 90,
      changes,
    });
    for (const part of ['230 ms', '180 ms', '1%', '1 Mbit/s to the server', 'queue of 90 ms', 'after 30 s 100 ms']) {
      assert.ok(text.includes(part), text);
    }
  });
});
