import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decide, RULES } from '../../../core/experiment/decide.js';
import { createNews as news, createSending as sending } from '../../support/answers.js';
import { useGolden } from '../../support/golden.js';
import { situationOf } from '../../support/full-tests.js';

/**
 * @import { VerdictName } from '../../../core/experiment/compare.js'
 * @import { News, Sending } from '../../../core/experiment/decide.js'
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
const patient = { ...situation, lateMs: 2000 };

/**
 * The rule that decides; the golden text has its sentence.
 * @type {readonly (readonly [rule: keyof typeof RULES, what: string, facts: Parameters<typeof decide>[0]])[]}
 */
const CASES = [
  [
    'a part that is needed decides nothing',
    'even beside a clear gain',
    { situation, news: news(), undecided: 'sending a message was stopped. The tab was hidden.' },
  ],
  ['nothing that the page does was measured', 'of other parts alone', { situation }],
  [
    'WebSocket did not work',
    'of messages, with its cost',
    { situation, sending: sending({ fallback: { protocol: 'xhr-streaming', cost: 'the 25 ms' } }), news: news() },
  ],
  ['WebSocket did not work', 'of news alone', { situation, news: news({}, { fallback: { protocol: 'xhr-polling' } }) }],
  ['polling is soon enough', 'where news may be late', { situation: patient, news: news() }],
  [
    'polling is soon enough',
    'and push needs more requests',
    { situation: patient, news: news({ saving: '2.0 times as many requests and messages' }), sending: sending() },
  ],
  ['news alone, and a simpler push is as soon', 'names it', { situation, news: news({ simpler: 'EventSource' }) }],
  ['everything else', 'moves for push where messages are the same', { situation, news: news(), sending: sending() }],
  ['everything else', 'moves where both gain', { situation, news: news(), sending: sending({ verdict: 'faster' }) }],
  [
    'everything else',
    'moves for push where messages are slower',
    { situation, news: news(), sending: sending({ verdict: 'slower' }) },
  ],
  [
    'everything else',
    'moves for push where messages are unclear',
    { situation, news: news(), sending: sending({ verdict: 'unclear' }) },
  ],
  ['everything else', 'moves for news alone', { situation, news: news() }],
  ['everything else', 'stays where push is later', { situation, news: news({}, LATER) }],
  [
    'everything else',
    'decides nothing of news where that is unclear',
    { situation, news: news({}, UNCLEAR), sending: sending() },
  ],
  ['everything else', 'stays where nobody notices', { situation, news: news({}, LITTLE_SOONER), sending: sending() }],
  [
    'everything else',
    'decides nothing of news that is sooner by little, or by much',
    { situation, news: news({}, CROSSING) },
  ],
  [
    'everything else',
    'moves for sending alone',
    { situation, news: news({}, LATER), sending: sending({ verdict: 'faster' }) },
  ],
  ['everything else', 'stays where messages are a little faster', { situation, sending: sending(LITTLE_FASTER) }],
  [
    'everything else',
    'stays where nobody notices that messages are faster',
    { situation, sending: sending({ verdict: 'faster', savingMs: UNNOTICED }) },
  ],
  [
    'everything else',
    'moves where the visitor says that it matters',
    { situation: { ...situation, messageMattersMs: 3 }, sending: sending({ verdict: 'faster', savingMs: UNNOTICED }) },
  ],
  [
    'everything else',
    'decides nothing where it is not shown that messages are faster by what matters',
    { situation, sending: sending({ verdict: 'faster', savingMs: DOUBTFUL }) },
  ],
  ['everything else', 'stays where messages are the same', { situation, sending: sending() }],
  ['everything else', 'stays where messages are slower', { situation, sending: sending({ verdict: 'slower' }) }],
  ['everything else', 'moves where messages are faster', { situation, sending: sending({ verdict: 'faster' }) }],
  [
    'everything else',
    'decides nothing where messages are unclear',
    { situation, sending: sending({ verdict: 'unclear' }) },
  ],
];

const SITUATIONS = {
  'sends messages': { sends: true, asks: false },
  'polls for news': { sends: false, asks: true },
  'does both': { sends: true, asks: true },
};
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
  ['over a fallback', sending({ fallback: { protocol: 'xhr-streaming', cost: 'the 25 ms' } })],
  ABSENT,
];
/** @type {readonly [outcome: string, answer?: News][]} */
const NEWS = [
  ['sooner', news()],
  ['sooner, also by a simpler push', news({ simpler: 'EventSource' })],
  ['sooner, with more requests', news({ saving: '2.0 times as many requests and frames' })],
  ['sooner, not noticed', news({}, LITTLE_SOONER)],
  ['sooner, not shown to be noticed', news({}, CROSSING)],
  ['later', news({}, LATER)],
  ['unclear', news({}, UNCLEAR)],
  ['over a fallback', news({}, { fallback: { protocol: 'xhr-polling' } })],
  ABSENT,
];

describe('the sentence that decides', () => {
  for (const [rule, what, facts] of CASES) {
    it(`follows “${rule}” ${what}`, (t) => {
      const sentence = decide(facts);
      assert.equal(RULES[rule](facts), sentence);
      const earlier = Object.entries(RULES).slice(0, Object.keys(RULES).indexOf(rule));
      for (const [name, other] of earlier) assert.ok(!other(facts), `${name} holds, too`);
      matchGolden(t, 'full-test', sentence);
    });
  }

  it('is what it is for each situation and outcome', (t) => {
    const lines = Object.entries(SITUATIONS).flatMap(([does, { sends, asks }]) =>
      (sends ? SENDING : [ABSENT]).flatMap(([sent, ofSending]) =>
        (asks ? NEWS : [ABSENT]).flatMap(([notified, ofNews]) =>
          (asks ? [0, 2000] : [0]).map((lateMs) => {
            const facts = { situation: { ...situation, lateMs }, sending: ofSending, news: ofNews };
            return `${does}; sending ${sent}; news ${notified}, soon enough after ${lateMs} ms\n  ${decide(facts)}`;
          }),
        ),
      ),
    );
    matchGolden(t, 'decision', lines.join('\n'));
  });

  it('takes the usual for what users notice, where a document of an earlier release has none', () => {
    const earlier = Object.fromEntries(Object.entries(situation).filter(([name]) => !name.endsWith('MattersMs')));
    const facts = {
      news: news({}, LITTLE_SOONER),
      sending: sending({ verdict: 'faster', savingMs: UNNOTICED }),
    };
    assert.equal(decide({ situation: /** @type {any} */ (earlier), ...facts }), decide({ situation, ...facts }));
  });

  it('has a test for each rule', () => {
    assert.deepEqual([...new Set(CASES.map(([rule]) => rule))], Object.keys(RULES));
  });
});
