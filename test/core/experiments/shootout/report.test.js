import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createIntervalBars } from '../../../../core/experiments/shootout/interval-bars.js';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { formatMarkdown } from '../../../../core/experiment/report/report.js';
import { toText } from '../../../../core/experiment/report/table.js';
import { tabulateSetUps } from '../../../../core/experiments/shootout/report.js';
import { summarize } from '../../../../core/experiments/shootout/summary.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { labelOf } from '../../../../core/experiment/answer/labels.js';
import { useGolden } from '../../../support/golden.js';
import { createResult, createTrial, createTrials } from '../../../support/results.js';

/**
 * @import { Result } from '../../../../core/experiments/shootout/index.js'
 * @import { EchoVerdict } from '../../../../core/experiments/shootout/verdict.js'
 * @import { WorkerStatus } from '../../../../core/net/status.js'
 */

const matchGolden = useGolden(import.meta.url);

/** @param {number} distanceMs @param {number} [differenceMs] */
const blocksAt = (distanceMs, differenceMs = 2) =>
  [0.1, -0.1, 0, 0.2, -0.2, 0].map(
    (noiseMs) => /** @type {const} */ ([distanceMs + differenceMs + noiseMs, distanceMs]),
  );

/** Neither this machine nor its network: of those nothing is said about distance. */
const ENVIRONMENT = { ...createResult().environment, url: 'https://example.org/' };

/** @param {Partial<Result>} options */
const verdictOf = (options) => summarize(createResult({ environment: ENVIRONMENT, ...options })).verdict;

/** @param {EchoVerdict} verdict */
const wordsOf = ({ headline, detail, advice }) => [headline, detail, advice].join('\n');

/** @param {string} text */
const numbersIn = (text) => text.match(/\d+(\.\d+)?/g) ?? [];

/** @param {string} protocol @param {string} [transport] that SockJS is to be called */
const fallBackTo = (protocol, transport = 'sockjs') =>
  createTrials(blocksAt(31, -30)).map((trial) =>
    trial.transport === 'sockjs' ? { ...trial, transport, protocol } : trial,
  );

