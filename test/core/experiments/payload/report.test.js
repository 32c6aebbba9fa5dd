import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PUBLISHED_SIZES, OFFERED_SIZES } from '../../../../core/experiments/payload/plan.js';
import { trialsOf } from '../../../../core/experiments/payload/trials.js';
import { formatSizes } from '../../../../core/experiments/payload/findings.js';
import { BEST_OF_NOTE, describeReading, report } from '../../../../core/experiments/payload/report.js';
import { summarizeSweep, summarizePublished } from '../../../../core/experiments/payload/summary.js';
import { reportOf } from '../../../../core/experiment/report.js';
import { cellsOf, headsOf } from '../../../../core/experiment/table.js';
import { runExperiment } from '../../../../core/experiment/run.js';
import { payload } from '../../../../core/experiments/payload/index.js';
import { DIGEST_LIMITS } from '../../../../core/experiment/documents/digest.js';
import { labelOfTransfer } from '../../../../core/net/labels.js';
import { createRandom } from '../../../../core/base/random.js';
import { useGolden } from '../../../support/golden.js';
import { createScriptedTransfer } from '../../../support/scripted-transfer.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/**
 * @import { PayloadTrial } from '../../../../core/experiments/payload/schema.js'
 * @import { PayloadPlan, PublishedPlan, Sweep } from '../../../../core/experiments/payload/plan.js'
 * @import { PlannedTrial } from '../../../../core/experiments/payload/trials.js'
 */

const matchGolden = useGolden(import.meta.url);

/** @type {Sweep} */
const PLAN = {
  transports: ['ajax', 'websocket-text'],
  directions: ['up'],
  sizes: OFFERED_SIZES,
  repeats: 6,
  seed: 1,
};

/** What a message takes: so many milliseconds at once, and so many bytes in each. @type {Record<string, [number, number]>} */
const LAWS = { ajax: [10, 10_000], 'websocket-text': [2, 2000], sockjs: [2, 1000], fetch: [8, 10_000] };

/** @param {{ transport: string, size: number }} trial */
const lawOf = ({ transport, size }) => LAWS[transport][0] + size / LAWS[transport][1];

/**
 * Skewed, as delays are: most are near to the law, a few far above.
 *
 * @param {() => number} random
 * @param {number} [spread]
 */
const noise = (random, spread = 0.05) => Math.exp(spread * (random() + random() + random() - 1.5 + 2 * random() ** 8));

/**
 * @param {PayloadPlan} plan
 * @param {(trial: PlannedTrial) => number | undefined} timeOf absent where it fails
 * @returns {PayloadTrial[]}
 */
function createTrials(plan, timeOf) {
  return trialsOf(plan).map((planned, index) => {
    const durationMs = timeOf(planned);
    const outcome =
      durationMs === undefined
        ? { failure: { outcome: /** @type {const} */ ('closed'), message: 'gone' } }
        : { durationMs };
    return {
      ...planned,
      protocol: planned.transport === 'ajax' ? 'h2' : 'websocket',
      startedAtMs: index * 1e5,
      ...outcome,
    };
  });
}

/** @param {Partial<Sweep>} [options] @param {(trial: PlannedTrial) => number} [factor] of the law's time */
function measured(options = {}, factor = undefined) {
  const random = createRandom(7);
  const plan = { ...PLAN, ...options };
  return { plan, trials: createTrials(plan, (trial) => lawOf(trial) * (factor?.(trial) ?? noise(random))) };
}

/** @param {{ plan: PayloadPlan, trials: PayloadTrial[] }} run */
const wordsOf = ({ plan, trials }) => {
  const { answer, sentences, notes = [] } = reportOf(payload, documentOf(plan, trials));
  return [
    ...(answer ? [answer] : []),
    ...sentences,
    ...notes.filter((note) => /^For (uploads|downloads|echoes)\b/.test(note)),
  ];
};

/** @param {string} text @returns {(name: string) => number} how often it has the name */
const countIn = (text) => (name) => text.split(name).length - 1;

