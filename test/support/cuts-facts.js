/** What holds of every run of cuts in which each of its kinds came once, whatever client made it. */
import assert from 'node:assert/strict';
import { summarize } from '../../core/experiments/cuts/summary.js';
import { problemOf } from '../../core/experiment/documents/problem.js';
import { cuts } from '../../core/experiments/cuts/index.js';

/** Methods that lose what comes until they are back, and such as do not; a poll may be repeated unknown to a page. */
const LOSING = ['ws', 'socketio'];
const DELIVERIES = ['poll', 'ws', 'ws-replay', 'socketio', 'events'];

export const KINDS = ['close', 'reset', 'stall', 'dead'];

/** @param {readonly string[]} kinds @returns {string} the query of a plan: each once, 2 s long, a quarter of a minute for each */
export const planOf = (kinds) => `cuts=${kinds}&seconds=2&blocks=1&seed=3&deliveries=${DELIVERIES}`;

/** @param {any} document */
export function assertCuts(document) {
  assert.equal(document.ending, undefined);
  assert.equal(problemOf(cuts, document), undefined);
  const { rows } = summarize(document);
  assert.equal(rows.length, document.plan.cuts.length * DELIVERIES.length);
  for (const { cut, delivery, figures, noticed } of rows) {
    const [{ sentCount, receivedCount, lostCount, doubledCount, backMs }] = figures;
    const where = `${cut}, ${delivery}`;
    assert.equal(sentCount, receivedCount + lostCount, where);
    assert.equal(doubledCount, 0, where);
    assert.notEqual(backMs, undefined, where);
    assert.equal(lostCount > 0, cut !== 'stall' && LOSING.includes(delivery), `${where}: ${lostCount} lost`);
    if (cut === 'stall') assert.equal(noticed, undefined, where);
    else if (delivery !== 'poll') assert.ok(noticed, where);
  }
}