describe('the verdict', () => {
  it('says that they are the same, by how much they differ all the same, and on what that rests', (t) => {
    const verdict = verdictOf({ trials: createTrials(blocksAt(48)) });
    assert.equal(verdict.name, 'same');
    const saving = ['2.00', '95', '1.85', '2.15'];
    const speed = ['1.04', '1.04', '95'];
    const [distance, blocks, iterations] = ['48', '6', '20'];
    assert.deepEqual(numbersIn(verdict.detail), [...saving, ...speed, distance, blocks, iterations]);
    matchGolden(t, 'shootout', wordsOf(verdict));
  });

  it('stands beside a difference in ms on its side, also where one block of many is far from all others', () => {
    /** @type {(readonly [number, number])[]} */
    const clear = [...blocksAt(48, 20).slice(1), [2000, 1000]];
    const faster = verdictOf({ trials: createTrials(clear) });
    assert.equal(faster.name, 'faster');
    assert.match(faster.detail, / ms faster per message \(95% CI [\d.]+ to [\d.]+ ms\)/);
    assert.match(faster.detail, /times as fast/);
  });

  it('is against fetch where the plan has no AJAX, and says so wherever it names it', (t) => {
    const transports = ['fetch', 'sockjs'];
    const plan = { ...createResult().plan, transports };
    const trialsOf = (/** @type {number} */ count) =>
      createTrials(blocksAt(0.5).slice(0, count)).map((trial) =>
        trial.transport === 'ajax' ? { ...trial, transport: 'fetch' } : trial,
      );
    const report = summarize(createResult({ plan, trials: trialsOf(6) }));
    assert.equal(report.baseline, 'fetch');
    assert.equal(report.rows[1].comparison?.baseline, 'fetch');
    const few = verdictOf({ plan, trials: trialsOf(4) });
    const markdown = formatMarkdown(shootout, report.result);
    for (const words of [wordsOf(report.verdict), wordsOf(few), markdown]) {
      assert.match(words, /\bfetch\b/);
      assert.doesNotMatch(words, /AJAX/);
    }
    matchGolden(t, 'shootout', [wordsOf(report.verdict), wordsOf(few), markdown]);
  });

  it('calls a fallback that was asked for by its own name', (t) => {
    const plan = { ...createResult().plan, transports: ['ajax', 'sockjs-xhr-polling'] };
    const verdict = verdictOf({ plan, trials: fallBackTo('xhr-polling', 'sockjs-xhr-polling') });
    assert.equal(verdict.name, 'slower');
    matchGolden(t, 'shootout', wordsOf(verdict));
  });

  it('says that SockJS is faster', (t) => {
    const verdict = verdictOf({ trials: createTrials(blocksAt(0.5)) });
    assert.equal(verdict.name, 'faster');
    matchGolden(t, 'shootout', wordsOf(verdict));
  });

  it('says what SockJS costs more where it is slower, without a minus', (t) => {
    const verdict = verdictOf({ trials: createTrials(blocksAt(5, -2)) });
    assert.equal(verdict.name, 'slower');
    const [cost, , low, high, ratio] = numbersIn(verdict.detail);
    assert.deepEqual([cost, low, high], ['2.00', '1.85', '2.15']);
    assert.ok(Number(ratio) < 1, verdict.detail);
    matchGolden(t, 'shootout', wordsOf(verdict));
  });

  it('says that it cannot tell, and how many blocks would', (t) => {
    const trials = createTrials([10, 14, 9, 13, 8, 12].map((ms) => [10, ms]));
    const { verdict, rows } = summarize(createResult({ trials }));
    assert.equal(verdict.name, 'unclear');
    assert.ok(verdict.advice.includes(`${rows[1].comparison?.neededBlocks} blocks would`), verdict.advice);
    assert.equal(verdict.headline, 'SockJS and AJAX show no clear difference');
    const [bar] = createIntervalBars(rows).bars;
    matchGolden(t, 'shootout', [wordsOf(verdict), bar.words]);
  });

  it('does not speak of distance where there is hardly any, or where a payload’s transfer is part of it', (t) => {
    const same = createTrials(blocksAt(0.3, 0.01).map(() => [0.3, 0.3]));
    assert.match(verdictOf({ trials: same }).advice, /takes 100%/);
    for (const trial of same) trial.samples.roundTripMs[0] = 0.1;
    const near = verdictOf({ trials: same });
    const trials = createTrials(blocksAt(48));
    const plan = { ...createResult({ trials }).plan, payloadBytes: 1000 };
    const withPayload = verdictOf({ trials, plan });
    for (const { name, advice } of [near, withPayload]) {
      assert.equal(name, 'same');
      assert.doesNotMatch(advice, /No transport can/);
    }
    matchGolden(t, 'shootout', [wordsOf(near), wordsOf(withPayload)]);
  });

  it('says that a difference is sure and yet may be small', (t) => {
    const { verdict, rows } = summarize(createResult({ environment: ENVIRONMENT, trials: createTrials(blocksAt(19)) }));
    assert.equal(verdict.name, 'little-faster');
    const { low, high } = rows[1].comparison?.speedRatio ?? assert.fail();
    assert.ok(low > 1 && low < 1.1 && high > 1.1, `${low} to ${high}`);
    matchGolden(t, 'shootout', wordsOf(verdict));
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
    const { name, detail } = verdictOf({ trials });
    assert.equal(name, 'faster');
    const [, low] = /It was ([\d.]+)–[\d.]+ times as fast as AJAX/.exec(detail) ?? [];
    assert.ok(Number(low) > 1, detail);
  });

  it('says that the clock is too coarse, where it is', (t) => {
    const environment = { url: 'http://x/', userAgent: 'x', stepMs: 100, isCrossOriginIsolated: false };
    const { verdict, rows } = summarize(createResult({ trials: createTrials(blocksAt(1)), environment }));
    assert.deepEqual([verdict.name, rows[1].comparison?.isTooCoarse], ['none', true]);
    matchGolden(t, 'shootout', wordsOf(verdict));
  });

  for (const webSocket of ['ws', 'websocket']) {
    it(`does not blame the network for a fallback where a WebSocket worked: ${webSocket}`, (t) => {
      const fallback = createTrials(blocksAt(1, -30 + 60)).map((trial) =>
        trial.transport === 'sockjs' ? { ...trial, protocol: 'xhr-streaming' } : trial,
      );
      const trials = [...fallback, ...fallback.map(({ block }) => createTrial(webSocket, block, [1, 1]))];
      const plan = { ...createResult({ trials }).plan, transports: ['ajax', webSocket, 'sockjs'] };
      const verdict = verdictOf({ trials, plan });
      matchGolden(t, 'shootout', wordsOf(verdict));
    });
  }

  it('never calls a fallback WebSocket', (t) => {
    const verdict = verdictOf({ trials: fallBackTo('xhr-streaming') });
    assert.equal(verdict.name, 'slower');
    matchGolden(t, 'shootout', wordsOf(verdict));
  });

  it('names the cost of a fallback only of a library that has it', () => {
    const trials = fallBackTo('polling').map((trial) =>
      trial.transport === 'sockjs' ? { ...trial, transport: 'socketio' } : trial,
    );
    const plan = { ...createResult({ trials }).plan, transports: ['ajax', 'socketio'] };
    const { verdict, notes } = summarize(createResult({ trials, plan }));
    assert.ok(verdict.headline.startsWith('Socket.IO over polling '), verdict.headline);
    assert.match(verdict.advice, /^No WebSocket could be opened/);
    assert.doesNotMatch([verdict.advice, ...notes].join(' '), /25 ms|SockJS/);
  });

  for (const kind of /** @type {const} */ (['invalid', 'cancelled'])) {
    it(`of a run that is ${kind} is none, with the reason if nobody stopped it, however clear its figures`, (t) => {
      const trials = createTrials(blocksAt(0.5));
      const verdict = verdictOf({ trials, ending: { kind, reason: 'Because of x.' } });
      assert.equal(verdict.name, 'none');
      const markdown = formatMarkdown(shootout, createResult({ trials, ending: { kind, reason: 'Because of x.' } }));
      assert.equal(markdown.split('Because of x.').length, kind === 'invalid' ? 2 : 1, markdown);
      matchGolden(t, 'shootout', wordsOf(verdict));
    });
  }

  it('names the transport that did not work, and why', (t) => {
    const trials = createTrials(blocksAt(1)).map((trial) =>
      trial.transport === 'sockjs'
        ? createTrial('sockjs', trial.block, [], { failures: [{ outcome: 'closed', message: 'No way through.' }] })
        : trial,
    );
    const verdict = verdictOf({ trials });
    assert.equal(verdict.name, 'none');
    const [made, planned, iterations, failures] = numbersIn(verdict.detail);
    assert.deepEqual(
      { made, planned, iterations, failures },
      { made: '0', planned: '6', iterations: '20', failures: '6' },
    );
    matchGolden(t, 'shootout', wordsOf(verdict));
  });

  it('of fewer than 6 blocks with samples is none', (t) => {
    const verdict = verdictOf({ trials: createTrials(blocksAt(1).slice(0, 4)) });
    assert.equal(verdict.name, 'none');
    assert.deepEqual(numbersIn(verdict.detail).slice(0, 2), ['4', '6']);
    matchGolden(t, 'shootout', wordsOf(verdict));
  });

  it('counts failures beside the blocks', () => {
    const trials = createTrials(blocksAt(1));
    trials[0].failures.push({ outcome: 'timeout', message: 'x', iteration: 20 });
    assert.match(verdictOf({ trials }).detail, /; failures: 1 of AJAX\.$/);
  });

  it('of a result without a single trial is none', () => {
    assert.equal(verdictOf({}).name, 'none');
  });
});