const LETTERS = { faster: 'f', slower: 's', same: '=', unclear: '?' };

/**
 * @param {{ plan: Sweep, trials: PayloadTrial[], stepMs?: number }} run
 * @returns {string[]} for each direction and transport but the baseline, a letter at each size: f faster, s slower, = the
 *   same, ? unclear, a dot for no verdict
 */
const verdictsOf = ({ plan, trials, stepMs }) => {
  const rows = summarizeSweep(plan, trials, { stepMs }).filter(({ comparison }) => comparison);
  const keys = [...new Set(rows.map(({ direction, transport }) => `${direction} ${transport}`))];
  return keys.map((key) =>
    rows
      .filter(({ direction, transport }) => `${direction} ${transport}` === key)
      .map(({ comparison }) => (comparison?.verdict ? LETTERS[comparison.verdict] : '.'))
      .join(''),
  );
};

describe('the verdicts of a run over sizes', () => {
  it('change between the sizes that the law says, in a whole run', async (t) => {
    const time = createVirtualTime();
    const random = createRandom(3);
    // Checking each byte of larger messages takes long, and changes nothing.
    const plan = { ...PLAN, transports: ['ajax', 'websocket-text', 'sockjs'], sizes: OFFERED_SIZES.slice(0, 5) };
    const transfers = Object.fromEntries(
      plan.transports.map((name) => [
        name,
        createScriptedTransfer(time, {
          name,
          law: ({ bytes }) => lawOf({ transport: name, size: bytes }) * noise(random),
        }).transfer,
      ]),
    );
    const { trials } = await time.run(runExperiment(payload, { plan, transfers, now: time.now }));
    // 10 + n / 10,000 is 2 + n / 2000 for 20,000 bytes; 2 + n / 1000 for 8889.
    assert.deepEqual(verdictsOf({ plan, trials }), ['ffffs', 'fffss']);
    matchGolden(t, 'payload', wordsOf({ plan, trials }));
  });

  it('are of each direction by itself', (t) => {
    const run = measured({ directions: ['up', 'down'] }, ({ direction, transport }) =>
      direction === 'down' && transport === 'ajax' ? 100 : 1,
    );
    assert.deepEqual(verdictsOf(run), ['ffffsss', 'fffffff']);
    matchGolden(t, 'payload', wordsOf(run));
  });

  it('are "same" at each size within little noise', (t) => {
    const random = createRandom(5);
    const run = { plan: PLAN, trials: createTrials(PLAN, () => 10 * noise(random, 0.02)) };
    assert.deepEqual(verdictsOf(run), ['=======']);
    matchGolden(t, 'payload', wordsOf(run));
  });

  it('are summed up with each transport once, beside how many of them chance makes', (t) => {
    const random = createRandom(5);
    const options = { transports: ['ajax', 'websocket-text', 'sockjs', 'fetch'], sizes: [1, 500, 1_000_000] };
    const plan = { ...PLAN, ...options, directions: /** @type {const} */ (['up', 'down', 'echo']) };
    const trials = createTrials(plan, ({ transport, size, direction, block }) => {
      const isFast = transport === 'sockjs' && size < 1000 && direction !== 'down';
      // The other one is twice as fast, and less surely so.
      const isUnsure = transport === 'fetch' && size === 500 && direction === 'echo';
      const factor = isFast ? 0.8 : isUnsure ? (block % 2 ? 0.2 : 0.8) : 1;
      return factor * 10 * noise(random, transport === 'websocket-text' ? 1 : 0.02);
    });
    const words = wordsOf({ plan, trials });
    const [up, down, echo] = [
      ['???', 'ff=', '==='],
      ['???', '===', '==='],
      ['???', 'ff=', '=?='],
    ];
    assert.deepEqual(verdictsOf({ plan, trials }), [...up, ...down, ...echo]);
    // What is unclear at every size is not named.
    for (const text of words) assert.deepEqual(['WebSocket', 'SockJS', 'fetch'].map(countIn(text)), [0, 1, 1]);
    assert.equal(words.length, 1 + plan.directions.length);
    // Nine transports and directions, with an error of 5% each.
    const { notes = [] } = reportOf(payload, documentOf(plan, trials));
    assert.match(notes.join(' '), / 98\.3% .* 27 verdicts, about 0\.5 /);
    matchGolden(t, 'payload', words);
  });

  it('are not decided where they are unclear at each size', (t) => {
    const random = createRandom(11);
    const plan = { ...PLAN, directions: /** @type {const} */ (['up', 'down']) };
    const runOf = (/** @type {(trial: PlannedTrial) => boolean} */ isFast) => ({
      plan,
      trials: createTrials(plan, (trial) => (isFast(trial) ? 1 : 10) * noise(random, 0.5)),
    });
    const half = runOf(({ transport, direction }) => transport !== 'ajax' && direction === 'down');
    const none = runOf(() => false);
    assert.deepEqual([half, none].flatMap(verdictsOf), ['???????', 'fffffff', '???????', '???????']);
    matchGolden(t, 'payload', [half, none].flatMap(wordsOf));
  });

  it('have sentences of their own where they are too long for a headline, which names each transport once', (t) => {
    // At each second size a transport is faster, else slower; fetch is the same, or unclear where blocks differ.
    const options = { transports: ['ajax', 'fetch', 'websocket-text', 'websocket-binary', 'sockjs'] };
    const plan = { ...PLAN, ...options, directions: /** @type {const} */ (['up', 'down', 'echo']) };
    const trials = createTrials(plan, ({ transport, direction, size, block }) => {
      const at = plan.sizes.indexOf(size) + plan.directions.indexOf(direction);
      if (transport === 'ajax') return 10;
      if (transport === 'fetch') return at % 3 ? 10 + (block % 2) / 10 : 10 + 40 * (block % 2);
      return (at + plan.transports.indexOf(transport)) % 2 ? 2 : 50;
    });
    assert.deepEqual(verdictsOf({ plan, trials }).slice(0, 4), ['?==?==?', 'sfsfsfs', 'fsfsfsf', 'sfsfsfs']);
    const [answer, ...sentences] = wordsOf({ plan, trials });
    assert.ok(answer.length <= DIGEST_LIMITS.headline, answer);
    assert.deepEqual(plan.transports.slice(1).map(labelOfTransfer).map(countIn(answer)), [1, 1, 1, 1]);
    assert.deepEqual(
      sentences.map((sentence) => sentence.split(',')[0]),
      ['For uploads', 'For downloads', 'For echoes'],
    );
    matchGolden(t, 'payload', [answer, ...sentences]);
  });

  it('are hardly ever "faster" or "slower" of equal transports, within much noise', () => {
    // Its seed makes it the same each time.
    const random = createRandom(11);
    const runs = 400;
    let wrongCount = 0;
    for (let run = 0; run < runs; run++) {
      const trials = createTrials(PLAN, ({ size }) => (5 + size / 5000) * noise(random, 0.5));
      const [verdicts] = verdictsOf({ plan: PLAN, trials });
      if (/[fs]/.test(verdicts)) wrongCount++;
      if (run === 0) assert.equal(verdicts, '???????');
    }
    assert.ok(wrongCount <= 0.055 * runs, `${wrongCount} of ${runs}`);
  });

  it('are "no clear difference" where the faster one changes from block to block', (t) => {
    const run = measured({}, ({ size, block, transport }) =>
      size === 100_000 && transport === 'ajax' ? (block % 2 ? 1 : 10) : 1,
    );
    assert.deepEqual(verdictsOf(run), ['ffff?ss']);
    matchGolden(t, 'payload', wordsOf(run));
  });

  it('may change more than once', (t) => {
    const run = measured({}, ({ size, transport }) => (transport === 'ajax' && size === 10_000_000 ? 100 : 1));
    assert.deepEqual(verdictsOf(run), ['ffffssf']);
    matchGolden(t, 'payload', wordsOf(run));
  });

  it('are absent with too few blocks, or too coarse a clock', (t) => {
    const { plan, trials } = measured();
    const few = trials.map((trial) => {
      const { durationMs, ...others } = trial;
      return trial.block === 2 && trial.transport === 'ajax' && trial.size > 1
        ? { ...others, failure: { outcome: /** @type {const} */ ('timeout'), message: '' } }
        : { ...others, durationMs };
    });
    assert.deepEqual(verdictsOf({ plan, trials: few }), ['f......']);
    const words = wordsOf({ plan, trials: few });
    assert.ok(words.some((sentence) => sentence.startsWith('AJAX failed (6 timeout)')));
    // A message of 2 ms is shorter than 20 steps of 0.2 ms.
    assert.deepEqual(verdictsOf({ plan, trials, stepMs: 0.2 }), ['...fsss']);
    const still = { plan, trials: createTrials(PLAN, () => 0) };
    assert.deepEqual(verdictsOf(still), ['.......']);
    matchGolden(t, 'payload', [...words, ...wordsOf(still)]);
  });

  it('compare with fetch where there is no AJAX, and are absent without either', (t) => {
    const run = measured({ transports: ['fetch', 'websocket-text'] });
    assert.deepEqual(verdictsOf(run), ['ffffsss']);
    assert.match(headsOf(figuresOf(run.plan, run.trials)).join(), /Speed-up over fetch/);
    const sockets = measured({ transports: ['websocket-text', 'sockjs'] });
    assert.deepEqual(verdictsOf(sockets), []);
    matchGolden(t, 'payload', [...wordsOf(run), ...wordsOf(sockets)]);
  });

  it('need more certainty at each of several sizes, which share the error', () => {
    const verdictsAt = (/** @type {readonly number[]} */ sizes) => {
      const plan = { ...PLAN, sizes };
      // Logarithms of 0.15 on average, 0.1 to either side: 0.035 and more with 95%, below 0 with the 99.3% of seven sizes.
      const trials = createTrials(plan, ({ block, transport }) =>
        transport === 'ajax' ? 10 * Math.exp(0.15 + (block % 2 ? 0.1 : -0.1)) : 10,
      );
      return verdictsOf({ plan, trials });
    };
    assert.deepEqual(verdictsAt([1]), ['f']);
    assert.deepEqual(verdictsAt(OFFERED_SIZES), ['???????']);
  });
});

