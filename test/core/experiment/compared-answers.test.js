import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestOf } from '../../../core/experiment/document-digest.js';
import { describeAnswers } from '../../../core/experiment/compared-answers.js';
import { classic } from '../../../core/experiments/classic/index.js';
import { shootout } from '../../../core/experiments/shootout/index.js';
import { createPlaceRun } from '../../support/places.js';

/** @param {readonly object[]} runs */
const number = (runs) => /** @type {any[]} */ (runs.map((run, index) => ({ number: index + 1, ...run })));

/** @param {string} headline @param {object} [more] */
const far = (headline, more) => ({
  digest: { headline, scope: 'path', isValid: true, browser: 'Chrome 147', ...more },
});

/** @param {...Parameters<typeof createPlaceRun>[0]} places */
const compareShootouts = (...places) =>
  describeAnswers(shootout, number(places.map((place) => ({ digest: digestOf(shootout, createPlaceRun(place)) }))));

describe('the answer of a comparison', () => {
  it('is absent for a single run', () => {
    assert.equal(describeAnswers({}, number([far('A.')])), '');
  });

  it('says whether the answers are the same, and which facts differ', () => {
    const same = describeAnswers({}, number([far('A.'), { ...far('A.'), place: { name: 'Bonn' } }]));
    assert.match(same, /\bsame answer\b.*\bplace\b/);
    assert.doesNotMatch(same, /\bbrowser\b/);
    const different = describeAnswers({}, number([far('A.'), far('B.', { browser: 'Firefox 145' })]));
    assert.match(different, /\bdifferent answers\b.*\bbrowser\b/);
  });

  it('leaves out runs without a verdict, and those on one machine, and names them', () => {
    const local = { digest: { headline: 'C.', scope: 'machine', isValid: true } };
    const ended = far('Stopped: no verdict', { isValid: false });
    const words = describeAnswers({}, number([far('A.'), local, far('A.'), ended]));
    assert.match(words, /^Runs 1 and 3 have the same answer\./);
    assert.match(words, /\bRun 2 was measured on one machine\./);
    assert.match(words, /\bRun 4 gave no verdict\.$/);
    assert.match(describeAnswers({}, number([far('A.'), local])), /^Run 1: A\. Run 2 /);
  });

  it('quotes the headlines of runs with one transport', () => {
    const words = describeAnswers(classic, number([far('AJAX: 80 a second.'), far('SockJS: 90')]));
    assert.equal(words, 'AJAX: 80 a second; SockJS: 90.');
  });

  it('of shootouts says at which round-trip times which is faster, the nearest first', () => {
    const words = compareShootouts(
      { distanceMs: 158 },
      { distanceMs: 40, addsMs: { ajax: 22.4, sockjs: 0.4 } },
      { distanceMs: 12, addsMs: { ajax: 12.4, sockjs: 0.4 } },
    );
    // (12 + 12.4) / (12 + 0.4), (40 + 22.4) / (40 + 0.4)
    assert.match(
      words,
      /^SockJS is faster than AJAX at 12 ms \(1\.97x\) and 40 ms \(1\.54x\); .* within 10% at 158 ms\.$/,
    );
  });

  it('of shootouts with other pairs says only whether their answers are the same', () => {
    const words = compareShootouts({ distanceMs: 40 }, { distanceMs: 40, addsMs: { fetch: 22.4, ws: 0.4 } });
    assert.match(words, /\bdifferent answers\b/);
  });
});
