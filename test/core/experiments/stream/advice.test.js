import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf } from '../../../../core/experiment/report/findings.js';
import { adviceOf } from '../../../../core/experiments/stream/advice.js';
import { chooseCompared } from '../../../../core/experiments/stream/full-test.js';
import { stream } from '../../../../core/experiments/stream/index.js';
import { summarize } from '../../../../core/experiments/stream/summary.js';
import { createDocument, fullTest, situationOf } from '../../../support/full-tests.js';
import { POLL, runOf } from '../../../support/streams.js';

/**
 * @import { StreamSummary } from '../../../../core/experiments/stream/summary.js'
 * @import { Way } from '../../../support/streams.js'
 */

const CLOSED = Object.freeze({ outcome: /** @type {const} */ ('closed'), message: 'The connection broke.' });

/** @param {StreamSummary} summary */
function adviseOn(summary) {
  const compared = chooseCompared(summary);
  return { compared, ...adviceOf(summary, compared) };
}

/** @param {string} query @param {Readonly<Record<string, Way>>} ways */
const adviceFor = (query, ways) => {
  const { rule, text } = adviseOn(summarize(runOf(query, ways)));
  return { name: rule.name, recommends: rule.recommends, text };
};

describe('what a run of streams says to do', () => {
  const ALL = 'methods=fetch,ws-open,poll';

  it('is to stream by HTTP where a socket is no sooner, or so little that nobody notices', () => {
    for (const firstMs of [100, 95, 120]) {
      const { name, recommends } = adviceFor(ALL, { fetch: {}, 'ws-open': { firstMs }, poll: POLL });
      assert.deepEqual([name, recommends], ['HTTP is enough', 'http'], String(firstMs));
    }
  });

  it('is a socket that is open already where users notice the gain', () => {
    const { name, recommends, text } = adviceFor(ALL, { fetch: { firstMs: 250 }, 'ws-open': {}, poll: POLL });
    assert.deepEqual([name, recommends], ['socket sooner', 'socket']);
    assert.match(text, /\b0\.15 s sooner\b/);
  });

  it('has one verdict with its reason, by what the visitor says that users notice', () => {
    const summary = summarize(runOf('methods=fetch,ws-open', { fetch: { firstMs: 130 }, 'ws-open': {} }));
    for (const [messageMattersMs, word, mark, reason] of /** @type {const} */ ([
      [20, 'Faster', 'better', /^Stream over .* 30 ms sooner/],
      [50, 'Faster, unnoticed', 'same', /sooner by 30 ms, too little to notice/],
    ])) {
      const answer = stream.fullTest.answer(summary, { ...situationOf(), messageMattersMs, rttMs: 100 });
      assert.deepEqual([answer.word, answer.mark], [word, mark]);
      assert.match(String(answer.reason), reason);
    }
  });

  it('does not call it worse where nobody notices that, either', () => {
    const summary = summarize(runOf('methods=fetch,ws-open', { fetch: {}, 'ws-open': { firstMs: 115 } }));
    const answer = stream.fullTest.answer(summary, { ...situationOf(), messageMattersMs: 20, rttMs: 100 });
    assert.deepEqual([answer.word, answer.mark], ['Slower, unnoticed', 'same']);
  });

  it('is said so of a single run, too', () => {
    const run = runOf('methods=fetch,ws-open', { fetch: { firstMs: 115 }, 'ws-open': {} });
    const { answers, report } = findingsOf(stream, run);
    assert.equal(answers?.[0].word, 'Faster, unnoticed');
    assert.match(String(report.conclusion), /too little to notice/);
  });

  it('is the same in the score of a full test and in the full result beneath it', () => {
    const run = runOf('methods=fetch,ws-open', { fetch: { firstMs: 115 }, 'ws-open': {} });
    for (const [query, word, advice] of /** @type {const} */ ([
      ['message-matters=10', 'Faster', /^Stream over an open WebSocket\b/],
      ['message-matters=20', 'Faster, unnoticed', /^Stream with fetch\b.* too little to notice/],
    ])) {
      const document = createDocument([{ experiment: 'stream', document: run }], { query });
      const { measured, score } = findingsOf(fullTest, document).summary;
      const found = measured.find((/** @type {any} */ { member }) => member.name === 'stream').findings;
      const answer = score.answers.find((/** @type {any} */ { experiment }) => experiment === 'stream');
      assert.match(String(answer.reason), advice);
      assert.match(String(found.report.conclusion), advice);
      assert.deepEqual([answer.word, found.answers[0].word], [word, word]);
    }
  });

  it('is a socket, or no buffering, where a proxy collects what comes over HTTP', () => {
    const { name, recommends, text } = adviceFor(ALL, { fetch: { collects: 40 }, 'ws-open': {}, poll: POLL });
    assert.deepEqual([name, recommends], ['HTTP collected', 'socket']);
    assert.match(text, /in bursts of about 40 pieces/);
  });

  it('is another stream over HTTP where only that of today is buffered', () => {
    const collected = { collects: 40 };
    const { text, recommends } = adviceFor('methods=fetch,events,ws-open', {
      fetch: collected,
      events: {},
      'ws-open': {},
    });
    assert.equal(recommends, 'http');
    assert.match(text, /^Stream with EventSource: /);
    const alone = adviceFor('methods=ws-open&today=ws-open', { 'ws-open': collected });
    assert.deepEqual([alone.name, alone.recommends], ['only sockets, collected', undefined]);
  });

  it('does not say of an answer that comes all at once that a socket is as smooth', () => {
    const { name, text } = adviceFor('methods=fetch,ws-open&rate=0&pieces=40&spread=0', { fetch: {}, 'ws-open': {} });
    assert.equal(name, 'HTTP is enough');
    assert.doesNotMatch(text, /smooth/);
  });

  it('is no method where everything is collected, and HTTP where only the socket is', () => {
    const collected = { collects: 40 };
    assert.equal(adviceFor(ALL, { fetch: collected, 'ws-open': collected, poll: POLL }).name, 'all collected');
    assert.equal(adviceFor('methods=fetch,poll', { fetch: collected, poll: POLL }).name, 'only HTTP, collected');
    const { name, recommends } = adviceFor(ALL, { fetch: {}, 'ws-open': { stepMs: 300 }, poll: POLL });
    assert.deepEqual([name, recommends], ['socket collected', 'http']);
  });

  it('says how an EventSource compares with fetch, and does not take a socket that is not kept for none', () => {
    const { sentences } = findingsOf(
      stream,
      runOf('methods=fetch,events', { fetch: {}, events: { firstMs: 103 } }),
    ).report;
    assert.equal(
      sentences.filter((one) => /\bEventSource\b.*\b3(\.\d)? to 3(\.\d)? ms later\b.*\bfetch\b/.test(one)).length,
      1,
    );
    assert.equal(adviceFor('methods=ws&today=ws', { ws: { setUpMs: 200 } }).name, 'only sockets');
    assert.equal(adviceFor('methods=fetch,ws', { fetch: {}, ws: { setUpMs: 200 } }).name, 'HTTP is enough');
  });

  it('needs six blocks, a whole answer in each, and more than polling', () => {
    const few = adviceFor(`${ALL}&blocks=5`, { fetch: {}, 'ws-open': {}, poll: POLL });
    assert.deepEqual([few.name, few.recommends], ['few blocks', undefined]);
    assert.match(few.text, /\b5 of 6 blocks\b/);
    const noStream = { fetch: { lastN: 3 }, 'ws-open': { lastN: 3 } };
    const polled = adviceFor(ALL, { ...noStream, poll: POLL });
    assert.deepEqual([polled.name, polled.recommends], ['nothing came', undefined]);
    assert.match(polled.text, /^Only polling\b/);
    assert.match(adviceFor(ALL, { ...noStream, poll: { lastN: 3 } }).text, /^No method brought\b/);
    assert.equal(adviceFor('methods=poll&today=poll', { poll: POLL }).name, 'only polling measured');
    const one = adviceFor(ALL, { fetch: { lastN: 3 }, 'ws-open': {}, poll: POLL });
    assert.deepEqual([one.name, one.recommends], ['only sockets', 'socket']);
    assert.match(one.text, /\b6 of 6 with fetch\b/);
  });

  it('never turns away from what is used because of more noise', () => {
    for (const [today, other, recommended] of [
      ['fetch', 'ws-open', 'http'],
      ['ws-open', 'fetch', 'today'],
    ]) {
      const quiet = runOf(`${ALL}&today=${today}`, { [today]: { firstMs: 112 }, [other]: {}, poll: POLL });
      for (const noiseMs of [0, 5, 30, 90]) {
        const noisy = structuredClone(quiet);
        for (const { block, streamedBy, streams } of noisy.trials) {
          if (streamedBy === today) streams[0].atMs[0] += (block % 2 ? 1 : -1) * noiseMs;
        }
        assert.equal(adviseOn(summarize(noisy)).rule.recommends, recommended, `${today}, ${noiseMs} ms`);
      }
    }
  });

  it('needs half of the blocks whole, however many these are, and counts those that failed', () => {
    const sooner = { fetch: { firstMs: 250 }, poll: POLL };
    const query = `${ALL}&blocks=20`;
    const often = adviceFor(query, { ...sooner, 'ws-open': { lostIn: 11 } });
    assert.deepEqual([often.name, often.recommends], ['only HTTP', 'http']);
    const half = adviceFor(query, { ...sooner, 'ws-open': { lostIn: 10 } });
    assert.deepEqual([half.name, half.recommends], ['socket sooner', 'socket']);
    for (const { text, count } of [
      { ...often, count: 11 },
      { ...half, count: 10 },
    ])
      assert.match(text, new RegExp(`\\b${count} of 20 over an open WebSocket\\b`));
  });

  it('does not say that nothing is sooner where too few blocks were whole with both', () => {
    const run = runOf('methods=fetch,ws-open&blocks=12', { fetch: { lostIn: 6 }, 'ws-open': {} });
    const trials = run.trials.map((trial) =>
      trial.streamedBy === 'ws-open' && trial.block >= 6
        ? { ...trial, streams: trial.streams.map((one) => ({ ...one, atMs: [], sentMs: [], failure: { ...CLOSED } })) }
        : trial,
    );
    const { text } = adviseOn(summarize({ ...run, trials }));
    assert.match(text, /\btoo few blocks\b/);
    assert.doesNotMatch(text, /noticeably/);
  });

  it('says of a method with too few whole blocks that it was not compared', () => {
    const ways = { fetch: {}, events: {}, 'ws-open': {}, poll: POLL };
    const query = 'methods=fetch,events,ws-open,poll';
    for (const { failing, expected } of [
      { failing: ['fetch', 'events'], expected: /\bfetch and EventSource failed in too many blocks\b/ },
      { failing: ['ws-open', 'poll'], expected: /\bAn open WebSocket failed in too many blocks\b/ },
    ]) {
      const lost = Object.fromEntries(failing.map((name) => [name, { lostIn: 1 }]));
      assert.match(adviceFor(query, { ...ways, ...lost }).text, expected);
    }
    assert.doesNotMatch(adviceFor('methods=fetch,events', ways).text, /\btoo many\b/);
  });

  it('is what is used today where nothing else is noticeably better', () => {
    const query = 'methods=fetch,ws,ws-open,poll';
    for (const [today, ways] of /** @type {const} */ ([
      ['ws-open', { fetch: { firstMs: 120 }, 'ws-open': { firstMs: 101 } }],
      ['ws', { fetch: { firstMs: 105 }, 'ws-open': { firstMs: 104 } }],
      ['poll', { fetch: { firstMs: 101 }, 'ws-open': {} }],
      ['ws-open', { fetch: { collects: 40 }, 'ws-open': {} }],
    ])) {
      const { name, recommends, text } = adviceFor(`${query}&today=${today}`, { ws: {}, poll: {}, ...ways });
      assert.deepEqual([name, recommends], ['keep today', 'today'], text);
      assert.match(text, /^Keep (an open WebSocket|a WebSocket per answer|polling): /);
    }
  });

  it('is another method than today’s where users notice the gain, or where only that is smooth', () => {
    const query = 'methods=fetch,ws-open,poll';
    const sooner = adviceFor(`${query}&today=ws-open`, { fetch: {}, 'ws-open': { firstMs: 250 }, poll: POLL });
    assert.deepEqual([sooner.name, sooner.recommends], ['HTTP is enough', 'http']);
    assert.match(sooner.text, /\ban? open WebSocket is later by 0\.15 s\b/i);
    const stepped = adviceFor(`${query}&today=poll`, { fetch: {}, 'ws-open': {}, poll: POLL });
    assert.deepEqual([stepped.name, stepped.recommends], ['HTTP is enough', 'http']);
    // Too short to show the steps.
    const short = adviceFor(`${query}&today=poll&pieces=20`, { fetch: {}, 'ws-open': {}, poll: POLL });
    assert.equal(short.recommends, 'http');
    const atOnce = adviceFor(`${query}&today=poll&pieces=20&rate=0`, { fetch: {}, 'ws-open': {}, poll: {} });
    assert.equal(atOnce.recommends, 'today');
  });

  it('is one that is smoother than today’s only where it is not noticeably later', () => {
    const query = 'methods=fetch,ws,ws-open&today=ws-open';
    const withGaps = { 'ws-open': { backMs: 300 } };
    const later = adviceFor(query, { ...withGaps, fetch: { firstMs: 400 }, ws: { setUpMs: 300 } });
    assert.deepEqual([later.name, later.recommends], ['keep today', 'today'], later.text);
    const { rule, compared } = adviseOn(summarize(runOf(query, { ...withGaps, fetch: { firstMs: 400 }, ws: {} })));
    assert.deepEqual([rule.recommends, compared.socket?.method], ['socket', 'ws']);
  });

  it('is the best of a kind where that of today is noticeably later, and says by how much', () => {
    for (const { query, ways, found, text: expected } of [
      {
        query: 'methods=events,ws-open,sockjs&today=sockjs',
        ways: { events: {}, 'ws-open': { firstMs: 50 }, sockjs: {} },
        found: ['socket sooner', 'ws-open'],
        text: /^Stream over an open WebSocket: .* SockJS is later by 50 ms\./,
      },
      {
        query: 'methods=fetch,events&today=events',
        ways: { fetch: { firstMs: 50 }, events: { firstMs: 200 } },
        found: ['only HTTP', 'fetch'],
        text: /^Stream with fetch: .* EventSource is later by 0\.15 s\./,
      },
      {
        query: 'methods=ws-open,sockjs,socketio&today=sockjs',
        ways: { 'ws-open': {}, sockjs: { firstMs: 200 }, socketio: { firstMs: 50 } },
        found: ['only sockets', 'socketio'],
        text: /^Stream over Socket\.IO: .* SockJS is later by 0\.15 s\./,
      },
    ]) {
      const { rule, compared, text } = adviseOn(summarize(runOf(query, ways)));
      assert.deepEqual([rule.name, rule.recommends && compared[rule.recommends]?.method], found);
      assert.match(text, expected);
    }
  });

  it('is to resume where a cut cost today’s method some pieces, if possible by the same client', () => {
    const lost = { lastN: 20 };
    const back = { backMs: 1000 };
    for (const { today, events, expected } of [
      { today: 'fetch', events: back, expected: 'events' },
      { today: 'ws', events: back, expected: 'ws-resume' },
      { today: 'fetch', events: lost, expected: 'ws-resume' },
      { today: 'ws-resume', events: back, expected: undefined },
      { today: 'poll', events: back, expected: undefined },
    ]) {
      const query = `methods=fetch,events,ws,ws-resume,poll&cut=reset&pieces=40&today=${today}`;
      const run = runOf(query, { fetch: lost, events, ws: lost, 'ws-resume': back, poll: POLL });
      const { rule, compared } = adviseOn(summarize(run));
      assert.equal(rule.recommends && compared[rule.recommends]?.method, expected, today);
    }
  });

  it('says where polling is sooner than what streams', () => {
    const { text } = adviceFor('methods=ws,poll&today=poll', { ws: { setUpMs: 200 }, poll: POLL });
    assert.match(text, /\bPolling brings them 0\.20 s sooner, but the rest comes in steps of 0\.25 s\b/);
  });

  it('is of as many streams at once as were measured', () => {
    const many = adviceFor(`${ALL}&at-once=6,12&pieces=50`, { fetch: {}, 'ws-open': {}, poll: POLL });
    assert.match(many.text, /^With 6 streams at once, stream with fetch\b/);
    assert.doesNotMatch(adviceFor(ALL, { fetch: {}, 'ws-open': {}, poll: POLL }).text, /at once/);
  });

  it('says how much longer the last of the most at once waits', () => {
    const ways = { fetch: { waitMs: 600 }, 'ws-open': {}, poll: POLL };
    const { text } = adviceFor(`${ALL}&at-once=1,6,12&pieces=50`, ways);
    assert.match(text, /^With one stream at a time, stream with fetch\b/);
    assert.match(
      text,
      / Of 12 at once, the last waits longer than the first by 0\.60 s with fetch and 0\S* ms over an /,
    );
  });

  it('calls a method sooner whose whole interval is, but not by what users notice', () => {
    const run = runOf('methods=fetch,ws-open', { fetch: { firstMs: 100 }, 'ws-open': { firstMs: 70 } });
    for (const { streamedBy, block, streams } of run.trials)
      if (streamedBy === 'ws-open') streams[0].atMs[0] += block % 2 === 0 ? 15 : 0;
    const { rule, text } = adviseOn(summarize(run));
    assert.equal(rule.name, 'HTTP is enough');
    assert.match(text, /An open WebSocket is sooner by \d+ ms to \d+ ms, perhaps enough to notice/);
  });

  it('is none where the clock is too coarse for what it compares, not one of the blocks in which it saw some time', () => {
    const run = runOf('methods=fetch,ws-open&blocks=12', { fetch: { firstMs: 100 }, 'ws-open': { firstMs: 0 } });
    for (const { streamedBy, block, streams } of run.trials) {
      if (streamedBy === 'ws-open' && block % 2 === 0) streams[0].atMs[0] = 16;
    }
    for (const stepMs of [16, undefined]) {
      const summary = summarize({ ...run, environment: { ...run.environment, stepMs } });
      const { rule, text } = adviseOn(summary);
      assert.deepEqual([rule.name, rule.recommends], ['coarse clock', undefined]);
      assert.equal(/\b16(\.0)? ms\b/.test(text), stepMs !== undefined);
      assert.equal(summary.rows[1].judged?.verdict, undefined);
    }
  });
});
