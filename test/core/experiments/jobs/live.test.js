/** What a page shows of polling or push while it measures. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { SITUATION_FIELDS } from '../../../../core/experiment/plan/situation.js';
import { measureDocument } from '../../../support/jobs-report.js';

const RTT_MS = 90;
const MEASURED_MS = 500;

/** @param {object} [plan] */
const measure = (plan) =>
  measureDocument(
    { deliveries: ['poll', 'sse', 'sockjs'], users: 1, jobs: 4, maxMs: 1000, blocks: 6, ...plan },
    { roundTripMs: RTT_MS },
  );

/** @param {number} intervalMs @returns {any} */
const polling = (intervalMs) => ({
  ...Object.fromEntries(Object.entries(SITUATION_FIELDS).map(([name, field]) => [name, field.default])),
  intervalMs,
  considers: 'sockjs',
});

/**
 * Counts how often the times of its jobs are read.
 * @template {{ notified: any }} T @param {T} trial @param {() => void} onRead @returns {T}
 */
function watchReads({ notified, ...trial }, onRead) {
  /** @param {any[]} list */
  const watched = (list) =>
    new Proxy(list, {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) onRead();
        return Reflect.get(target, name);
      },
    });
  const lists = Object.fromEntries(Object.entries(notified).map(([name, list]) => [name, watched(list)]));
  return /** @type {T} */ ({ ...trial, notified: lists });
}

