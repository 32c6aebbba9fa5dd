import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerJudged } from '../../../../core/experiment/answer/answer.js';
import { compareTransports, describeChance, judge } from '../../../../core/experiment/answer/compare.js';
import { createRandom } from '../../../../core/base/random.js';
import { createTrial, createTrials } from '../../../support/results.js';

/** @param {readonly (readonly [number, number])[]} blocks @param {number} [stepMs] */
const compare = (blocks, stepMs) =>
  compareTransports({ trials: createTrials(blocks), baseline: 'ajax', transport: 'sockjs', stepMs });

/** Differences of 2 ms, give or take a little, wherever they are. @param {number} distanceMs */
const at = (distanceMs) =>
  [2.1, 1.9, 2.0, 2.2, 1.8, 2.0].map((differenceMs) => /** @type {const} */ ([distanceMs + differenceMs, distanceMs]));

describe('compareTransports', () => {
  it('sees the same saving at every distance, and a ratio that falls with it', () => {
    const [near, middle, far] = [0.5, 20, 230].map((distanceMs) => compare(at(distanceMs)));
    for (const { savingMs } of [near, middle, far]) assert.ok(Math.abs(Number(savingMs?.estimate) - 2) < 0.01);
    assert.deepEqual([near.verdict, far.verdict], ['faster', 'same']);
    assert.ok(Number(near.speedRatio?.estimate) > Number(middle.speedRatio?.estimate));
    assert.ok(Number(middle.speedRatio?.estimate) > Number(far.speedRatio?.estimate));
  });

  it('says “same” of what lies wholly within 10 %, even where it excludes 1', () => {
    const { verdict, speedRatio, savingMs } = compare(at(230));
    assert.equal(verdict, 'same');
    assert.ok(Number(speedRatio?.low) > 1);
    assert.ok(Number(savingMs?.low) > 0);
  });

  it('says “slower” where the transport takes longer', () => {
    assert.equal(compare(at(1).map(([ajaxMs, sockjsMs]) => [sockjsMs, ajaxMs])).verdict, 'slower');
  });

  it('cannot tell where the interval holds a gain and a loss that matter, and says about how many blocks would', () => {
    const { verdict, neededBlocks } = compare([
      [10, 8],
      [10, 13],
      [10, 9],
      [10, 12],
      [10, 8],
      [10, 11],
    ]);
    assert.equal(verdict, 'unclear');
    assert.ok(Number(neededBlocks) > 6, String(neededBlocks));
  });

  it('has no verdict below 6 blocks', () => {
    const { verdict, blockCount, savingMs } = compare(at(1).slice(0, 5));
    assert.deepEqual([verdict, blockCount], [undefined, 5]);
    assert.ok(savingMs);
  });

  it('leaves out a block in which either has no sample', () => {
    const trials = [...createTrials(at(1)), createTrial('ajax', 6, [3, 3]), createTrial('sockjs', 6, [])];
    assert.equal(compareTransports({ trials, baseline: 'ajax', transport: 'sockjs' }).blockCount, 6);
  });

  it('takes medians, so that a stall does not count', () => {
    const trials = createTrials(at(1));
    trials[0].samples.roundTripMs[3] = 5000;
    const { savingMs, statistic } = compareTransports({ trials, baseline: 'ajax', transport: 'sockjs' });
    assert.equal(statistic, 'median');
    assert.ok(Math.abs(Number(savingMs?.estimate) - 2) < 0.01);
  });

  it('takes means of the whole time from both where the clock is too coarse for one of them', () => {
    const { savingMs, statistic } = compare(at(1), 0.1);
    assert.equal(statistic, 'mean');
    assert.ok(Math.abs(Number(savingMs?.estimate) - 2) < 0.01);
  });

  it('has nothing to say where the clock hardly sees a whole trial, rather than keep what it happened to see', () => {
    // A step of 16.67 ms against trials of 50 times 0.3 and 0.15 ms: each shows none of it, or one.
    const stepMs = 16.67;
    const trials = Array.from({ length: 20 }, (_, block) =>
      ['ajax', 'sockjs'].map((name, index) => {
        const ticks = Array(50).fill(0);
        if (block % (index + 2) > 0) ticks[block] = stepMs;
        return createTrial(name, block, ticks);
      }),
    ).flat();
    const comparison = compareTransports({ trials, baseline: 'ajax', transport: 'sockjs', stepMs });
    assert.deepEqual(
      [comparison.isTooCoarse, comparison.blockCount, comparison.speedRatio, comparison.verdict],
      [true, 20, undefined, undefined],
    );
  });
});

describe('several verdicts', () => {
  /** Five transports that are the same: four compared with one, so the verdicts depend on each other. */
  const random = createRandom(1);
  const noise = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const createRun = () => {
    const blocks = Array.from({ length: 6 }, () => Array.from({ length: 5 }, () => Math.exp(0.2 * noise())));
    return [1, 2, 3, 4].map((other) => judge(blocks.map((times) => times[0] / times[other])));
  };
  const summaryOf = (/** @type {ReturnType<typeof judge>} */ judged) =>
    answerJudged({ subject: 'sockjs', baseline: 'ajax', unit: 'times-as-fast' }, judged);

  it('say how many of their intervals miss the truth on average, as many as in 2,000 simulated runs', () => {
    const [, said] = /on average, (\d\.\d+) of 4 /.exec(String(describeChance(createRun().map(summaryOf)))) ?? [];
    let missCount = 0;
    for (let run = 0; run < 2000; run++)
      missCount += createRun().filter(({ ratio }) => ratio && (ratio.low > 1 || ratio.high < 1)).length;
    assert.ok(Math.abs(missCount / 2000 - Number(said)) < 0.03, `${missCount / 2000}, said ${said}`);
  });

  it('count those that were reached, by the level of each; one says nothing', () => {
    const [one, two] = createRun().map(summaryOf);
    assert.equal(describeChance([one, { ...two, verdict: undefined }]), undefined);
    assert.match(String(describeChance([one, { ...two, confidence: 0.99 }])), /\b0\.06 of 2\b/);
  });
});
