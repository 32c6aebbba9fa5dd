import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decide } from '../../../core/full-test/decide.js';
import { createNews as news, createSending as sending } from '../../support/answers.js';
import { useGolden } from '../../support/golden.js';
import { situationOf } from '../../support/full-tests.js';

/**
 * @import { VerdictName } from '../../../core/experiment/answer/verdict.js'
 * @import { News, Sending } from '../../../core/full-test/decide.js'
 */

const matchGolden = useGolden(import.meta.url);

const situation = { ...situationOf(), rttMs: 100 };

/** @type {readonly VerdictName[]} */
const VERDICTS = ['faster', 'same', 'slower', 'unclear'];
const LITTLE_FASTER = /** @type {const} */ ({
  verdict: 'little-faster',
  ...{ estimate: 1.08, low: 1.03, high: 1.12 },
});
const LITTLE_SLOWER = /** @type {const} */ ({
  verdict: 'little-slower',
  ...{ estimate: 0.93, low: 0.88, high: 0.98 },
});
const AT_LEAST = /** @type {const} */ ({
  verdict: 'little-faster',
  ...{ estimate: 1.3, low: 1.05, high: 1.6 },
});
const UNNOTICED = { estimate: 4.1, low: 3.2, high: 5 };
const DOUBTFUL = { estimate: 22, low: 15, high: 29 };
const LATER = { estimate: -60, low: -80, high: -40 };
const LITTLE_SOONER = { estimate: 55, low: 30, high: 80 };
const CROSSING = { estimate: 95, low: 40, high: 150 };
const UNCLEAR = { estimate: 50, low: -120, high: 220 };
const ABSENT = /** @type {[string, undefined]} */ (['not measured', undefined]);
/** @type {readonly [outcome: string, answer?: Sending][]} */
const SENDING = [
  ...VERDICTS.map((verdict) => /** @type {[string, Sending]} */ ([verdict, sending({ verdict })])),
  ['a little faster', sending(LITTLE_FASTER)],
  ['a little slower', sending(LITTLE_SLOWER)],
  ['a little faster, not noticed', sending({ ...LITTLE_FASTER, savingMs: UNNOTICED })],
  ['at least a little faster', sending(AT_LEAST)],
  ['at least a little faster, not shown to be noticed', sending({ ...AT_LEAST, savingMs: DOUBTFUL })],
  ['faster, not noticed', sending({ verdict: 'faster', savingMs: UNNOTICED })],
  ['faster, not shown to be noticed', sending({ verdict: 'faster', savingMs: DOUBTFUL })],
  ['unclear, not noticed', sending({ verdict: 'unclear', savingMs: { estimate: 1, low: -3, high: 5 } })],
  ['over a fallback', sending({ fallback: { protocol: 'xhr-streaming', cost: 'the 25 ms' } })],
  ABSENT,
];
const FALLBACK = { protocol: 'xhr-polling' };
const DOUBTED = { laterMs: { estimate: 60, low: -10, high: 130 } };
const SLOW = { name: 'SockJS', delivery: 'sockjs', isSimplest: false, laterMs: undefined };
/** @type {readonly [outcome: string, answer?: News][]} */
const NEWS = [
  ['sooner', news()],
  ['sooner, by SockJS', news(undefined, SLOW)],
  ['sooner, by SockJS alone', news(undefined, SLOW, { failed: ['EventSource'] })],
  ['sooner, perhaps even by SockJS', news(undefined, DOUBTED)],
  ['sooner, with more requests', news(undefined, { saving: undefined })],
  ['sooner, not noticed', news(LITTLE_SOONER)],
  ['sooner, not shown to be noticed', news(CROSSING)],
  ['later', news(LATER)],
  ['unclear', news(UNCLEAR)],
  ['over a fallback', { ...news(), fallback: FALLBACK }],
  ABSENT,
];
/** How often it polls, and how late news may be, ms. @type {readonly [intervalMs: number, lateMs: number][]} */
const PATIENCE = [
  [1000, 0],
  [1000, 1000],
  [1000, 30_000],
  [30_000, 5000],
  [1000, 500],
];

