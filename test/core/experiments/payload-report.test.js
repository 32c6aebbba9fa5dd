import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PUBLISHED_SIZES, trialsOf, USUAL_SIZES } from '../../../core/experiments/payload-plan.js';
import { BEST_OF_NOTE, summarizePublished } from '../../../core/experiments/payload-published.js';
import {
  describeFraming,
  describePayload,
  describeReading,
  formatPayloadMarkdown,
  summarizeFraming,
  summarizePayload,
  tabulatePayload,
} from '../../../core/experiments/payload-report.js';
import { describeContest, findContests, stretchesOf } from '../../../core/experiments/payload-winner.js';
import { measurePayload, SCHEMA } from '../../../core/experiments/payload.js';
import { createRandom } from '../../../core/random.js';
import { createScriptedCarrier } from '../../support/scripted-carrier.js';
import { createVirtualTime } from '../../support/virtual-time.js';

/**
 * @typedef {import('../../../core/experiments/payload-plan.js').Sweep} Sweep
 * @typedef {import('../../../core/experiments/payload-plan.js').PlannedTrial} PlannedTrial
 * @typedef {import('../../../core/experiments/payload.js').PayloadTrial} PayloadTrial
 */

/** @type {Sweep} */
const PLAN = {
  transports: ['ajax', 'websocket-text'],
  directions: ['up'],
  sizes: USUAL_SIZES,
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
 * @param {import('../../../core/experiments/payload-plan.js').PayloadPlan} plan
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

describe('where the winner changes', () => {
  it('is between the sizes that the law says, in a whole run', async () => {
    const time = createVirtualTime();
    const random = createRandom(3);
    // Larger ones take the check of each byte long, and change nothing.
    const plan = { ...PLAN, transports: ['ajax', 'websocket-text', 'sockjs'], sizes: USUAL_SIZES.slice(0, 5) };
    const carriers = Object.fromEntries(
      plan.transports.map((name) => [
        name,
        createScriptedCarrier(time, {
          name,
          law: ({ bytes }) => lawOf({ transport: name, size: bytes }) * noise(random),
        }).carrier,
      ]),
    );
    const { trials } = await time.run(measurePayload({ plan, carriers, now: time.now }));
    // 10 + n / 10,000 is 2 + n / 2000 for 20,000 bytes; 2 + n / 1000 for 8889.
    assert.deepEqual(describePayload(plan, trials).slice(0, 2), [
      'Up, AJAX against WebSocket text: WebSocket text is ahead up to 10 kB, AJAX at 100 kB: the winner changes between 10 kB and 100 kB.',
      'Up, AJAX against SockJS: SockJS is ahead up to 1 kB, AJAX from 10 kB on: the winner changes between 1 kB and 10 kB.',
    ]);
  });

  it('is looked for in each direction by itself', () => {
    const { plan, trials } = measured({ directions: ['up', 'down'] }, ({ direction, transport }) =>
      direction === 'down' && transport === 'ajax' ? 100 : 1,
    );
    const [up, down] = findContests(plan, trials);
    assert.deepEqual(up.stretches, [
      { winner: 'websocket-text', sizes: [1, 500, 1000, 10_000], isGapless: true },
      { winner: 'ajax', sizes: [100_000, 1_000_000, 10_000_000], isGapless: true },
    ]);
    assert.deepEqual(down.stretches, [{ winner: 'websocket-text', sizes: [...USUAL_SIZES], isGapless: true }]);
    assert.equal(
      wordsOf({ plan, trials })[1],
      'Down, AJAX against WebSocket text: WebSocket text is ahead from the smallest size to the largest; no change up to 10 MB.',
    );
  });

  it('is nowhere where both are the same, within little noise', () => {
    const random = createRandom(5);
    const trials = createTrials(PLAN, () => 10 * noise(random, 0.02));
    assert.deepEqual(wordsOf({ plan: PLAN, trials }), [
      'Up, AJAX against WebSocket text: no change up to 10 MB; the same within 10 % at every size.',
    ]);
  });

  it('is hardly ever seen where both are the same, within much noise', () => {
    const random = createRandom(11);
    const runs = 400;
    let wrongCount = 0;
    let changeCount = 0;
    for (let run = 0; run < runs; run++) {
      const trials = createTrials(PLAN, ({ size }) => (5 + size / 5000) * noise(random, 0.5));
      const [{ stretches }] = findContests(PLAN, trials);
      if (stretches.length > 0) wrongCount++;
      if (stretches.length > 1) changeCount++;
      if (run === 0)
        assert.equal(wordsOf({ plan: PLAN, trials })[0], 'Up, AJAX against WebSocket text: cannot tell at any size.');
    }
    assert.ok(wrongCount <= 0.055 * runs, `${wrongCount} of ${runs} runs call one of them ahead`);
    assert.equal(changeCount, 0);
  });

  it('is not told where it is not sure', () => {
    // At 100 kB now this one is ahead, now that one.
    const run = measured({}, ({ size, block, transport }) =>
      size === 100_000 && transport === 'ajax' ? (block % 2 ? 1 : 10) : 1,
    );
    assert.equal(
      wordsOf(run)[0],
      'Up, AJAX against WebSocket text: WebSocket text is ahead up to 10 kB, AJAX from 1 MB on: the winner changes between 10 kB and 1 MB; cannot tell at 100 kB.',
    );
  });

  it('may be at more than one place, or open at an end', () => {
    const slow = (/** @type {readonly number[]} */ sizes) =>
      measured({}, ({ size, transport }) => (transport === 'ajax' && sizes.includes(size) ? 100 : 1));
    assert.equal(
      wordsOf(slow([10_000_000]))[0],
      'Up, AJAX against WebSocket text: WebSocket text is ahead up to 10 kB, AJAX from 100 kB to 1 MB, WebSocket text at 10 MB: the winner changes between 10 kB and 100 kB, and between 1 MB and 10 MB.',
    );
    const { plan, trials } = measured();
    const same = trials.map((trial) =>
      trial.size >= 100_000 ? { ...trial, durationMs: 10 + (trial.block % 2) / 10 } : trial,
    );
    assert.equal(
      wordsOf({ plan, trials: same })[0],
      'Up, AJAX against WebSocket text: WebSocket text is ahead up to 10 kB; the same within 10 % at 100 kB, 1 MB, 10 MB.',
    );
  });

  it('is not told of too few blocks, or by too coarse a clock', () => {
    const { plan, trials } = measured();
    const few = trials.map((trial) => {
      const { durationMs, ...others } = trial;
      return trial.block === 2 && trial.transport === 'ajax' && trial.size > 1
        ? { ...others, failure: { outcome: /** @type {const} */ ('timeout'), message: '' } }
        : { ...others, durationMs };
    });
    assert.equal(
      wordsOf({ plan, trials: few })[0],
      'Up, AJAX against WebSocket text: WebSocket text is ahead at 1 B; too little was measured at 500 B, 1 kB, 10 kB, 100 kB, 1 MB, 10 MB.',
    );
    assert.match(wordsOf({ plan, trials: few })[1], /^AJAX failed \(6 timeout\) at .*10 MB up/);
    // A message of 2 ms is no 20 steps of 0.2 ms.
    const [{ sides }] = findContests(plan, trials, { stepMs: 0.2 });
    assert.deepEqual(
      sides.map(({ isMeasured }) => isMeasured),
      [false, false, false, true, true, true, true],
    );
    const still = createTrials(PLAN, () => 0);
    assert.equal(
      wordsOf({ plan, trials: still })[0],
      'Up, AJAX against WebSocket text: too little was measured, or by too coarse a clock.',
    );
  });

  it('is told against fetch where there is no AJAX, and not at all without either', () => {
    const { plan, trials } = measured({ transports: ['fetch', 'websocket-text'] });
    assert.match(wordsOf({ plan, trials })[0], /^Up, fetch against WebSocket text: /);
    assert.match(tabulatePayload(plan, trials).titles.join(), /Times as fast as fetch/);
    const sockets = measured({ transports: ['websocket-text', 'sockjs'] });
    assert.match(wordsOf(sockets)[0], /^Nobody’s lead can be told/);
  });
});

describe('the words on who is ahead', () => {
  const LETTERS = /** @type {Record<string, string>} */ ({ w: 'websocket-text', a: 'ajax' });
  /**
   * @param {string} found a letter for each size: who is ahead (w, a), s the same, u untold, m not measured
   * @param {readonly number[]} [sizes]
   */
  const say = (found, sizes = USUAL_SIZES) => {
    const sides = [...found].map((letter, i) => ({
      size: sizes[i],
      winner: LETTERS[letter],
      isSame: letter === 's',
      isMeasured: letter !== 'm',
    }));
    const words = describeContest({
      direction: 'up',
      baseline: 'ajax',
      transport: 'websocket-text',
      sides,
      stretches: stretchesOf(sides),
    });
    return words.replace('AJAX against WebSocket text: ', '').replaceAll('WebSocket text', 'WS');
  };

  for (const [found, words] of [
    ['wwwwwww', 'WS is ahead from the smallest size to the largest; no change up to 10 MB.'],
    ['sssssss', 'no change up to 10 MB; the same within 10 % at every size.'],
    ['uuuuuuu', 'cannot tell at any size.'],
    ['mmmmmmu', 'cannot tell at 10 MB; too little was measured at 1 B, 500 B, 1 kB, 10 kB, 100 kB, 1 MB.'],
    [
      'ssssssu',
      'no change was seen; the same within 10 % at 1 B, 500 B, 1 kB, 10 kB, 100 kB, 1 MB; cannot tell at 10 MB.',
    ],
    ['wuuwuuw', 'WS is ahead at 1 B, 10 kB and 10 MB; no change was seen; cannot tell at 500 B, 1 kB, 100 kB, 1 MB.'],
    ['wuuuuuu', 'WS is ahead at 1 B; cannot tell at 500 B, 1 kB, 10 kB, 100 kB, 1 MB, 10 MB.'],
    [
      'wwwwuaa',
      'WS is ahead up to 10 kB, AJAX from 1 MB on: the winner changes between 10 kB and 1 MB; cannot tell at 100 kB.',
    ],
    ['wwwwsss', 'WS is ahead up to 10 kB; the same within 10 % at 100 kB, 1 MB, 10 MB.'],
    ['wsssssw', 'WS is ahead at 1 B and at 10 MB; the same within 10 % at 500 B, 1 kB, 10 kB, 100 kB, 1 MB.'],
    ['uwwuwwu', 'WS is ahead at 500 B, 1 kB, 100 kB and 1 MB; no change was seen; cannot tell at 1 B, 10 kB, 10 MB.'],
    [
      'uwwsuua',
      'WS is ahead from 500 B to 1 kB, AJAX at 10 MB: the winner changes between 1 kB and 10 MB; the same within 10 % at 10 kB; cannot tell at 1 B, 100 kB, 1 MB.',
    ],
  ]) {
    it(`are right of ${found}`, () => assert.equal(say(found), words));
  }

  it('say nothing of change where there is a single size', () => {
    assert.deepEqual(
      ['w', 'u', 's', 'm'].map((found) => say(found, [1000])),
      [
        'WS is ahead at 1 kB.',
        'cannot tell at 1 kB.',
        'the same within 10 % at 1 kB.',
        'too little was measured, or by too coarse a clock.',
      ],
    );
    assert.doesNotMatch(describeReading({ ...PLAN, sizes: [1] }), /sizes|share/);
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
    const rowsOf = (/** @type {number} */ blockCount) => {
      const own = trials.filter(({ block }) => block < blockCount);
      return [...tabulatePayload(plan, own).rows[1].slice(4, 8), ...describeFraming(summarizeFraming(plan, own))];
    };
    for (const blockCount of [1, 2, 5]) {
      const [time, , rate, ratio, framing] = rowsOf(blockCount);
      for (const cell of [time, rate, ratio]) assert.match(cell, /^[\d.]+$/);
      assert.match(framing, /at no size/);
    }
    assert.match(
      rowsOf(6).join(),
      /^[\d.]+ \(.+\),[\d.]+,[\d.]+ \(.+\),[\d.]+ \(.+\),SockJS \(its .+ times as long at 1 MB/,
    );
    assert.equal(rowsOf(0)[0], '–');
  });

  it('have no column of ratios, nor a note on who is ahead, where nothing can be compared', () => {
    for (const transports of [['ajax'], ['websocket-text', 'sockjs']]) {
      const { plan, trials } = measured({ transports });
      const { titles, rows } = tabulatePayload(plan, trials);
      assert.doesNotMatch(titles.join(), /Times as fast/);
      assert.equal(titles.length, rows[0].length);
      assert.equal(describeReading(plan), 'MB/s of an echo counts both ways.');
    }
  });

  it('show no ratio as 0, however wide its interval is', () => {
    const plan = { ...PLAN, sizes: [1] };
    const trials = createTrials(plan, ({ block, transport }) => (transport === 'ajax' && block % 2 ? 100 : 1));
    const [, socket] = tabulatePayload(plan, trials).rows;
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

  it('say what SockJS’s framing costs beside the WebSocket that carries it', () => {
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
    assert.match(
      describeFraming(rows)[0],
      /^SockJS \(its framing, and the WebSocket library beneath it on the server\) takes longer than WebSocket text: [12]\.\d+ \(.+\) times as long at 1 MB\.$/,
    );
    assert.deepEqual(describeFraming(rows.slice(0, 1)), ['SockJS surely takes longer than WebSocket text at no size.']);
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
    assert.deepEqual([...new Set(areSurelyLonger(USUAL_SIZES))], [false]);
  });

  it('stand in a table, and in Markdown', () => {
    const { plan, trials } = measured({ sizes: [1, 1_000_000] });
    const { titles, rows, isTextColumn } = tabulatePayload(plan, trials);
    assert.equal(titles.length, rows[0].length);
    assert.deepEqual(rows[1].slice(0, 4), ['Up', '1 B', 'WebSocket text', 'websocket']);
    assert.deepEqual([3, 4].map(isTextColumn), [true, false]);
    const markdown = formatPayloadMarkdown(documentOf(plan, trials));
    assert.match(
      markdown,
      /^### SockShootout, payload\n\n\| Direction \| Size \| Transport \| Protocol \| Time, ms \(95 % interval\) \|/,
    );
    assert.match(markdown, /^\| Up \| 1 MB \| AJAX \| h2 \| 11\d.* \| \d+\.\d\d \| /m);
    assert.match(markdown, /is ahead at 1 B, AJAX at 1 MB: the winner changes between 1 B and 1 MB/);
    assert.match(
      markdown,
      /^Plan: http:\/\/127.0.0.1\/payloadtest\?transports=ajax,websocket-text&directions=up&sizes=1,1000000&repeats=6&seed=1, /m,
    );
    assert.match(describeReading(plan), /the 2 sizes of a sentence share the 5 %/);
  });
});

describe('a run as published', () => {
  /** @type {import('../../../core/experiments/payload-plan.js').PublishedPlan} */
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

  it('names no winner, and says what best-of hides', () => {
    const words = describePayload(plan, trials);
    assert.match(words[0], /^As published: .+ no winner is named\. They lie up to 25 % apart \(/);
    assert.equal(words[1], 'SockJS failed (1 closed) at 1 MB up.');
    assert.doesNotMatch(words.join(' '), /ahead|interval/);
    assert.equal(describeReading(plan), BEST_OF_NOTE);
    const markdown = formatPayloadMarkdown(documentOf(plan, trials));
    assert.match(markdown, /^\| Up \| 1 B \| AJAX \| h2 \| 8\.00 \| 10\.00 \| 0\.000125 \| 200 \| 0 \|$/m);
    assert.match(markdown, /keeps the luck of one/);
    assert.deepEqual(
      describePayload(
        plan,
        createTrials(plan, () => undefined),
      ).slice(0, 1),
      ['Too little was measured.'],
    );
  });
});

/**
 * @param {import('../../../core/experiments/payload-plan.js').PayloadPlan} plan
 * @param {PayloadTrial[]} trials
 */
function documentOf(plan, trials) {
  const environment = { url: 'http://127.0.0.1/payloadtest', userAgent: 'a|b', isCrossOriginIsolated: true };
  return { schema: SCHEMA, startedAt: '2026-11-21T10:00:00.000Z', plan, environment, trials };
}
