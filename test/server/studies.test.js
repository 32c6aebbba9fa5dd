import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUsual } from '../../server/saved-runs/studies.js';
import { createStudyRun } from '../support/studies.js';

/** @param {string | undefined} place @param {number} sampleCount @param {string} [experiment] */
const run = (place, sampleCount, experiment = 'shootout') =>
  createStudyRun({ place, experiment, digest: { sampleCount } });
/** @param {readonly string[]} parts */
const whole = (...parts) => createStudyRun({ place: 'Bonn', digest: { 'full-test': { parts, lines: [] } } });

describe('the run whose plan a study asks for', () => {
  it('is of the tests that most places measured', () => {
    const [stranger, newest, older] = [run('Oslo', 100, 'payload'), run('Bonn', 100), run('Köln', 100)];
    assert.equal(findUsual([stranger, newest, older]), newest);
    // Spellings of one place, and all that name none, count once.
    const again = ['Oslo', 'oslo ', 'OSLO'].map((place) => run(place, 100, 'payload'));
    assert.equal(findUsual([...again, newest, older]), newest);
    const nameless = [1, 2, 3].map(() => run(undefined, 100, 'payload'));
    assert.equal(findUsual([...nameless, newest, older]), newest);
  });

  it('is not the longest among those', () => {
    const usual = run('Bonn', 100);
    assert.equal(findUsual([run('Oslo', 100_000), usual]), usual);
    assert.equal(findUsual([run('Oslo', 100_000), usual, run('Köln', 50)]), usual);
  });

  it('is the newest where nothing tells them apart, in whichever order a full test has its parts', () => {
    const newest = whole('shootout', 'jobs');
    assert.equal(findUsual([newest, whole('jobs', 'shootout')]), newest);
    assert.equal(findUsual([newest, run('Bonn', 100)]), newest);
    assert.equal(findUsual([]), undefined);
  });
});