describe('a report’s rows', () => {
  it('pool the samples of all trials, and set each but the baseline against it', () => {
    const { rows, floorMs } = summarize(createResult({ trials: createTrials(blocksAt(48)) }));
    assert.equal(floorMs, 48);
    const [ajax, sockjs] = rows;
    assert.deepEqual([ajax.summary.sampleCount, sockjs.summary.sampleCount], [120, 120]);
    assert.deepEqual([ajax.comparison, sockjs.comparison?.verdict], [undefined, 'same']);
  });

  it('tell set-ups that were measured from connections that were reused', () => {
    const trials = createTrials(blocksAt(48)).map((trial, index) =>
      trial.transport === 'sockjs' ? { ...trial, setUpMs: index } : trial,
    );
    const { rows } = summarize(createResult({ trials, coldSetUpMs: { ajax: 4 } }));
    assert.deepEqual(
      rows.map(({ setUp }) => setUp),
      [
        { medianMs: 4, count: 1, reusedCount: 6 },
        { medianMs: 6, count: 6, reusedCount: 0 },
      ],
    );
  });

  it('tell upgrades apart from set-ups', () => {
    const trials = createTrials(blocksAt(48)).map((trial, index) =>
      trial.transport === 'sockjs' ? { ...trial, transport: 'socketio', setUpMs: 10, upgradeMs: 100 + index } : trial,
    );
    const plan = { ...createResult({ trials }).plan, transports: ['ajax', 'socketio'] };
    const summary = summarize(createResult({ trials, plan }));
    const [, { setUp }] = summary.rows;
    assert.deepEqual([setUp.medianMs, setUp.upgrade], [10, { medianMs: 106, count: 6 }]);
    const cells = toText(tabulateSetUps(summary)).join(' ');
    assert.ok(cells.includes('10.0 (6 new), 106.0 until upgraded (6)'), cells);
  });
});

