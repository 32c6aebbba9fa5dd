import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PUBLISHED_SIZES } from '../../../../core/experiments/payload/plan.js';
import { BEST_OF_NOTE, describeReading, report } from '../../../../core/experiments/payload/report.js';
import { summarizeSweep, summarizePublished } from '../../../../core/experiments/payload/summary.js';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { formatMarkdown } from '../../../../core/experiment/report/report.js';
import { cellsOf, headsOf } from '../../../../core/experiment/report/table.js';
import { payload } from '../../../../core/experiments/payload/index.js';
import { useGolden } from '../../../support/golden.js';
import {
  PLAN,
  lawOf,
  createTrials,
  measured,
  wordsOf,
  verdictsOf,
  documentOf,
  mapsOf,
  figuresOf,
} from '../../../support/measured-sizes.js';

/**
 * @import { PublishedPlan } from '../../../../core/experiments/payload/plan.js'
 */

const matchGolden = useGolden(import.meta.url);

describe('the heat maps', () => {
  it('have a table for each direction, with a factor only where a transport is faster or slower', () => {
    const run = measured({ directions: ['up', 'echo'], sizes: [1, 1_000_000] }, ({ direction }) =>
      direction === 'echo' ? 10 : 1,
    );
    const trials = run.trials.map((trial) =>
      trial.direction === 'echo' ? { ...trial, durationMs: 10 + (trial.block % 2) / 10 } : trial,
    );
    const [up, echo] = mapsOf(run.plan, trials);
    assert.equal(up.heading, 'Upload: speed-up over AJAX');
    assert.deepEqual(headsOf(up), ['Size', 'WebSocket text']);
    assert.deepEqual(cellsOf(up), [
      ['1 B', '5.0x'],
      ['1 MB', '0.22x'],
    ]);
    assert.deepEqual(cellsOf(echo), [
      ['1 B', 'same within 10%'],
      ['1 MB', 'same within 10%'],
    ]);
    assert.deepEqual(
      [up, echo].map(({ columns, rows }) => rows.map((row) => columns[1].mark?.(row)?.verdict)),
      [
        ['faster', 'slower'],
        ['same', 'same'],
      ],
    );
  });

  it('have times where there is nothing to compare with, and no marks', () => {
    const { plan, trials } = measured({ transports: ['ajax'], sizes: [1] }, () => 1);
    const [map] = mapsOf(plan, trials);
    assert.deepEqual(cellsOf(map), [['1 B', '10.0']]);
    assert.equal(map.columns[1].mark, undefined);
  });
});