describe('new connections', () => {
  it('are compared with kept ones in a sentence, and have rows, but no part in the heat maps', (t) => {
    const plan = {
      ...PLAN,
      transports: ['ajax', 'websocket-text', 'sockjs'],
      connections: ['kept', 'new'],
      repeats: 7,
      sizes: [1, 1000],
    };
    const random = createRandom(7);
    // 2 and 3 times as long; a block in which a message failed does not count.
    const factors = /** @type {Record<string, number>} */ ({ 'ajax-new': 2, 'websocket-text-new': 3 });
    const trials = createTrials(plan, ({ transport, size, block }) => {
      const name = transport.replace('-new', '');
      const isLost = transport === 'websocket-text-new' && size === 1 && block === 0;
      return isLost ? undefined : lawOf({ transport: name, size }) * (factors[transport] ?? 1) * noise(random);
    });
    const { tables, sentences, answer } = reportOf(payload, documentOf(plan, trials));
    assert.deepEqual(headsOf(tables[0]), ['Size', 'WebSocket text', 'SockJS']);
    assert.equal(tables[tables.length - 1].rows.length, 2 * 5);
    const kept = trials.filter(({ transport }) => !transport.endsWith('-new'));
    assert.equal(answer, reportOf(payload, documentOf({ ...plan, connections: ['kept'] }, kept)).answer);
    matchGolden(t, 'payload', sentences);
  });
});

