import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatCsvLine } from '../../../../core/base/foreign-text.js';
import { nameOf } from '../../../../core/experiment/report/merged-report.js';
import {
  formatServer,
  MAX_BESIDE,
  namesBeside,
  sharedServerOf,
  serverOf,
  titleOf,
  titlesOf,
  unnamedServer,
} from '../../../../core/experiment/run/names.js';

const isolated = (/** @type {string} */ name) => `\u2068${name}\u2069`;
/** @param {string} name @param {object} [digest] */
const runFrom = (name, digest) => ({ place: { name }, digest: { server: 'fra-1', ...digest } });

describe('a server without a name', () => {
  it('is named by its host, in trust checks as in lists', () => {
    const url = 'https://echo.example.org/shootout';
    // Earlier releases answered an empty name.
    for (const server of ['', unnamedServer('0f3a77c1')]) {
      const answered = { server, location: '', version: '1.0.0' };
      assert.equal(formatServer(answered, url), 'echo.example.org, version 1.0.0');
      assert.equal(serverOf({ url, userAgent: '' }, answered).server, 'echo.example.org');
    }
    const named = { server: 'unnamed-1', location: 'Köln', version: '1.0.0' };
    assert.equal(formatServer(named, url), 'unnamed-1, Köln, version 1.0.0');
  });
});

describe('a name that is written from right to left', () => {
  const [CAIRO, HAIFA] = ['\u0627\u0644\u0642\u0627\u0647\u0631\u0629', '\u05d7\u05d9\u05e4\u05d4'];
  it('is isolated, so that the numbers beside it keep their places', () => {
    const local = runFrom(CAIRO, { origin: 'http://localhost:8000' });
    const names = [titleOf(local), titleOf(runFrom('Oslo'))].map((name, i) => nameOf({ number: i + 1, name }));
    assert.deepEqual(names, [`1. ${isolated(CAIRO)}`, '2. fra-1 from Oslo']);
    assert.equal(titleOf(runFrom(CAIRO, { location: HAIFA })), `${isolated(HAIFA)} from ${isolated(CAIRO)}`);
    assert.equal(titleOf(runFrom(CAIRO, { link: '3G' })), `3G (${isolated(CAIRO)})`);
  });

  it('is isolated as a label that tells runs apart', () => {
    const labels = [CAIRO, 'office'];
    const titles = titlesOf(labels.map((label) => ({ ...runFrom('Oslo'), label })));
    assert.deepEqual(titles, [`fra-1 from Oslo (${isolated(CAIRO)})`, 'fra-1 from Oslo (office)']);
  });

  it('is isolated beside others, too', () =>
    assert.deepEqual(namesBeside([runFrom(CAIRO), runFrom('Oslo')]), [isolated(CAIRO), 'Oslo']));

  it('is as it was in files for programs', () =>
    assert.equal(formatCsvLine([1, titleOf(runFrom(CAIRO))]), `1,fra-1 from ${CAIRO}\r\n`));
});

describe('the name of a run beside others', () => {
  const origin = 'https://fra.example.org';
  const digest = { server: 'fra-1', origin };
  const bonn = { place: { name: 'Bonn' }, digest };

  it('is its place, without a server that all share', () => {
    const own = { place: { name: 'Köln' }, digest: { ...digest, origin: 'http://localhost:8000' } };
    assert.deepEqual(namesBeside([bonn, own]), ['Bonn', 'Köln']);
    const other = { ...bonn, digest: { server: 'lon-1' } };
    assert.deepEqual(namesBeside([bonn, other]), ['fra-1 from Bonn', 'lon-1 from Bonn']);
    assert.deepEqual(namesBeside([bonn]), ['fra-1 from Bonn']);
    const emulated = [bonn, own].map((run) => ({ ...run, digest: { ...run.digest, link: 'emulated, 40 ms' } }));
    assert.deepEqual(namesBeside(emulated), ['Bonn', 'Köln']);
    assert.deepEqual(namesBeside([emulated[0], own]), ['emulated, 40 ms (Bonn)', 'Köln']);
  });

  it('is what tells it apart, where nobody said the place', () => {
    const [firefox, chrome] = ['Firefox 145', 'Chrome 156'].map((browser) => ({ digest: { ...digest, browser } }));
    assert.deepEqual(namesBeside([firefox, chrome]), ['Firefox 145', 'Chrome 156']);
    assert.deepEqual(namesBeside([bonn, firefox]), ['Bonn', 'Unknown place']);
    const days = ['2026-11-21T07:00:00.000Z', '2026-11-22T07:00:00.000Z'];
    assert.deepEqual(namesBeside(days.map((startedAt) => ({ ...bonn, digest: { ...digest, startedAt } }))), [
      'Bonn (2026-11-21 07:00 UTC)',
      'Bonn (2026-11-22 07:00 UTC)',
    ]);
  });

  it('is the beginning of a long one, which stays isolated and apart from others with that beginning', () => {
    const [latin, arabic] = ['W', 'م'].map((letter) => namesBeside([runFrom(letter.repeat(100)), runFrom('Oslo')])[0]);
    assert.equal(latin, `${'W'.repeat(MAX_BESIDE - 1)}…`);
    assert.equal(arabic, isolated(`${'م'.repeat(MAX_BESIDE - 1)}…`));
    const labelled = ['a', 'b'].map((label) => ({ ...runFrom('W'.repeat(100)), label }));
    assert.deepEqual(
      namesBeside(labelled),
      ['a', 'b'].map((label) => `${latin} (${label})`),
    );
  });

  it('leaves out the server that is said once, of several runs', () => {
    const london = { ...bonn, digest: { ...digest, location: 'London' } };
    assert.deepEqual([[bonn], [bonn, bonn], [london, london], [bonn, london]].map(sharedServerOf), [
      '',
      'fra-1',
      'London',
      '',
    ]);
  });

  it('has no second number behind its own', () => assert.deepEqual(namesBeside([bonn, bonn]), ['Bonn', 'Bonn']));
});
