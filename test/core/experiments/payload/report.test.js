import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PUBLISHED_SIZES, trialsOf, DEFAULT_SIZES } from '../../../../core/experiments/payload/plan.js';
import { BEST_OF_NOTE, summarizePublished } from '../../../../core/experiments/payload/published.js';
import {
  describeFraming,
  describePayload,
  describeReading,
  summarizeFraming,
  summarizePayload,
  report,
} from '../../../../core/experiments/payload/report.js';
import { describeContest, findContests, stretchesOf } from '../../../../core/experiments/payload/winner.js';
import { cellsOf, headsOf } from '../../../../core/experiment/table.js';
import { runExperiment } from '../../../../core/experiment/run.js';
import { payload } from '../../../../core/experiments/payload/index.js';
import { createRandom } from '../../../../core/base/random.js';
import { useGolden } from '../../../support/golden.js';
import { createScriptedTransfer } from '../../../support/scripted-transfer.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/**
 * @import { PayloadTrial } from '../../../../core/experiments/payload/measure.js'
 * @import { PayloadPlan, PlannedTrial, PublishedPlan, Sweep } from '../../../../core/experiments/payload/plan.js'
 * @import { Side } from '../../../../core/experiments/payload/winner.js'
 */

const matchGolden = useGolden(import.meta.url);