describe('a run of jobs while it goes on', () => {
  it('has polling above push, and nothing before its first trial', async () => {
    const { plan } = await measure();
    const { lanes, play } = jobs.live({ plan, trials: [] });
    assert.deepEqual(
      lanes.map(({ label, about, typicalMs, exchanges }) => [label, about, typicalMs, exchanges.length]),
      [
        ['Polling', 'every 500 ms', undefined, 0],
        ['Push', 'SockJS', undefined, 0],
      ],
    );
    assert.equal(play?.endMs, 0);
  });

  it('has a method that is no push where the plan has none', async () => {
    const { plan, trials } = await measure({ deliveries: ['poll', 'sse'] });
    assert.deepEqual(
      jobs.live({ plan, trials }).lanes.map(({ label }) => label),
      ['Polling', 'EventSource'],
    );
  });

  it('shows the delays as measured where the page polls at the same interval', async () => {
    const { plan, trials } = await measure();
    const { lanes, spanMs } = jobs.live({ plan, trials });
    const [poll, push] = lanes.map(({ typicalMs }) => Number(typicalMs));
    assert.equal(spanMs, 10 * MEASURED_MS);
    assert.ok(Math.abs(push - RTT_MS / 2) < 5, `${push} ms`);
    const periodMs = MEASURED_MS + RTT_MS;
    assert.ok(poll > RTT_MS / 2 + periodMs / 4 && poll < RTT_MS / 2 + (3 * periodMs) / 4, `${poll} ms`);
  });

  it('converts them to the visitor’s interval: polling is later by half of what a period is longer', async () => {
    const { plan, trials } = await measure();
    const [poll, push] = jobs.live({ plan, trials }).lanes.map(({ typicalMs }) => Number(typicalMs));
    const asked = jobs.live({ plan, trials, situation: polling(2000), roundTripMs: RTT_MS });
    const [latePoll, samePush] = asked.lanes.map(({ typicalMs }) => Number(typicalMs));
    assert.ok(Math.abs(latePoll - poll - (2000 - MEASURED_MS) / 2) < 1, `${latePoll} ms`);
    assert.ok(Math.abs(samePush - push) < 1);
    assert.match(asked.note, /\b500 ms\b.*converted/);
    assert.equal(asked.play?.speed, 2);
  });

  it('lets users see news with the poll that found it, and by push half a round trip after the server had it', async () => {
    const { plan, trials } = await measure();
    const { lanes } = jobs.live({ plan, trials, situation: polling(1000), roundTripMs: RTT_MS });
    const [{ exchanges, poll }, push] = lanes;
    assert.ok(exchanges.length > 0 && exchanges.length === push.exchanges.length);
    const periodMs = Number(poll?.periodMs);
    assert.equal(periodMs, 1000 + RTT_MS);
    for (const [i, { beginsMs, endsMs, poll: number = NaN }] of exchanges.entries()) {
      const pollMs = number * periodMs;
      assert.ok(beginsMs <= pollMs && beginsMs >= pollMs - periodMs, `${beginsMs} before ${pollMs}`);
      assert.ok(Math.abs(endsMs - pollMs - RTT_MS / 2) < 20, `${endsMs} after ${pollMs}`);
      assert.equal(push.exchanges[i].beginsMs, beginsMs);
      assert.ok(push.exchanges[i].endsMs - beginsMs < RTT_MS);
    }
  });

  it('shows news only after they were measured, and leaves those of earlier blocks where they are', async () => {
    const { plan, trials } = await measure();
    const seen = (/** @type {number} */ count) =>
      jobs.live({ plan, trials: trials.slice(0, count), situation: polling(1000), roundTripMs: RTT_MS });
    const [half, whole] = [seen(9), seen(18)];
    assert.ok(half.lanes[0].exchanges.length > 0);
    assert.deepEqual(whole.lanes[0].exchanges.slice(0, half.lanes[0].exchanges.length), half.lanes[0].exchanges);
    const added = whole.lanes[0].exchanges.slice(half.lanes[0].exchanges.length);
    assert.ok(added.length > 0);
    for (const { beginsMs } of added) assert.ok(beginsMs >= Number(half.play?.endMs), `${beginsMs}`);
  });

  it('has at most two news at a poll', async () => {
    const { plan, trials } = await measure({ jobs: 40 });
    /** @type {Map<number | undefined, number>} */
    const counts = new Map();
    for (const { poll } of jobs.live({ plan, trials }).lanes[0].exchanges)
      counts.set(poll, (counts.get(poll) ?? 0) + 1);
    assert.ok(counts.size > 1);
    assert.ok(Math.max(...counts.values()) <= 2);
  });

  it('reads the jobs of a trial for the first picture that shows it, and not again', async () => {
    const { plan, trials } = await measure({ users: 10, jobs: 20, blocks: 4 });
    let readCount = 0;
    const watched = trials.map((trial) => watchReads(trial, () => readCount++));
    const readsFor = (/** @type {number} */ count) => {
      readCount = 0;
      jobs.live({ plan, trials: watched.slice(0, count), situation: polling(1000), roundTripMs: RTT_MS });
      return readCount;
    };
    const methodCount = 3;
    const first = readsFor(methodCount);
    const again = readsFor(methodCount);
    // Only the first block is asked for its soonest answer.
    assert.ok(again < first / 2, `${again} of ${first}`);
    readsFor(3 * methodCount);
    assert.equal(readsFor(3 * methodCount), again);
  });

  it('shows as many jobs as a plan may have', async () => {
    const { plan, trials } = await measure({ jobs: 20, blocks: 1 });
    const MAX_JOBS = 10_000;
    const grown = trials.map(({ notified, ...trial }) => {
      const copies = MAX_JOBS / notified.job.length;
      const times = Object.entries(notified).map(([name, list]) => [name, Array(copies).fill(list).flat()]);
      const job = Array.from({ length: MAX_JOBS }, (_, i) => i);
      return /** @type {typeof trials[number]} */ ({ ...trial, notified: { ...Object.fromEntries(times), job } });
    });
    // Other methods, of which a plan may have many.
    const others = Array.from({ length: 18 }, (_, i) => ({ ...grown[1], intervalMs: i }));
    const { lanes, note } = jobs.live({ plan, trials: [...grown, ...others] });
    assert.match(note, new RegExp(`\\b${MAX_JOBS}\\b`));
    for (const { typicalMs, exchanges } of lanes) assert.ok(Number(typicalMs) > 0 && exchanges.length > 0);
  });
});
