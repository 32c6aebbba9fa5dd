import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createReport } from '../../core/report.js';
import { formatMarkdown } from '../../core/result-markdown.js';
import { createResult, createTrial, createTrials } from '../support/results.js';

/** @param {number} distanceMs @param {number} [differenceMs] */
const blocksAt = (distanceMs, differenceMs = 2) =>
  [0.1, -0.1, 0, 0.2, -0.2, 0].map(
    (noiseMs) => /** @type {const} */ ([distanceMs + differenceMs + noiseMs, distanceMs]),
  );

/** @param {Partial<import('../../core/result.js').Result>} options */
const verdictOf = (options) => createReport(createResult(options)).verdict;

describe('the verdict', () => {
  it('says that they are the same, by how much they differ all the same, and on what that rests', () => {
    const { headline, detail, advice } = verdictOf({ trials: createTrials(blocksAt(48)) });
    assert.equal(headline, 'Same within 10 % from here');
    assert.equal(
      detail,
      'SockJS saves 2.00 ms (95 % interval 1.85 to 2.15) a message, 1.042x the speed of AJAX (1.039 to 1.045) at your 48 ms. 6 blocks of 20, order random.',
    );
    assert.match(advice, /^Distance is 96 % of a message’s time by AJAX here/);
  });

  it('is against fetch where the plan has no AJAX, and says so wherever it names it', () => {
    const transports = ['fetch', 'sockjs'];
    const plan = { ...createResult().plan, transports };
    const trialsOf = (/** @type {number} */ count) =>
      createTrials(blocksAt(0.5).slice(0, count)).map((trial) =>
        trial.transport === 'ajax' ? { ...trial, transport: 'fetch' } : trial,
      );
    const report = createReport(createResult({ plan, trials: trialsOf(6) }));
    assert.equal(report.baseline, 'fetch');
    assert.equal(report.rows[1].comparison?.baseline, 'fetch');
    assert.match(report.verdict.detail, /x the speed of fetch \(/);
    const few = verdictOf({ plan, trials: trialsOf(4) });
    assert.match(few.detail, /^SockJS and fetch both have samples in 4 blocks/);
    for (const words of [report.verdict, few, formatMarkdown(report)]) {
      assert.doesNotMatch(JSON.stringify(words), /AJAX/);
    }
    assert.match(formatMarkdown(report), /\| Saves against fetch, ms \| Speed against fetch \|/);
  });

  it('calls a fallback that was asked for by its own name', () => {
    const plan = { ...createResult().plan, transports: ['ajax', 'sockjs-xhr-polling'] };
    const trials = createTrials(blocksAt(31, -30)).map((trial) =>
      trial.transport === 'sockjs' ? { ...trial, transport: 'sockjs-xhr-polling', protocol: 'xhr-polling' } : trial,
    );
    const { headline, advice } = verdictOf({ plan, trials });
    assert.equal(headline, 'SockJS xhr-polling is slower from here');
    assert.match(advice, /would cost time from here/);
  });

  it('says that SockJS is faster', () => {
    assert.equal(verdictOf({ trials: createTrials(blocksAt(0.5)) }).headline, 'SockJS is faster from here');
  });

  it('says what SockJS costs more where it is slower, without a minus', () => {
    const { headline, detail } = verdictOf({ trials: createTrials(blocksAt(5, -2)) });
    assert.equal(headline, 'SockJS is slower from here');
    assert.match(detail, /^SockJS costs 2\.00 ms \(95 % interval 1\.85 to 2\.15\) more a message, 0\.\d+x the speed/);
  });

  it('says that it cannot tell, and how many blocks would', () => {
    const trials = createTrials([10, 14, 9, 13, 8, 12].map((ms) => [10, ms]));
    const { headline, advice } = verdictOf({ trials });
    assert.equal(headline, 'Cannot tell from here');
    assert.match(advice, /About \d+ blocks would tell/);
  });

  it('does not speak of distance where there is hardly any, or where a payload’s transfer is part of it', () => {
    const same = createTrials(blocksAt(0.3, 0.01).map(() => [0.3, 0.3]));
    assert.match(verdictOf({ trials: same }).advice, /^Distance is 100 %/);
    for (const trial of same) trial.samples.roundTripMs[0] = 0.1;
    assert.equal(
      verdictOf({ trials: same }).advice,
      'For messages that wait for each other, moving to SockJS would not be noticed.',
    );
    const trials = createTrials(blocksAt(48));
    const plan = { ...createResult({ trials }).plan, payloadBytes: 1000 };
    const { detail, advice } = verdictOf({ trials, plan });
    assert.ok(!detail.includes('at your') && !advice.includes('Distance'));
  });

  it('says that a difference is sure and yet may be small', () => {
    const { headline, advice } = verdictOf({ trials: createTrials(blocksAt(19)) });
    assert.equal(headline, 'SockJS is faster from here');
    assert.match(advice, /saves time from here, but it may be less than 10 %\.$/);
  });

  it('never rounds an interval onto what it excludes', () => {
    const trials = createTrials(
      [
        [40, 10],
        [2, 1],
        [30, 9],
        [3, 2],
        [60, 4],
        [5, 4],
      ].map(([a, b]) => [a, b]),
    );
    const { headline, detail } = verdictOf({ trials });
    assert.equal(headline, 'SockJS is faster from here');
    const [, low] = /speed of AJAX \(([\d.]+) to/.exec(detail) ?? [];
    assert.ok(Number(low) > 1, detail);
  });

  it('says that the clock is too coarse, where it is', () => {
    const environment = { url: 'http://x/', userAgent: 'x', stepMs: 100, isCrossOriginIsolated: false };
    const { word, headline } = verdictOf({ trials: createTrials(blocksAt(1)), environment });
    assert.deepEqual([word, headline], ['none', 'The clock is too coarse to tell']);
  });

  it('does not blame the network for a fallback where a WebSocket worked', () => {
    const fallback = createTrials(blocksAt(1, -30 + 60)).map((trial) =>
      trial.transport === 'sockjs' ? { ...trial, protocol: 'xhr-streaming' } : trial,
    );
    const trials = [...fallback, ...fallback.map(({ block }) => createTrial('websocket', block, [1, 1]))];
    const plan = { ...createResult({ trials }).plan, transports: ['ajax', 'websocket', 'sockjs'] };
    assert.match(verdictOf({ trials, plan }).advice, /^SockJS fell back, although WebSockets can be opened from here/);
  });

  it('never calls a fallback WebSocket', () => {
    const trials = createTrials(blocksAt(31, -30)).map((trial) =>
      trial.transport === 'sockjs' ? { ...trial, protocol: 'xhr-streaming' } : trial,
    );
    const { headline, advice } = verdictOf({ trials });
    assert.equal(headline, 'SockJS over xhr-streaming is slower from here');
    assert.match(advice, /^No WebSocket could be opened from here/);
  });

  for (const [kind, headline] of /** @type {const} */ ([
    ['invalid', 'This run is not valid'],
    ['cancelled', 'Cancelled: no verdict'],
  ])) {
    it(`of a run that is ${kind} is none, with the reason, however clear its figures`, () => {
      const trials = createTrials(blocksAt(0.5));
      const verdict = verdictOf({ trials, ending: { kind, reason: 'Because of x.' } });
      assert.deepEqual([verdict.word, verdict.headline], ['none', headline]);
      assert.match(verdict.detail, /^Because of x\./);
    });
  }

  it('names the transport that did not work, and why', () => {
    const trials = createTrials(blocksAt(1)).map((trial) =>
      trial.transport === 'sockjs'
        ? createTrial('sockjs', trial.block, [], { failures: [{ outcome: 'closed', message: 'No way through.' }] })
        : trial,
    );
    const { word, headline, detail } = verdictOf({ trials });
    assert.deepEqual([word, headline], ['none', 'SockJS did not work from here']);
    assert.match(detail, /^No way through\. 0 of 6 blocks of 20, order random; failures: 6 of SockJS\.$/);
  });

  it('of fewer than 6 blocks with samples is none', () => {
    const { word, headline } = verdictOf({ trials: createTrials(blocksAt(1).slice(0, 4)) });
    assert.deepEqual([word, headline], ['none', 'Too little to tell']);
  });

  it('counts failures beside the blocks', () => {
    const trials = createTrials(blocksAt(1));
    trials[0].failures.push({ outcome: 'timeout', message: 'x', iteration: 20 });
    assert.match(verdictOf({ trials }).detail, /order random; failures: 1 of AJAX\.$/);
  });

  it('of a result without a single trial is none', () => {
    assert.equal(verdictOf({}).word, 'none');
  });
});

describe('a report’s rows', () => {
  it('pool the samples of all trials, and set each but the baseline against it', () => {
    const { rows, floorMs } = createReport(createResult({ trials: createTrials(blocksAt(48)) }));
    assert.equal(floorMs, 48);
    const [ajax, sockjs] = rows;
    assert.deepEqual([ajax.summary.sampleCount, sockjs.summary.sampleCount], [120, 120]);
    assert.deepEqual([ajax.comparison, sockjs.comparison?.word], [undefined, 'same']);
  });

  it('tell set-ups that were measured from connections that were reused', () => {
    const trials = createTrials(blocksAt(48)).map((trial, index) =>
      trial.transport === 'sockjs' ? { ...trial, setUpMs: index } : trial,
    );
    const { rows } = createReport(createResult({ trials, coldSetUpMs: { ajax: 4 } }));
    assert.deepEqual(
      rows.map(({ setUp }) => setUp),
      [
        { medianMs: 4, count: 1, reusedCount: 6 },
        { medianMs: 6, count: 6, reusedCount: 0 },
      ],
    );
  });
});

describe('the trust panel', () => {
  const server = { server: 's', location: '', version: '1', worker: 0, startedAt: '2026-11-21T06:00:00.000Z' };
  /** @param {number} echoCount @param {Partial<import('../../core/result.js').WorkerStatus>} [others] */
  const status = (echoCount, others) => ({
    server: 's',
    location: 'Frankfurt',
    version: '1',
    worker: 0,
    ipFamily: 6,
    workers: [
      {
        worker: 0,
        startedAt: server.startedAt,
        openSessions: 0,
        echoCount,
        eventLoop: { lagCount: echoCount, lagTotalMs: echoCount / 2 },
        ...others,
      },
    ],
    silentWorkerCount: 0,
  });
  const trials = createTrials(blocksAt(1)).map((trial) => ({ ...trial, server }));
  // 12 trials of 20, the warm-up of 3 and one question who answered.
  const ownCount = 12 * 24;

  /** @param {Partial<import('../../core/result.js').Result>} options */
  const factsOf = (options) =>
    new Map(createReport(createResult({ trials, ...options })).trust.map(({ name, ...rest }) => [name, rest]));

  it('finds nobody else where the server counted only this run', () => {
    const facts = factsOf({ statusBefore: status(1000), statusAfter: status(1000 + ownCount) });
    assert.deepEqual(facts.get('Others’ messages meanwhile'), { value: '0', isWarning: false });
    assert.deepEqual(facts.get('IP family'), { value: 'IPv6', isWarning: false });
    assert.match(String(facts.get('Server’s event-loop lag')?.value), /^0\.50 ms on average/);
  });

  it('warns of somebody else who measured meanwhile', () => {
    const facts = factsOf({
      statusBefore: status(1000),
      statusAfter: status(1000 + ownCount + 55, { openSessions: 2 }),
    });
    assert.deepEqual(facts.get('Others’ messages meanwhile'), { value: '55', isWarning: true });
    assert.deepEqual(facts.get('Open sessions'), { value: '0 before, 2 after', isWarning: true });
  });

  it('says nothing of a page where there was none', () => {
    const environment = { url: 'u', userAgent: 'Node.js v20.19.0', stepMs: 0.001, isCrossOriginIsolated: false };
    const facts = factsOf({ environment });
    assert.equal(facts.get('Valid')?.value, 'yes: no connection lost, no restart');
    assert.equal(facts.get('Measured by')?.value, 'Node.js v20.19.0');
    for (const name of ['Browser', 'Cross-origin isolated']) assert.equal(facts.has(name), false, name);
  });

  it('does not tell connections that could not be looked at', () => {
    const unseen = { seenCount: 0, openedCount: 0, cacheHitCount: 0 };
    const facts = factsOf({ trials: trials.map((trial) => ({ ...trial, requests: unseen })) });
    assert.equal(facts.get('AJAX')?.value, 'http/1.1; worker 0; connections not told');
  });

  it('says that it does not know where the server did not tell, or is another one now', () => {
    const restarted = status(ownCount, { startedAt: '2026-11-21T07:00:00.000Z' });
    for (const statusAfter of [undefined, restarted, { ...status(ownCount), silentWorkerCount: 1 }]) {
      const facts = factsOf({ statusBefore: status(0), statusAfter });
      assert.match(String(facts.get('Others meanwhile')?.value), /^not known/);
    }
  });

  it('warns of answers from a cache, of a fallback, and of a clock that is too coarse', () => {
    const facts = factsOf({
      trials: trials.map((trial) => ({
        ...trial,
        protocol: trial.transport === 'sockjs' ? 'xhr-polling' : 'http/1.1',
        requests: { seenCount: 10, openedCount: 1, cacheHitCount: 1 },
      })),
      environment: { url: 'u', userAgent: 'a', stepMs: 100, isCrossOriginIsolated: false },
    });
    for (const name of ['Answers from a cache', 'SockJS', 'Clock step'])
      assert.equal(facts.get(name)?.isWarning, true, name);
    assert.equal(facts.get('AJAX')?.value, 'http/1.1; worker 0; 54 of 60 requests on connections that were open');
  });
});