/** @type {Sweep} */
const PLAN = {
  transports: ['ajax', 'websocket-text'],
  directions: ['up'],
  sizes: DEFAULT_SIZES,
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

/** @param {{ plan: Sweep, trials: PayloadTrial[] }} run */
const wordsOf = ({ plan, trials }) => describePayload(plan, trials);

/** Who is ahead, as a letter. @type {Record<string, string>} */
const LETTERS = { ajax: 'a', fetch: 'f', 'websocket-text': 'w', sockjs: 'k' };

/** @param {Side} side */
function letterOf({ winner, isSame, isMeasured }) {
  if (winner !== undefined) return LETTERS[winner];
  if (!isMeasured) return 'm';
  return isSame ? 's' : 'u';
}

/**
 * @param {{ plan: Sweep, trials: PayloadTrial[] }} run
 * @returns {string[]} for each contest a letter at each size: who is ahead, s the same, u untold, m too little measured
 */
const findingsOf = ({ plan, trials }) => findContests(plan, trials).map(({ sides }) => sides.map(letterOf).join(''));

describe('where the winner changes', () => {
  it('is between the sizes that the law says, in a whole run', async (t) => {
    const time = createVirtualTime();
    const random = createRandom(3);
    // Larger ones take the check of each byte long, and change nothing.
    const plan = { ...PLAN, transports: ['ajax', 'websocket-text', 'sockjs'], sizes: DEFAULT_SIZES.slice(0, 5) };
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
    assert.deepEqual(findingsOf({ plan, trials }), ['wwwwa', 'kkkaa']);
    matchGolden(t, 'payload', describePayload(plan, trials).slice(0, 2));
  });

  it('is looked for in each direction by itself', (t) => {
    const { plan, trials } = measured({ directions: ['up', 'down'] }, ({ direction, transport }) =>
      direction === 'down' && transport === 'ajax' ? 100 : 1,
    );
    const [up, down] = findContests(plan, trials);
    assert.deepEqual(up.stretches, [
      { winner: 'websocket-text', sizes: [1, 500, 1000, 10_000], isGapless: true },
      { winner: 'ajax', sizes: [100_000, 1_000_000, 10_000_000], isGapless: true },
    ]);
    assert.deepEqual(down.stretches, [{ winner: 'websocket-text', sizes: [...DEFAULT_SIZES], isGapless: true }]);
    matchGolden(t, 'payload', wordsOf({ plan, trials }));
  });

  it('is nowhere where both are the same, within little noise', (t) => {
    const random = createRandom(5);
    const run = { plan: PLAN, trials: createTrials(PLAN, () => 10 * noise(random, 0.02)) };
    assert.deepEqual(findingsOf(run), ['sssssss']);
    matchGolden(t, 'payload', wordsOf(run));
  });

  it('is hardly ever seen where both are the same, within much noise', () => {
    // Its seed makes it the same each time.
    const random = createRandom(11);
    const runs = 400;
    let wrongCount = 0;
    let changeCount = 0;
    for (let run = 0; run < runs; run++) {
      const trials = createTrials(PLAN, ({ size }) => (5 + size / 5000) * noise(random, 0.5));
      const [{ stretches }] = findContests(PLAN, trials);
      if (stretches.length > 0) wrongCount++;
      if (stretches.length > 1) changeCount++;
      if (run === 0) assert.deepEqual(findingsOf({ plan: PLAN, trials }), ['uuuuuuu']);
    }
    assert.ok(wrongCount <= 0.055 * runs, `${wrongCount} of ${runs}`);
    assert.equal(changeCount, 0);
  });

  it('is not told where it is not sure', (t) => {
    // At 100 kB now this one is ahead, now that one.
    const run = measured({}, ({ size, block, transport }) =>
      size === 100_000 && transport === 'ajax' ? (block % 2 ? 1 : 10) : 1,
    );
    assert.deepEqual(findingsOf(run), ['wwwwuaa']);
    matchGolden(t, 'payload', wordsOf(run));
  });

  it('may be at more than one place, or open at an end', (t) => {
    const slow = measured({}, ({ size, transport }) => (transport === 'ajax' && size === 10_000_000 ? 100 : 1));
    assert.deepEqual(findingsOf(slow), ['wwwwaaw']);
    const { plan, trials } = measured();
    const same = trials.map((trial) =>
      trial.size >= 100_000 ? { ...trial, durationMs: 10 + (trial.block % 2) / 10 } : trial,
    );
    assert.deepEqual(findingsOf({ plan, trials: same }), ['wwwwsss']);
    matchGolden(t, 'payload', [...wordsOf(slow), ...wordsOf({ plan, trials: same })]);
  });

  it('is not told of too few blocks, or by too coarse a clock', (t) => {
    const { plan, trials } = measured();
    const few = trials.map((trial) => {
      const { durationMs, ...others } = trial;
      return trial.block === 2 && trial.transport === 'ajax' && trial.size > 1
        ? { ...others, failure: { outcome: /** @type {const} */ ('timeout'), message: '' } }
        : { ...others, durationMs };
    });
    assert.deepEqual(findingsOf({ plan, trials: few }), ['wmmmmmm']);
    const words = wordsOf({ plan, trials: few });
    assert.match(words[1], /^AJAX failed \(6 timeout\)/);
    // A message of 2 ms is no 20 steps of 0.2 ms.
    const [{ sides }] = findContests(plan, trials, { stepMs: 0.2 });
    assert.deepEqual(
      sides.map(({ isMeasured }) => isMeasured),
      [false, false, false, true, true, true, true],
    );
    const still = { plan, trials: createTrials(PLAN, () => 0) };
    assert.deepEqual(findingsOf(still), ['mmmmmmm']);
    matchGolden(t, 'payload', [...words, ...wordsOf(still)]);
  });

  it('is told against fetch where there is no AJAX, and not at all without either', (t) => {
    const run = measured({ transports: ['fetch', 'websocket-text'] });
    assert.deepEqual(
      findContests(run.plan, run.trials).map(({ baseline }) => baseline),
      ['fetch'],
    );
    assert.match(headsOf(tableOf(run.plan, run.trials)).join(), /as fast as fetch/);
    const sockets = measured({ transports: ['websocket-text', 'sockjs'] });
    assert.deepEqual(findingsOf(sockets), []);
    matchGolden(t, 'payload', [...wordsOf(run), wordsOf(sockets)[0]]);
  });
});

describe('the words on who is ahead', () => {
  /**
   * @param {string} found a letter for each size, as of {@link findingsOf}
   * @param {readonly number[]} [sizes]
   */
  const contestOf = (found, sizes = DEFAULT_SIZES) => {
    const nameOf = (/** @type {string} */ letter) => Object.keys(LETTERS).find((name) => LETTERS[name] === letter);
    const sides = [...found].map((letter, i) => ({
      size: sizes[i],
      winner: nameOf(letter),
      isSame: letter === 's',
      isMeasured: letter !== 'm',
    }));
    const direction = /** @type {const} */ ('up');
    return { direction, baseline: 'ajax', transport: 'websocket-text', sides, stretches: stretchesOf(sides) };
  };

  for (const [found, ...stretches] of [
    ['wwwwwww', 'wwwwwww'],
    ['sssssss'],
    ['uuuuuuu'],
    ['mmmmmmu'],
    ['ssssssu'],
    ['wuuwuuw', 'w..w..w'],
    ['wuuuuuu', 'w......'],
    ['wwwwuaa', 'wwww...', '.....aa'],
    ['wwwwsss', 'wwww...'],
    ['wsssssw', 'w......', '......w'],
    ['uwwuwwu', '.ww.ww.'],
    ['uwwsuua', '.ww....', '......a'],
  ]) {
    it(`are right of ${found}`, (t) => {
      const contest = contestOf(found);
      assert.deepEqual(
        contest.stretches.map(({ winner, sizes }) =>
          DEFAULT_SIZES.map((size) => (sizes.includes(size) ? LETTERS[winner] : '.')).join(''),
        ),
        stretches,
      );
      matchGolden(t, 'payload', describeContest(contest));
    });
  }

  it('say nothing of change where there is a single size', (t) => {
    const words = ['w', 'u', 's', 'm'].map((found) => describeContest(contestOf(found, [1000])));
    assert.doesNotMatch(words.join(), /change/);
    assert.doesNotMatch(describeReading({ ...PLAN, sizes: [1] }), /sizes|share/);
    matchGolden(t, 'payload', words);
  });

  it('set bytes against bytes where fetch is there', () => {
    const plan = { ...PLAN, transports: ['ajax', 'fetch', 'websocket-text', 'websocket-binary'] };
    const pairsOf = (/** @type {Sweep} */ of) =>
      findContests(of, []).map(({ baseline, transport }) => `${baseline} ${transport}`);
    assert.deepEqual(pairsOf(plan), ['ajax websocket-text', 'fetch websocket-binary']);
    assert.deepEqual(pairsOf({ ...plan, transports: ['ajax', 'websocket-binary'] }), ['ajax websocket-binary']);
  });
});

describe('the figures of a run over sizes', () => {
  it('have no interval below six blocks', () => {
    const transports = ['ajax', 'websocket-text', 'sockjs'];
    const { plan, trials } = measured({ transports, sizes: [1_000_000] });
    const figuresOf = (/** @type {number} */ blockCount) => {
      const own = trials.filter(({ block }) => block < blockCount);
      const [time, , rate, ratio] = cellsOf(tableOf(plan, own))[1].slice(4);
      return { cells: [time, rate, ratio], framing: summarizeFraming(plan, own) };
    };
    for (const blockCount of [1, 2, 5]) {
      const { cells, framing } = figuresOf(blockCount);
      for (const cell of cells) assert.match(cell, /^[\d.]+$/);
      assert.equal(framing[0].isSurelyLonger, false);
    }
    const { cells, framing } = figuresOf(6);
    for (const cell of cells) assert.match(cell, /^[\d.]+ \(.+\)$/);
    assert.equal(framing[0].isSurelyLonger, true);
    assert.equal(figuresOf(0).cells[0], '–');
  });

  it('have no column of ratios, nor a note on who is ahead, where nothing can be compared', (t) => {
    const reading = describeReading({ ...PLAN, transports: ['ajax'] });
    assert.doesNotMatch(reading, /ahead/i);
    for (const transports of [['ajax'], ['websocket-text', 'sockjs']]) {
      const { plan, trials } = measured({ transports });
      assert.doesNotMatch(headsOf(tableOf(plan, trials)).join(), /Times as fast/);
      assert.equal(describeReading(plan), reading);
    }
    matchGolden(t, 'payload', reading);
  });

  it('show no ratio as 0, however wide its interval is', () => {
    const plan = { ...PLAN, sizes: [1] };
    const trials = createTrials(plan, ({ block, transport }) => (transport === 'ajax' && block % 2 ? 100 : 1));
    const [, socket] = cellsOf(tableOf(plan, trials));
    // Of 1 and 100 in turn the geometric mean is 10; its interval, by t(5), is a factor of 14.1 to either side.
    assert.equal(socket[7], '10.0 (0.7 to 141.1)');
  });

  it('are the geometric mean with its interval, the rate of all bytes that moved, and the ratio by block', () => {
    // Of 1 and 4 the geometric mean is 2; in each block one is twice as fast as the other.
    const plan = { ...PLAN, directions: /** @type {const} */ (['up', 'echo']), sizes: [0, 1000] };
    const trials = createTrials(plan, ({ block, transport }) => (block % 2 ? 1 : 4) * (transport === 'ajax' ? 2 : 1));
    const rows = summarizePayload(plan, trials);
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
    const { speedRatio, word, blockCount } = /** @type {any} */ (socket.comparison);
    assert.deepEqual([round(speedRatio.estimate), round(speedRatio.low), word, blockCount], [2, 2, 'faster', 6]);
    assert.equal(ajax.comparison, undefined);
  });

  it('say what SockJS’s framing costs beside the WebSocket that carries it', (t) => {
    const { plan, trials } = measured({ transports: ['websocket-text', 'sockjs'], sizes: [1, 1_000_000] });
    const rows = summarizeFraming(plan, trials);
    assert.deepEqual(
      rows.map(({ size }) => size),
      [1, 1_000_000],
    );
    const [first, second] = rows.map(({ timeRatio: { low = NaN, high = NaN } }) => ({ low, high }));
    assert.ok(first.low < 1 && first.high > 1);
    // 2 + 1000 ms beside 2 + 500.
    assert.ok(second.low < 1002 / 502 && second.high > 1002 / 502 && second.low > 1.8);
    // Of 1 B it is not sure, so it is not named.
    assert.deepEqual(
      rows.map(({ isSurelyLonger }) => isSurelyLonger),
      [false, true],
    );
    const words = [...describeFraming(rows), ...describeFraming(rows.slice(0, 1))];
    assert.doesNotMatch(words.join(), /1 B/);
    matchGolden(t, 'payload', words);
    assert.deepEqual(summarizeFraming(PLAN, trials), []);
  });

  it('call SockJS surely longer only where the sizes, which share the doubt, allow it', () => {
    const areSurelyLonger = (/** @type {readonly number[]} */ sizes) => {
      const plan = { ...PLAN, transports: ['websocket-text', 'sockjs'], sizes };
      // Logarithms of 0.15 on average, 0.1 to either side: 0.035 and more with 95 %, below 0 with the 99.3 % of seven sizes.
      const trials = createTrials(plan, ({ block, transport }) =>
        transport === 'sockjs' ? 10 * Math.exp(0.15 + (block % 2 ? 0.1 : -0.1)) : 10,
      );
      return summarizeFraming(plan, trials).map(({ isSurelyLonger }) => isSurelyLonger);
    };
    assert.deepEqual(areSurelyLonger([1]), [true]);
    assert.deepEqual([...new Set(areSurelyLonger(DEFAULT_SIZES))], [false]);
  });

  it('stand in a table, and in Markdown', (t) => {
    const { plan, trials } = measured({ sizes: [1, 1_000_000] });
    const table = tableOf(plan, trials);
    assert.deepEqual(cellsOf(table)[1].slice(0, 4), ['Up', '1 B', 'WebSocket text', 'websocket']);
    assert.deepEqual(
      [3, 4].map((column) => Boolean(table.columns[column].isText)),
      [true, false],
    );
    const markdown = payload.formatMarkdown(documentOf(plan, trials));
    assert.ok(markdown.startsWith('### SockShootout: Payload size\n\n'));
    assert.match(markdown, /^\| Up \| 1 MB \| AJAX \| h2 \| 11\d.* \| \d+\.\d\d \| /m);
    assert.deepEqual(findingsOf({ plan, trials }), ['wa']);
    assert.match(
      markdown,
      /^Plan: http:\/\/127.0.0.1\/payloadtest\?transports=ajax,websocket-text&directions=up&sizes=1,1000000&repeats=6&seed=1, /m,
    );
    for (const words of wordsOf({ plan, trials })) assert.ok(markdown.includes(words.replace(/^Up, /, 'Up: ')), words);
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

  it('names no winner, and says what best-of hides', (t) => {
    const words = describePayload(plan, trials);
    assert.equal(words.length, 2);
    assert.match(words[0], /no winner .+ 25 % apart/);
    assert.match(words[1], /^SockJS failed \(1 closed\)/);
    assert.doesNotMatch(words.join(' '), /ahead|interval/);
    assert.equal(describeReading(plan), BEST_OF_NOTE);
    const markdown = payload.formatMarkdown(documentOf(plan, trials));
    assert.match(markdown, /^\| Up \| 1 B \| AJAX \| h2 \| 8\.00 \| 10\.00 \| 0\.000125 \| 200 \| 0 \|$/m);
    for (const sentence of [...words, BEST_OF_NOTE]) assert.ok(markdown.includes(sentence), sentence);
    const nothing = createTrials(plan, () => undefined);
    matchGolden(t, 'payload', [...describePayload(plan, nothing), markdown]);
  });
});

/**
 * @param {PayloadPlan} plan
 * @param {PayloadTrial[]} trials
 */
function documentOf(plan, trials) {
  const environment = { url: 'http://127.0.0.1/payloadtest', userAgent: 'a|b', isCrossOriginIsolated: true };
  return { schema: payload.schema, startedAt: '2026-11-21T10:00:00.000Z', plan, environment, trials };
}

/**
 * @param {PayloadPlan} plan
 * @param {PayloadTrial[]} trials
 */
function tableOf(plan, trials) {
  const document = documentOf(plan, trials);
  const [table] = report(payload.summarize(document), document).tables;
  return table;
}