describe('the sentence that decides', () => {
  it('is what it is for each situation and outcome', (t) => {
    const sooner = NEWS.slice(0, 1);
    /** @type {readonly [does: string, SENDING: readonly [string, Sending?][], NEWS: readonly [string, News?][]][]} */
    const tables = [
      ['sends', SENDING, [ABSENT]],
      ['asks', [ABSENT], NEWS],
      // Two decisions, which hardly depend on each other.
      ['asks-and-sends', SENDING, sooner],
      ['asks-and-sends', SENDING.slice(0, 2), NEWS],
    ];
    const sentences = new Map();
    for (const [does, ofSending, ofNews] of tables)
      for (const [sent, sending] of ofSending)
        for (const [notified, news] of ofNews)
          for (const [intervalMs, lateMs] of does === 'asks' ? PATIENCE : PATIENCE.slice(0, 2)) {
            const sentence = decide({ situation: { ...situation, does, intervalMs, lateMs }, sending, news }).sentence;
            const what = `${does}; sending ${sent}; news ${notified}; every ${intervalMs} ms, ${lateMs} ms late`;
            sentences.set(sentence, sentences.get(sentence) ?? what);
          }
    const lines = [...sentences].map(([sentence, what]) => `${what}\n  ${sentence}`);
    matchGolden(t, 'decision', lines.join('\n'));
  });

  it('takes the usual for what users notice, where a document of an earlier release has none', () => {
    const earlier = Object.fromEntries(Object.entries(situation).filter(([name]) => !name.endsWith('MattersMs')));
    const facts = {
      news: news(LITTLE_SOONER),
      sending: sending({ verdict: 'faster', savingMs: UNNOTICED }),
    };
    assert.equal(
      decide({ situation: /** @type {any} */ (earlier), ...facts }).sentence,
      decide({ situation, ...facts }).sentence,
    );
  });

  it('says probably what rests on one machine, or on a busy one, and nothing but the decisions', (t) => {
    const facts = { situation, sending: sending({ verdict: 'faster', savingMs: DOUBTFUL }), news: news() };
    const lines = /** @type {const} */ (['prediction', 'warning']).map((doubt) => decide({ ...facts, doubt }).sentence);
    lines.push(decide({ ...facts, sending: sending(), doubt: 'warning' }).sentence);
    matchGolden(t, 'decision', lines.join('\n'));
  });

  it('decides about what the page does, whatever else was measured', () => {
    const both = { sending: sending({ verdict: 'faster' }), news: news() };
    for (const [does, own] of /** @type {const} */ ([
      ['asks', { news: both.news }],
      ['sends', { sending: both.sending }],
    ])) {
      const placed = { ...situation, does };
      assert.equal(decide({ situation: placed, ...both }).sentence, decide({ situation: placed, ...own }).sentence);
    }
  });

  it('decides nothing without a part that it needs', () => {
    const why = 'sending a message failed. The tab was hidden.';
    assert.equal(decide({ situation, news: news(), undecided: why }).sentence, `No decision: ${why}`);
  });

  it('follows what the visitor says that users notice', () => {
    const facts = { sending: sending({ verdict: 'faster', savingMs: UNNOTICED }) };
    assert.match(decide({ situation, ...facts }).sentence, /^Keep AJAX/);
    assert.match(decide({ situation: { ...situation, messageMattersMs: 3 }, ...facts }).sentence, /^Use SockJS/);
  });

  it('takes a socket for both only where sending decides for it', () => {
    const faster = sending({ verdict: 'faster' });
    assert.match(decide({ situation, news: news(), sending: faster }).sentence, /^Use SockJS for news and sending/);
    assert.match(
      decide({ situation, news: news(), sending: sending() }).sentence,
      /^Use push for news \(EventSource, the simplest\)/,
    );
    const later = news(undefined, { laterMs: { estimate: -300, low: -320, high: -280 } });
    assert.match(
      decide({ situation, news: later, sending: faster }).sentence,
      /\(EventSource.* For sending, use SockJS/,
    );
    const broken = news(undefined, {}, { considered: undefined });
    assert.match(
      decide({ situation, news: broken, sending: faster }).sentence,
      /\(EventSource.* For sending, use SockJS/,
    );
  });
});
