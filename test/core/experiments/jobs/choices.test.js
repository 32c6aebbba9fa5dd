import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tabulateChoices } from '../../../../core/full-test/choices-table.js';
import { listChoices } from '../../../../core/experiments/jobs/choices.js';
import { predictGain } from '../../../../core/experiments/jobs/summary.js';
import { cellsOf } from '../../../../core/experiment/report/table.js';
import { ASSUMED } from '../../../../core/net/delivery/model.js';
import { situationOf } from '../../../support/full-tests.js';
import { measureDocument, rowOf } from '../../../support/jobs-report.js';

const RTT_MS = 90;
const run = await measureDocument(
  { deliveries: ['poll', 'long-poll', 'sse'], users: 1, jobs: 4, maxMs: 1000, blocks: 6 },
  { roundTripMs: RTT_MS },
);
const [poll, sse, longPoll] = ['poll', 'sse', 'long-poll'].map((delivery) => rowOf(run, delivery));
const page = { ...situationOf(), rttMs: RTT_MS };

/** @param {typeof page} asked */
function choicesFor(asked) {
  const gained = (/** @type {typeof sse} */ row, /** @type {string} */ name) => ({
    row,
    method: { name, estimate: Number(predictGain(row, asked)?.estimate) },
  });
  return listChoices({ poll, others: [gained(sse, 'EventSource'), gained(longPoll, 'long polling')] }, asked);
}

/** @typedef {Partial<typeof page> & { isHere?: boolean, newsBy?: string | number }} Asked */

/** @param {Asked} [asked] */
function tabulate({ isHere = false, newsBy, ...situation } = {}) {
  const wanted = { ...page, ...situation };
  return tabulateChoices({ choices: choicesFor(wanted), assumed: ASSUMED }, { wanted, isHere, newsBy });
}

/** @param {Asked} [asked] */
const tableOf = (asked) => cellsOf(tabulate(asked));

/** @param {Parameters<typeof tableOf>[0]} asked @returns {Record<string, string>} whether each would do */
const markedIn = (asked) => Object.fromEntries(tableOf(asked).map(([name, would]) => [name, would]));

describe('which interval would do', () => {
  it('has the own interval, longer ones, conditional requests, and all that was measured besides', () => {
    const names = ['Polling every 1 s (now)', 'Polling every 5 s', 'Polling every 30 s'];
    const others = ['Conditional requests (ETag, 304)', 'EventSource', 'Long polling'];
    assert.deepEqual(
      tableOf().map(([name]) => name),
      [...names, ...others],
    );
    assert.deepEqual(
      tableOf({ intervalMs: 5000 }).map(([name]) => name),
      ['Polling every 5 s (now)', names[2], ...others],
    );
  });

  it('marks what is recommended and what else would do, also the interval that a visitor allows', () => {
    assert.deepEqual(markedIn({ lateMs: 10_000, newsBy: 1000 }), {
      'Polling every 1 s (now)': 'Recommended',
      'Polling every 5 s': 'Yes',
      'Polling every 10 s': 'Yes',
      'Polling every 30 s': 'No',
      'Conditional requests (ETag, 304)': 'Yes',
      EventSource: 'Yes',
      'Long polling': 'Yes',
    });
    const soonest = markedIn({ newsBy: 'sse' });
    assert.deepEqual([soonest['Polling every 1 s (now)'], soonest.EventSource], ['No', 'Recommended']);
  });

  it('marks the delays that were measured, where the users are, and those that are predicted', () => {
    const marked = (/** @type {boolean} */ isHere, /** @type {string} */ basis) =>
      tableOf({ isHere }).flatMap(([name, , delay]) => (delay.endsWith(`, ${basis}`) ? [name] : []));
    // That of long polling depends on how often there is news.
    assert.deepEqual(marked(true, 'measured'), ['EventSource']);
    assert.equal(marked(true, 'predicted').length, tableOf().length - 1);
    assert.equal(marked(false, 'predicted').length, tableOf().length);
  });

  it('says from when on news is soon enough, by what the visitor allows and what users notice', () => {
    assert.match(String(tabulate({ newsMattersMs: 300 }).note), /\b300 ms\b/);
    assert.doesNotMatch(String(tabulate({ lateMs: 0 }).note), /polls/);
    assert.match(String(tabulate({ lateMs: 10_000 }).note), /polls .*\b10 s\b.*\b100 ms\b/);
    // A limit that a delay of half a second meets.
    assert.equal(markedIn({ newsMattersMs: 600 })['Polling every 1 s (now)'], 'Yes');
  });

  it('predicts for nine in ten what a simulation has', () => {
    const [{ p90Ms }] = choicesFor(page);
    const period = page.intervalMs + RTT_MS;
    // News at even instants of a period is seen with the next answer.
    const delays = Array.from({ length: 1000 }, (_, i) => period - (i / 1000) * period + RTT_MS / 2);
    const share = delays.filter((ms) => ms <= p90Ms).length / delays.length;
    assert.ok(Math.abs(share - 0.9) < 0.002, String(share));
  });

  it('has rare news by long polling as soon as by push, and frequent news later', () => {
    const [rare, frequent] = [30_000, 100].map((newsMs) => choicesFor({ ...page, newsMs }).at(-1)?.meanMs);
    assert.ok(Math.abs(Number(rare) - RTT_MS / 2) < 1, String(rare));
    assert.ok(Number(frequent) > RTT_MS / 2 + 10, String(frequent));
  });
});