describe('the figures of a run over sizes', () => {
  it('have no interval below six blocks', () => {
    const { plan, trials } = measured({ sizes: [1_000_000] });
    const cellsAt = (/** @type {number} */ blockCount) => {
      const own = trials.filter(({ block }) => block < blockCount);
      const [time, , rate, ratio] = cellsOf(figuresOf(plan, own))[1].slice(4);
      return [time, rate, ratio];
    };
    for (const blockCount of [1, 2, 5]) for (const cell of cellsAt(blockCount)) assert.match(cell, /^[\d.]+$/);
    for (const cell of cellsAt(6)) assert.match(cell, /^[\d.]+ \(.+\)$/);
    assert.equal(cellsAt(0)[0], '–');
  });

  it('have no columns of comparison, nor a note on them, where nothing can be compared', (t) => {
    const reading = describeReading({ ...PLAN, transports: ['ajax'] });
    for (const transports of [['ajax'], ['websocket-text', 'sockjs']]) {
      const { plan, trials } = measured({ transports });
      assert.doesNotMatch(headsOf(figuresOf(plan, trials)).join(), /Speed-up|Verdict/);
      assert.equal(describeReading(plan), reading);
    }
    matchGolden(t, 'payload', reading);
  });

  it('are of the sizes within the budget, and the notes name the others', () => {
    const { plan, trials } = measured({ sizes: [1, 1000, 1_000_000], budget: 1 });
    const { notes, tables } = reportOf(payload, documentOf(plan, trials));
    assert.equal(notes?.[0], '1 MB left out: it would exceed the budget of 1 MB.');
    assert.equal(tables[0].rows.length, 2);
  });

  it('show no ratio as 0, however wide its interval is', () => {
    const plan = { ...PLAN, sizes: [1] };
    const trials = createTrials(plan, ({ block, transport }) => (transport !== 'ajax' && block % 2 ? 100 : 1));
    const [, socket] = cellsOf(figuresOf(plan, trials));
    // Of 1 and 100 in turn the geometric mean is 10; its interval, by t(5), is a factor of 14.1 to either side.
    assert.equal(socket[7], '0.10 (0.0071 to 1.4)');
  });

  it('are the geometric mean with its interval, the rate of all bytes that moved, and the ratio by block', () => {
    // Of 1 and 4 the geometric mean is 2; in each block one is twice as fast as the other.
    const plan = { ...PLAN, directions: /** @type {const} */ (['up', 'echo']), sizes: [0, 1000] };
    const trials = createTrials(plan, ({ block, transport }) => (block % 2 ? 1 : 4) * (transport === 'ajax' ? 2 : 1));
    const rows = summarizeSweep(plan, trials);
    assert.deepEqual(rows.map(({ direction, size, transport }) => `${direction} ${size} ${transport}`).slice(0, 5), [
      'up 0 ajax',
      'up 0 websocket-text',
      'up 1000 ajax',
      'up 1000 websocket-text',
      'echo 0 ajax',
    ]);
    const [, , ajax, socket] = rows;
    const round = (/** @type {number | undefined} */ value) => Math.round(1e6 * Number(value)) / 1e6;
    assert.deepEqual([round(ajax.timeMs?.estimate), round(socket.timeMs?.estimate), ajax.p50Ms], [4, 2, 5]);
    // Of ln 1 and ln 4, three times each: the standard error is ln 2 sqrt(6 / 5) / sqrt(6), t(5) = 2.570582.
    const reach = (2.570582 * Math.LN2) / Math.sqrt(5);
    assert.ok(Math.abs(Math.log(Number(socket.timeMs?.high) / 2) - reach) < 1e-6);
    // 1000 bytes in 2 ms.
    assert.equal(round(socket.megabytesPerSecond?.estimate), 0.5);
    assert.equal(round(socket.megabytesPerSecond?.low), round(0.5 * Math.exp(-reach)));
    assert.equal(round(rows[7].megabytesPerSecond?.estimate), 1);
    assert.equal(rows[0].megabytesPerSecond, undefined);
    const { speedRatio, verdict } = /** @type {any} */ (socket.comparison);
    assert.deepEqual([round(speedRatio.estimate), round(speedRatio.high), verdict], [2, 2, 'faster']);
    assert.equal(ajax.comparison, undefined);
  });

  it('are short in a table of the smallest, and in one of the largest message', () => {
    const { plan, trials } = measured({ sizes: [1, 1000, 1_000_000] }, () => 1);
    const [, smallest, largest] = report(summarizeSweep(plan, trials), documentOf(plan, trials)).tables;
    assert.deepEqual(headsOf(smallest), ['Direction', 'AJAX', 'WebSocket text']);
    assert.match(String(smallest.heading), /^1 B: time per message, in ms$/);
    assert.deepEqual(cellsOf(smallest), [['Upload', '10.0', '2.00']]);
    assert.match(String(largest.heading), /^1 MB: throughput, in MB\/s$/);
    assert.deepEqual(cellsOf(largest), [['Upload', '9.09', '1.99']]);
  });

  it('stand in a table, and in Markdown', (t) => {
    const { plan, trials } = measured({ sizes: [1, 1_000_000] });
    const table = figuresOf(plan, trials);
    assert.deepEqual(cellsOf(table)[1].slice(0, 4), ['Upload', '1 B', 'WebSocket text', 'websocket']);
    assert.deepEqual(
      [3, 4].map((column) => Boolean(table.columns[column].isText)),
      [true, false],
    );
    const markdown = formatMarkdown(payload, documentOf(plan, trials));
    assert.deepEqual(verdictsOf({ plan, trials }), ['fs']);
    matchGolden(t, 'payload', markdown);
  });
});

describe('a run as published', () => {
  /** @type {PublishedPlan} */
  const plan = { preset: 'published', transports: ['ajax', 'sockjs'], directions: ['up'], sizes: PUBLISHED_SIZES };
  const trials = createTrials(plan, ({ block, transport, size }) => {
    if (transport === 'sockjs' && size === 1_000_000 && block === 1) return undefined;
    return lawOf({ transport, size }) * (block === 1 ? 0.8 : 1);
  });

  it('has both passes, and of them the better one beside the other, without an interval', () => {
    const rows = summarizePublished(plan, trials);
    const [first] = rows;
    assert.deepEqual([first.sampleCount, first.passMs.length], [200, 2]);
    assert.ok(Math.abs(Number(first.betterMs) - 8) < 0.001 && Math.abs(Number(first.otherMs) - 10) < 0.001);
    assert.ok(Math.abs(Number(first.apartPercent) - 25) < 0.001);
    const broken = rows.find(({ transport, size }) => transport === 'sockjs' && size === 1_000_000);
    assert.deepEqual(
      [broken?.betterMs, broken?.megabytesPerSecond, broken?.failures.length],
      [undefined, undefined, 1],
    );
    assert.equal(broken?.passMs[1], undefined);
    const largest = rows[rows.length - 1];
    // 10 MB in 0.8 of 10,002 ms.
    assert.ok(Math.abs(Number(largest.megabytesPerSecond) - 10_000 / (0.8 * 10_002)) < 1e-9);
  });

  it('has no verdict, and says what is wrong with the better of two', (t) => {
    const words = wordsOf({ plan, trials });
    assert.equal(words.length, 3);
    assert.equal(describeReading(plan), BEST_OF_NOTE);
    const markdown = formatMarkdown(payload, documentOf(plan, trials));
    for (const sentence of [...words, BEST_OF_NOTE]) assert.ok(markdown.includes(sentence), sentence);
    const nothing = createTrials(plan, () => undefined);
    matchGolden(t, 'payload', [...wordsOf({ plan, trials: nothing }), markdown]);
  });
});
