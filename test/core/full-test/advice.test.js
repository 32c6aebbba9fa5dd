/**
 * Simulated runs with a known truth, and the advice on them: noise never makes anyone move. The blocks of all runs have the same
 * random deviations, which the noise multiplies, so that nothing but the noise differs.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createRandom } from '../../../core/base/random.js';
import { meanInterval } from '../../../core/base/statistics.js';
import { bothTimesOf, judge, savingOf } from '../../../core/experiment/answer/compare.js';
import { decide, newsIn } from '../../../core/full-test/decide.js';
import { storedAnswersOf } from '../../../core/experiment/documents/stored-answers.js';
import { deliveries } from '../../../core/net/delivery/index.js';
import { EXPERIMENTS } from '../../../core/experiments/all.js';
import { scoreOf, summarizeParts } from '../../../core/full-test/score.js';
import { createNews, createSending } from '../../support/answers.js';
import { createDocument, createJobs, situationOf, WHOLE } from '../../support/full-tests.js';

/** @import { Interval } from '../../../core/base/statistics.js' */

const RUN_COUNT = 1000;
const BLOCK_COUNT = 8;
/** Relative, of a block; the last is beyond what any network has. */
const NOISES = [0, 0.01, 0.03, 0.1, 0.3];
/** Both ends of an interval of 95% miss in 2.5% of runs; chance adds less than that to a share of 1000. */
const MAX_WRONG_SHARE = 0.05;
/** Shares of runs with the same deviations may change by chance, but hardly. */
const SLACK = 0.01;

const random = createRandom(52);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** The deviations of each run: of each block's two figures. */
const RUNS = Array.from({ length: RUN_COUNT }, () =>
  Array.from({ length: BLOCK_COUNT }, () => /** @type {const} */ ([normal(), normal()])),
);

const situation = { ...situationOf(), rttMs: 100 };

/** @param {readonly (readonly [used: number, considered: number])[]} pairs of the blocks, in ms */
function adviseOnSending(pairs) {
  const { verdict, ratio } = judge(pairs.map(([used, considered]) => used / considered));
  assert.ok(verdict && ratio);
  const savingMs = savingOf(ratio, bothTimesOf(pairs));
  return decide({ situation, sending: createSending({ verdict, ...ratio, savingMs }) }).sentence;
}

/** @param {Interval} gainMs */
const adviseOnNews = (gainMs) => decide({ situation, news: createNews(gainMs) }).sentence;

/** @param {readonly number[]} values */
const intervalOf = (values) => meanInterval(values) ?? assert.fail();

/**
 * @param {(pairs: [used: number, considered: number][]) => string} advise on the figures of each block, in ms
 * @param {{ usedMs: number, savingMs: number }} truth
 * @returns {number[]} the share of runs that say “Use”, by the noise
 */
const sharesOf = (advise, { usedMs, savingMs }) =>
  NOISES.map((noise) => {
    const moving = RUNS.filter((run) => {
      const pairs = run.map(
        ([a, b]) =>
          /** @type {[number, number]} */ ([usedMs * Math.exp(noise * a), (usedMs - savingMs) * Math.exp(noise * b)]),
      );
      return advise(pairs).startsWith('Use');
    });
    return moving.length / RUN_COUNT;
  });

const ADVISORS = {
  'sending a message': adviseOnSending,
  news: (/** @type {[number, number][]} */ pairs) =>
    adviseOnNews(intervalOf(pairs.map(([used, considered]) => used - considered))),
};

/** @type {readonly [keyof typeof ADVISORS, { usedMs: number, savingMs: number }, moves: boolean][]} */
const TRUTHS = [
  ['sending a message', { usedMs: 12, savingMs: 9 }, false],
  ['sending a message', { usedMs: 100, savingMs: 0 }, false],
  ['sending a message', { usedMs: 107, savingMs: 7 }, false],
  ['sending a message', { usedMs: 100, savingMs: 19 }, false],
  ['sending a message', { usedMs: 400, savingMs: 30 }, false],
  ['sending a message', { usedMs: 100, savingMs: -30 }, false],
  ['sending a message', { usedMs: 100, savingMs: 25 }, true],
  ['sending a message', { usedMs: 230, savingMs: 60 }, true],
  ['news', { usedMs: 600, savingMs: 0 }, false],
  ['news', { usedMs: 100, savingMs: 60 }, false],
  ['news', { usedMs: 600, savingMs: 95 }, false],
  ['news', { usedMs: 600, savingMs: -200 }, false],
  ['news', { usedMs: 600, savingMs: 150 }, true],
  ['news', { usedMs: 600, savingMs: 550 }, true],
];

