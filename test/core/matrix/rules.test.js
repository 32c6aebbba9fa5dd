import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RULES, sayOf } from '../../../core/matrix/rules.js';
import { useGolden } from '../../support/golden.js';

/** @import { At } from '../../../core/matrix/rules.js' */

const matchGolden = useGolden(import.meta.url);

const NAMES = ['Frankfurt', 'London', 'New York', 'Sydney', 'Tokyo'];
const RTTS_MS = [12, 38, 92, 285, 300];
const MARKS = /** @type {const} */ ({ b: 'better', s: 'same', w: 'worse', u: 'unclear', f: 'same', l: 'unclear' });
/** The words that say more than their marks. */
const WORDS = /** @type {Record<string, string>} */ ({
  f: 'A little faster (at most 12%)',
  l: 'At least a little slower',
});

/** @param {string} marks of places by their round-trip times, by their first letters @returns {At[]} */
const placesOf = (marks) =>
  [...marks].map((letter, i) => ({
    name: NAMES[i],
    rttMs: RTTS_MS[i],
    mark: MARKS[/** @type {keyof typeof MARKS} */ (letter)],
    word: WORDS[letter] ?? letter,
    value: 510 + 10 * i,
  }));

/** The topic, the rule that speaks, and the marks; the golden text has the sentence. */
const CASES = /** @type {const} */ ([
  ['news', 'sooner from all', 'bbb'],
  ['news', 'sooner from all', 'b'],
  ['news', 'later from all', 'ww'],
  ['news', 'clear from none', 'uu'],
  ['news', 'by place', 'bbu'],
  ['news', 'by place', 'wu'],
  ['sending', 'faster from all', 'bb'],
  ['sending', 'the same from all', 'sss'],
  ['sending', 'slower from all', 'w'],
  ['sending', 'clear from none', 'uu'],
  ['sending', 'faster up to a distance', 'bbss'],
  ['sending', 'faster from a distance on', 'sssb'],
  ['sending', 'by place', 'bsb'],
  ['sending', 'by place', 'bw'],
  ['sending', 'by place', 'uw'],
  ['sending', 'by place', 'bsbbb'],
  ['sending', 'by place', 'ff'],
  ['sending', 'by place', 'bfsl'],
  ['other', 'by word', 'bbw'],
]);

describe('the sentence of a study', () => {
  for (const [topic, rule, marks] of CASES) {
    it(`of ${topic} is by the rule “${rule}” for ${marks}`, (t) => {
      const said = { places: placesOf(marks), subject: 'Payload size' };
      const rules = Object.entries(RULES[topic]);
      const [first] = rules.find(([, own]) => own(said) !== undefined) ?? [];
      assert.equal(first, rule);
      matchGolden(t, 'study', sayOf(topic, said));
    });
  }

  it('says “every place” only where all of them measured it', (t) => {
    const say = (/** @type {'news' | 'sending'} */ topic, /** @type {string} */ marks) =>
      sayOf(topic, { places: placesOf(marks), placeCount: 5, subject: '' });
    matchGolden(t, 'study', [say('news', 'bb'), say('sending', 'ssss'), say('news', 'uu')]);
    // What is unclear there may be faster there.
    assert.doesNotMatch(say('sending', 'bu'), /only up to/);
  });

  it('has a case for each rule', () => {
    const wanted = Object.entries(RULES).flatMap(([topic, rules]) =>
      Object.keys(rules).map((rule) => `${topic}: ${rule}`),
    );
    assert.deepEqual(
      wanted.filter((one) => !CASES.some(([topic, rule]) => `${topic}: ${rule}` === one)),
      [],
    );
  });

  it('is one sentence for any marks', (t) => {
    const all = ['b', 'bs', 'bu', 'sb', 'ub', 'us', 'wb', 'bwsu'];
    const topics = /** @type {const} */ (['news', 'sending']);
    const sentences = topics.flatMap((topic) =>
      all.map((marks) => sayOf(topic, { places: placesOf(marks), subject: '' })),
    );
    for (const one of sentences) assert.match(one, /^[A-Z].*\.$/);
    matchGolden(t, 'study', sentences);
  });
});
