import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RULES, sayOf } from '../../../core/study/rules.js';
import { useGolden } from '../../support/golden.js';

/** @import { At } from '../../../core/study/rules.js' */

const matchGolden = useGolden(import.meta.url);

const NAMES = ['Frankfurt', 'London', 'New York', 'Sydney', 'Tokyo'];
const RTTS_MS = [12, 38, 92, 285, 300];
const MARKS = /** @type {const} */ ({ b: 'better', s: 'same', w: 'worse', u: 'unclear' });

/** @param {string} marks of places by their round-trip times, by their first letters @returns {At[]} */
const placesOf = (marks) =>
  [...marks].map((letter, i) => ({
    name: NAMES[i],
    rttMs: RTTS_MS[i],
    mark: MARKS[/** @type {keyof typeof MARKS} */ (letter)],
    word: letter,
    value: 510 + 10 * i,
  }));

/** The topic, the rule that speaks, the marks, and what the sentence must say. */
const CASES = /** @type {const} */ ([
  ['news', 'sooner from all', 'bbb', /^From every place, news arrives 0\.51 to 0\.53 s sooner\.$/],
  ['news', 'sooner from all', 'b', /^From Frankfurt \(12 ms\), news arrives 0\.51 s sooner\.$/],
  ['news', 'later from all', 'ww', /^From every place, .* later\.$/],
  ['news', 'clear from none', 'uu', /^No place/],
  ['news', 'by place', 'bbu', /sooner from Frankfurt and London; no clear difference from New York\.$/],
  ['news', 'by place', 'wu', /^News arrives later from Frankfurt;/],
  ['sending', 'faster from all', 'bb', /faster from every place\.$/],
  ['sending', 'the same from all', 'sss', /same within 10% from every place\.$/],
  ['sending', 'slower from all', 'w', /slower from Frankfurt \(12 ms\)\.$/],
  ['sending', 'clear from none', 'uu', /no clear difference/],
  ['sending', 'faster up to a distance', 'bbss', /^Sending is faster only up to London \(38 ms\)\.$/],
  ['sending', 'faster from a distance on', 'sssb', /^Sending is faster only from Sydney \(285 ms\) on\.$/],
  ['sending', 'by place', 'bsb', /faster from Frankfurt and New York; the same within 10% from London\.$/],
  ['sending', 'by place', 'bw', /faster from Frankfurt; slower from London\.$/],
  ['sending', 'by place', 'uw', /slower from London; no clear difference from Frankfurt\.$/],
  ['sending', 'by place', 'bsbbb', /faster from 4 of 5 places/],
  ['other', 'by word', 'bbw', /^Payload size: b from Frankfurt and London; w from New York\.$/],
]);

describe('the sentence of a study', () => {
  for (const [topic, rule, marks, has] of CASES) {
    it(`of ${topic} is by the rule “${rule}” for ${marks}`, () => {
      const said = { places: placesOf(marks), subject: 'Payload size' };
      const rules = Object.entries(RULES[topic]);
      const [first] = rules.find(([, own]) => own(said) !== undefined) ?? [];
      assert.equal(first, rule);
      assert.match(sayOf(topic, said), has);
    });
  }

  it('says “every place” only where all of them measured it', () => {
    const say = (/** @type {'news' | 'sending'} */ topic, /** @type {string} */ marks) =>
      sayOf(topic, { places: placesOf(marks), placeCount: 5, subject: '' });
    assert.match(say('news', 'bb'), /^From Frankfurt and London, /);
    assert.match(say('sending', 'ssss'), /from 4 of 5 places\.$/);
    assert.match(say('news', 'uu'), /^No place that measured it /);
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