describe('the sizes of a sentence', () => {
  for (const [sizes, words] of /** @type {const} */ ([
    ['1234567', 'at every size'],
    ['123', 'up to 1 kB'],
    ['12', 'at 1 B and 500 B'],
    ['567', 'from 100 kB on'],
    ['67', 'at 1 MB and 10 MB'],
    ['345', 'from 1 kB to 100 kB'],
    ['1', 'at 1 B'],
    ['1357', 'at 1 B, 1 kB, 100 kB and 10 MB'],
  ])) {
    it(`are “${words}”`, () => {
      assert.equal(
        formatSizes(
          [...sizes].map((digit) => OFFERED_SIZES[Number(digit) - 1]),
          OFFERED_SIZES,
        ),
        words,
      );
    });
  }

  it('are one where the plan has one', () => assert.equal(formatSizes([1000], [1000]), 'at 1 kB'));
});

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
    assert.doesNotMatch(reading, /verdict/i);
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
    assert.equal(socket[7], '0.10 (0.01 to 1.41)');
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
    const column = figuresOf(plan, trials).columns.find(({ name }) => name === 'speed_ratio');
    assert.equal(column?.former?.name, 'time_ratio');
  });

  it('are short in a table of the smallest, and in one of the largest message', () => {
    const { plan, trials } = measured({ sizes: [1, 1000, 1_000_000] }, () => 1);
    const [, smallest, largest] = report(summarizeSweep(plan, trials), documentOf(plan, trials)).tables;
    assert.deepEqual(headsOf(smallest), ['Direction', 'AJAX', 'WebSocket text']);
    assert.match(String(smallest.heading), /^1 B, ms$/);
    assert.deepEqual(cellsOf(smallest), [['Upload', '10.0', '2.00']]);
    assert.match(String(largest.heading), /^1 MB, MB\/s$/);
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
    const markdown = payload.formatMarkdown(documentOf(plan, trials));
    assert.ok(markdown.startsWith('### SockShootout: Payload size\n\n'));
    assert.match(markdown, /^\| Upload \| 1 MB \| AJAX \| h2 \| 11\d.* \| \d+\.\d\d \| /m);
    assert.deepEqual(verdictsOf({ plan, trials }), ['fs']);
    assert.match(
      markdown,
      /^Plan: https:\/\/example.org\/payloadtest\?transports=ajax,websocket-text&directions=up&sizes=1,1000000&repeats=6&seed=1, /m,
    );
    for (const words of wordsOf({ plan, trials })) assert.ok(markdown.includes(words), words);
    assert.ok(markdown.includes(describeReading(plan)));
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
    assert.match(words[0], /^No verdict/);
    assert.match(words[1], / 25% /);
    assert.match(words[2], /^SockJS failed \(1 closed\)/);
    assert.doesNotMatch(words.join(' '), /faster|slower/);
    assert.equal(describeReading(plan), BEST_OF_NOTE);
    const markdown = payload.formatMarkdown(documentOf(plan, trials));
    assert.match(markdown, /^\| Upload \| 1 B \| AJAX \| h2 \| 8\.00 \| 10\.00 \| 0\.000125 \| 200 \| 0 \|$/m);
    for (const sentence of [...words, BEST_OF_NOTE]) assert.ok(markdown.includes(sentence), sentence);
    const nothing = createTrials(plan, () => undefined);
    matchGolden(t, 'payload', [...wordsOf({ plan, trials: nothing }), markdown]);
  });
});

/**
 * @param {PayloadPlan} plan
 * @param {PayloadTrial[]} trials
 */
function documentOf(plan, trials) {
  const environment = { url: 'https://example.org/payloadtest', userAgent: 'a|b', isCrossOriginIsolated: true };
  return { schema: payload.schema, startedAt: '2026-11-21T10:00:00.000Z', plan, environment, trials };
}

/** @param {PayloadPlan} plan @param {PayloadTrial[]} trials */
const tablesOf = (plan, trials) => reportOf(payload, documentOf(plan, trials)).tables;

/** @param {PayloadPlan} plan @param {PayloadTrial[]} trials */
const mapsOf = (plan, trials) => tablesOf(plan, trials).filter(({ heatMap }) => heatMap);

/** @param {PayloadPlan} plan @param {PayloadTrial[]} trials */
function figuresOf(plan, trials) {
  const table = tablesOf(plan, trials).find(({ isDetail }) => isDetail);
  assert.ok(table);
  return table;
}