describe('the trust panel', () => {
  const server = { server: 's', location: '', version: '1', worker: 0, startedAt: '2026-11-21T06:00:00.000Z' };
  /** @param {number} echoCount @param {Partial<WorkerStatus>} [others] */
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

  /** @param {Partial<Result>} options */
  const factsOf = (options) =>
    new Map(reportOf(shootout, createResult({ trials, ...options })).trust.map(({ name, ...rest }) => [name, rest]));

  /** @param {ReturnType<typeof factsOf>} facts */
  const linesOf = (facts) =>
    [...facts].map(([name, { value, isWarning }]) => `${isWarning ? '⚠ ' : ''}${name}: ${value}`).join('\n');

  /** @param {ReturnType<typeof factsOf>} facts @param {string} name */
  const partsOf = (facts, name) => String(facts.get(name)?.value).split('; ');

  it('finds nobody else where the server counted only this run', (t) => {
    const facts = factsOf({ statusBefore: status(1000), statusAfter: status(1000 + ownCount) });
    assert.deepEqual(facts.get('Messages from others during the run'), { value: '0', isWarning: false });
    assert.deepEqual(facts.get('IP family'), { value: 'IPv6', isWarning: false });
    assert.match(String(facts.get('Server’s event-loop lag')?.value), /^0\.50 ms/);
    matchGolden(t, 'shootout', linesOf(facts));
  });

  it('counts a warm-up that asks which server answers once, as earlier releases did not ask in it', () => {
    const plan = { ...createResult({}).plan, warmUpCount: 1 };
    const { environment } = createResult({});
    const others = (/** @type {Partial<Result['environment']>} */ more, /** @type {number} */ eachCount) => {
      const [statusBefore, statusAfter] = [status(1000), status(1000 + 12 * eachCount)];
      const facts = factsOf({ plan, environment: { ...environment, ...more }, statusBefore, statusAfter });
      return facts.get('Messages from others during the run')?.value;
    };
    const asked = { device: { workMs: 10 } };
    assert.deepEqual([others(asked, 21), others(asked, 22)], ['0', '12']);
    assert.equal(others({ device: undefined }, 22), '0');
  });

  it('warns of somebody else who measured during the run', () => {
    const facts = factsOf({
      statusBefore: status(1000),
      statusAfter: status(1000 + ownCount + 55, { openSessions: 2 }),
    });
    const brief = 'other clients used the server';
    assert.deepEqual(facts.get('Messages from others during the run'), { value: '55', isWarning: true, brief });
    assert.deepEqual(facts.get('Open sessions'), { value: '0 before, 2 after', isWarning: true, brief });
  });

  it('says nothing of a page where there was none', (t) => {
    const environment = {
      url: 'https://example.org/',
      userAgent: 'Node.js v20.19.0',
      stepMs: 0.001,
      isCrossOriginIsolated: false,
    };
    const facts = factsOf({ environment });
    assert.equal(facts.get('Complete')?.isWarning, false);
    assert.match(String(facts.get('Complete')?.value), /^yes\b/);
    assert.doesNotMatch(String(facts.get('Complete')?.value), /hidden/);
    assert.equal(facts.get('Measured by')?.value, 'Node.js v20.19.0');
    assert.equal(facts.has('Browser'), false);
    matchGolden(t, 'shootout', linesOf(facts));
  });

  it('does not tell connections that could not be looked at', () => {
    const unseen = { seenCount: 0, openedCount: 0, cacheHitCount: 0 };
    const facts = factsOf({ trials: trials.map((trial) => ({ ...trial, requests: unseen })) });
    assert.deepEqual(partsOf(facts, 'AJAX'), ['http/1.1', 'worker 0', 'connections unknown']);
  });

  it('warns where the mean and the median part, or each request opened a connection', () => {
    const requests = { seenCount: 10, openedCount: 10, cacheHitCount: 0 };
    const opening = factsOf({ trials: trials.map((trial) => ({ ...trial, requests })) });
    assert.equal(opening.get('AJAX')?.isWarning, true);
    assert.equal(opening.has('Mean and median'), false);
    // Of 100 messages of 100 ms, three are sent again after 1 s: a mean of 130 ms.
    const lossy = [0, 1, 2, 3, 4, 5].flatMap((block) => [
      createTrial('ajax', block, [...Array(97).fill(100), ...Array(3).fill(1100)]),
      createTrial('sockjs', block, Array(100).fill(98)),
    ]);
    const { value, isWarning } = factsOf({ trials: lossy }).get('Mean and median') ?? {};
    assert.equal(isWarning, true);
    assert.match(String(value), /^AJAX 130\S* and 100\S* ms: /);
  });

  it('tells what carried WebSockets by their setup times, as no page sees that', () => {
    /** @param {number} rtts @param {{ rttMs?: number, url?: string, http?: string, userAgent?: string, transport?: string }} [given] */
    const carrierOf = (
      rtts,
      { rttMs = 40, url = 'https://example.org/', http = 'h2', userAgent = 'Mozilla/5.0', transport = 'ws' } = {},
    ) => {
      const own = [0, 1, 2, 3, 4, 5].flatMap((block) => [
        createTrial('ajax', block, Array(20).fill(rttMs + 2), { protocol: http }),
        createTrial(transport, block, Array(20).fill(rttMs), { setUpMs: rtts * rttMs }),
      ]);
      const environment = { ...ENVIRONMENT, url, userAgent };
      const plan = { ...createResult().plan, transports: ['ajax', transport] };
      const facts = factsOf({ trials: own, plan, environment });
      return String(facts.get(labelOf(transport))?.value)
        .split('; ')
        .at(-1);
    };
    const [shared, own, unknown] = [
      /RTT in the page’s HTTP\/2 connection/,
      /RTT each over a connection of its own/,
      /perhaps/,
    ];
    assert.match(String(carrierOf(1.1)), shared);
    assert.match(String(carrierOf(3.1)), own);
    // SockJS asks for its /info before.
    assert.match(String(carrierOf(2.2, { transport: 'sockjs' })), shared);
    assert.match(String(carrierOf(4.2, { transport: 'sockjs' })), own);
    assert.match(String(carrierOf(3.1, { rttMs: 1 })), unknown);
    assert.match(String(carrierOf(3.1, { transport: 'socketio' })), unknown);
    const alone = '6 connections, one per trial';
    for (const given of [{ url: 'http://example.org/' }, { http: 'http/1.1' }, { userAgent: 'Node.js v24.0.0' }]) {
      assert.equal(carrierOf(1.1, given), alone);
    }
  });

  it('weighs answers that a proxy compressed, those of the server’s status where no other is seen', () => {
    const requests = { seenCount: 10, openedCount: 0, cacheHitCount: 0 };
    /** @param {object} counts @param {object} [more] of the status */
    const found = (counts, more) =>
      factsOf({
        trials: trials.map((trial) => ({ ...trial, requests: { ...requests, ...counts } })),
        statusBefore: { ...status(0), ...more },
      }).get('Compression');
    const gzip = { contentEncoding: 'gzip' };
    assert.deepEqual([found({}), found({}, gzip)], [undefined, undefined]);
    for (const weighty of [found({ compressedCount: 10 }), found({ seenCount: 0 }, gzip)]) {
      assert.deepEqual([weighty?.isWarning, weighty?.weighs], [true, true]);
    }
  });

  it('says that it does not know where the server did not tell, or is another one now', () => {
    const restarted = status(ownCount, { startedAt: '2026-11-21T07:00:00.000Z' });
    for (const statusAfter of [undefined, restarted, { ...status(ownCount), silentWorkerCount: 1 }]) {
      const facts = factsOf({ statusBefore: status(0), statusAfter });
      assert.match(String(facts.get('Other traffic during the run')?.value), /^unknown/);
    }
  });

  it('warns of answers from a cache, of a fallback, and of a clock that is too coarse', (t) => {
    const facts = factsOf({
      trials: trials.map((trial) => ({
        ...trial,
        protocol: trial.transport === 'sockjs' ? 'xhr-polling' : 'http/1.1',
        requests: { seenCount: 10, openedCount: 1, cacheHitCount: 1 },
      })),
      environment: { url: 'https://example.org/', userAgent: 'a', stepMs: 100, isCrossOriginIsolated: false },
    });
    for (const name of ['Answers from a cache', 'SockJS', 'Clock step'])
      assert.equal(facts.get(name)?.isWarning, true, name);
    // 6 trials with 10 requests each, one of which opened a connection.
    const [protocol, worker, connections] = partsOf(facts, 'AJAX');
    assert.deepEqual([protocol, worker, ...numbersIn(connections)], ['http/1.1', 'worker 0', '54', '60']);
    matchGolden(t, 'shootout', linesOf(facts));
  });
});