describe('the advice on a noisy run', () => {
  for (const [topic, truth, moves] of TRUTHS) {
    const { usedMs, savingMs } = truth;
    it(`says “Use” ${moves ? 'the less' : 'hardly ever'}, however much noise: ${topic}, ${savingMs} of ${usedMs} ms`, () => {
      const shares = sharesOf(ADVISORS[topic], truth);
      assert.equal(shares[0], moves ? 1 : 0, 'without noise');
      if (!moves) assert.ok(Math.max(...shares) <= MAX_WRONG_SHARE, shares.join());
      else for (const [i, share] of shares.slice(1).entries()) assert.ok(share <= shares[i] + SLACK, shares.join());
    });
  }
});

describe('the advice on a situation', () => {
  const extras = ['reach', 'payload', 'in-flight', 'fixed-rate', 'cuts', 'under-load'].map((experiment) => {
    const url = new URL(`../../fixtures/saved-runs/${experiment}-whole.json`, import.meta.url);
    return { experiment, document: JSON.parse(readFileSync(url, 'utf8')) };
  });
  const [echo, jobs] = WHOLE.parts;

  for (const [page, needed] of /** @type {const} */ ([
    ['asks', [jobs]],
    ['sends', [echo]],
    ['asks-and-sends', [echo, jobs]],
  ])) {
    it(`is the same whichever tests are added: ${page}`, () => {
      const placed = situationOf(`page=${page}`);
      const others = [echo, jobs, ...extras].filter((part) => !needed.some((one) => one === part));
      const decisionOf = (/** @type {any[]} */ parts) =>
        scoreOf(summarizeParts(createDocument(parts), EXPERIMENTS), placed).decision;
      const decision = decisionOf([...needed]);
      assert.match(decision, /^(Use|Keep)/);
      for (const other of others) assert.equal(decisionOf([...needed, other]), decision, other.experiment);
      assert.equal(decisionOf([...needed, ...others]), decision);
    });
  }

  it('is doubted only for warnings in what the page needs', () => {
    const weighty = { name: 'Device', value: 'busy', isWarning: true, weighs: true };
    const measured = summarizeParts(createDocument([echo, jobs]), EXPERIMENTS).map((one) => {
      const { member, findings } = one;
      const isJobs = member.name === 'jobs' && findings;
      return isJobs ? { ...one, findings: { ...findings, report: { ...findings.report, trust: [weighty] } } } : one;
    });
    const decisionFor = (/** @type {string} */ page) => scoreOf(measured, situationOf(`page=${page}`)).decision;
    assert.match(decisionFor('sends'), /^(Use|Keep)/);
    assert.match(decisionFor('asks'), /^Probably .* Check the warnings, then measure again\.$/);
  });

  it('is stored with the method whose figure it is', async () => {
    for (const [delivery, subject] of [
      ['sse', 'EventSource compared with AJAX, polling every 1 s'],
      ['sockjs', 'SockJS compared with AJAX, polling every 1 s'],
    ]) {
      const document = await createJobs({
        deliveries: Object.keys(deliveries).filter((name) => name === 'poll' || name === delivery),
      });
      const [{ member: experiment, findings }] = summarizeParts(
        createDocument([{ experiment: 'jobs', document }]),
        EXPERIMENTS,
      ).filter((one) => one.findings);
      assert.ok(findings);
      const { answers } = storedAnswersOf([{ experiment, findings }], situationOf('page=asks'));
      assert.deepEqual(
        answers?.map((one) => one.subject),
        [subject],
      );
    }
  });

  it('names no method for news that was not measured', async () => {
    for (const chosen of [['sockjs'], ['sse'], ['long-poll'], ['long-poll', 'sse'], ['sse', 'sockjs']]) {
      const document = await createJobs({
        deliveries: Object.keys(deliveries).filter((name) => name === 'poll' || chosen.includes(name)),
      });
      const measured = summarizeParts(createDocument([{ experiment: 'jobs', document }]), EXPERIMENTS);
      const { answers, decision } = scoreOf(measured, situationOf('page=asks'));
      assert.ok(chosen.includes(String(newsIn(answers)?.news.best.delivery)), chosen.join());
      for (const [delivery, name] of [
        ['sse', 'EventSource'],
        ['sockjs', 'SockJS'],
        ['long-poll', 'ong polling'],
      ])
        if (!chosen.includes(delivery)) assert.ok(!decision.includes(name), decision);
    }
  });
});
