import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OFFERED_SIZES } from '../../../../core/experiments/payload/plan.js';
import { summarizeSweep } from '../../../../core/experiments/payload/summary.js';
import { formatSizes } from '../../../../core/experiments/payload/findings.js';
import { findingsOf, reportOf } from '../../../../core/experiment/report/findings.js';
import { headsOf } from '../../../../core/experiment/report/table.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { payload } from '../../../../core/experiments/payload/index.js';
import { DIGEST_LIMITS } from '../../../../core/experiment/documents/digest.js';
import { labelOfTransfer } from '../../../../core/experiment/answer/labels.js';
import { createRandom } from '../../../../core/base/random.js';
import { createScriptedTransfer } from '../../../support/scripted-transfer.js';
import { createVirtualTime } from '../../../support/virtual-time.js';
import { useGolden } from '../../../support/golden.js';
import {
  PLAN,
  lawOf,
  noise,
  createTrials,
  measured,
  wordsOf,
  countIn,
  verdictsOf,
  documentOf,
  figuresOf,
} from '../../../support/measured-sizes.js';

/**
 * @import { PlannedTrial } from '../../../../core/experiments/payload/trials.js'
 */

const matchGolden = useGolden(import.meta.url);

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
    assert.deepEqual(verdictsOf({ plan, trials }), ['ffffs', 'fff-s']);
    matchGolden(t, 'payload', wordsOf({ plan, trials }));
  });

  it('are of each direction by itself', (t) => {
    const run = measured({ directions: ['up', 'down'] }, ({ direction, transport }) =>
      direction === 'down' && transport === 'ajax' ? 100 : 1,
    );
    assert.deepEqual(verdictsOf(run), ['ffffsss', 'fffffff']);
    matchGolden(t, 'payload', wordsOf(run));
  });

  it('are of what users notice, or say by how much they are less', () => {
    const saving = (/** @type {number} */ ms) => {
      const run = { plan: PLAN, trials: createTrials(PLAN, ({ transport }) => (transport === 'ajax' ? ms + 1 : 1)) };
      const { answers } = findingsOf(payload, documentOf(run.plan, run.trials));
      return [wordsOf(run)[0].split('. ')[1], ...new Set(answers.map(({ mark, word }) => `${mark}: ${word}`))];
    };
    assert.deepEqual(saving(20), [undefined, 'better: Faster']);
    assert.deepEqual(saving(19), [
      'By their intervals, any difference is at most 19 ms, which nobody notices.',
      'same: Faster, unnoticed',
    ]);
  });

  it('are of what the users of the situation notice', () => {
    const trials = createTrials(PLAN, ({ transport }) => (transport === 'ajax' ? 20 : 1));
    const situation = /** @type {any} */ ({ messageMattersMs: 5 });
    const { answers, report } = findingsOf(payload, { ...documentOf(PLAN, trials), situation });
    assert.deepEqual([...new Set(answers.map(({ word }) => word))], ['Faster']);
    assert.doesNotMatch(String(report.conclusion), /nobody notices/);
  });

  it('do not say that nobody notices where a size may differ by more', () => {
    const slowMsOf = (/** @type {number} */ block) => ({ little: 1000, unclear: block % 2 ? 1500 : 700, same: 920 });
    const conclusionOf = (/** @type {keyof ReturnType<typeof slowMsOf>} */ kind) => {
      const plan = { ...PLAN, sizes: [1000, 1_000_000] };
      const trials = createTrials(plan, ({ transport, size, block }) => {
        if (size === 1000) return transport === 'ajax' ? 3 : 1;
        return transport === 'ajax' ? slowMsOf(block)[kind] : 880 + 60 * (block % 2);
      });
      return wordsOf({ plan, trials })[0];
    };
    // That is within 10%, and yet more than users notice.
    for (const kind of /** @type {const} */ (['little', 'unclear', 'same']))
      assert.doesNotMatch(conclusionOf(kind), /nobody notices/);
  });

  it('have savings on the side of their ratio, whatever one block of many is', () => {
    const plan = { ...PLAN, sizes: [1000] };
    const trials = createTrials(plan, ({ transport, block }) => (transport === 'ajax' ? 100 : block === 0 ? 2000 : 20));
    const [, { comparison }] = summarizeSweep(plan, trials);
    assert.ok(Number(comparison?.ratio?.estimate) > 1);
    assert.ok(Number(comparison?.savingMs?.estimate) > 0);
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
    matchGolden(t, 'payload', [...words, ...notes]);
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
    const [conclusion, ...sentences] = wordsOf({ plan, trials });
    assert.ok(conclusion.length <= DIGEST_LIMITS.headline, conclusion);
    assert.deepEqual(plan.transports.slice(1).map(labelOfTransfer).map(countIn(conclusion)), [1, 1, 1, 1]);
    assert.deepEqual(
      sentences.map((sentence) => sentence.split(',')[0]),
      ['For uploads', 'For downloads', 'For echoes'],
    );
    matchGolden(t, 'payload', [conclusion, ...sentences]);
  });

  it('are hardly ever "faster" or "slower" of equal transports, within much noise', () => {
    // Its seed makes it the same each time.
    const random = createRandom(11);
    const runs = 400;
    let wrongCount = 0;
    for (let run = 0; run < runs; run++) {
      const trials = createTrials(PLAN, ({ size }) => (5 + size / 5000) * noise(random, 0.5));
      const [verdicts] = verdictsOf({ plan: PLAN, trials });
      if (/[fs+-]/.test(verdicts)) wrongCount++;
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
      // Logarithms of 0.25 on average, 0.1 to either side: from 0.135 with 95%, from 0.05 with the 99.3% of seven sizes; 1.1 has 0.095.
      const trials = createTrials(plan, ({ block, transport }) =>
        transport === 'ajax' ? 10 * Math.exp(0.25 + (block % 2 ? 0.1 : -0.1)) : 10,
      );
      return verdictsOf({ plan, trials });
    };
    assert.deepEqual(verdictsAt([1]), ['f']);
    assert.deepEqual(verdictsAt(OFFERED_SIZES), ['+++++++']);
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
    const { tables, sentences, conclusion } = reportOf(payload, documentOf(plan, trials));
    assert.deepEqual(headsOf(tables[0]), ['Size', 'WebSocket text', 'SockJS']);
    assert.equal(tables[tables.length - 1].rows.length, 2 * 5);
    const kept = trials.filter(({ transport }) => !transport.endsWith('-new'));
    assert.equal(conclusion, reportOf(payload, documentOf({ ...plan, connections: ['kept'] }, kept)).conclusion);
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
