/** What a page without a plan keeps in its tab, in a tab of which only the storage and the clock are replaced. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { classic } from '../../core/experiments/classic/index.js';
import { readSavedDocument } from '../support/saved-documents.js';

/** It looks at its page when it is loaded. @type {typeof import('../../public/js/ui/kept-trials.js').createKeptTrials} */
let createKeptTrials;
/** @type {Map<string, string>} */
const stored = new Map();
const { performance } = globalThis;
/** When the page was opened, by the device's clock. */
let timeOrigin = 0;

const { document: whole } = readSavedDocument('classic-whole');

/** @param {number} startedAtMs @param {number} sampleCount */
function createRun(startedAtMs, sampleCount = 2) {
  const [{ trial, ...run }] = whole.runs;
  const all = Array.from({ length: sampleCount }, (_, i) => i);
  const samples = { iteration: all, sentAtMs: all, roundTripMs: all.map(() => 0.5) };
  return { ...run, clickedAtMs: startedAtMs, trial: { ...trial, startedAtMs, iterations: sampleCount, samples } };
}

/** @param {object[]} runs */
const documentOf = (runs) => ({ ...whole, runs });
const open = () => createKeptTrials(classic, { name: 'ajax', list: 'runs' });
/** @param {object[]} runs @returns {number[]} when those began that are kept */
function keepAndRead(runs) {
  open().keep(documentOf(runs), []);
  return (open().read()?.document.runs ?? []).map((/** @type {any} */ { trial }) => trial.startedAtMs);
}

// Within the suite, as other files may run in the same process.
describe('the kept trials of a tab', () => {
  before(async () => {
    const sessionStorage = {
      getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ text) => void stored.set(key, text),
      removeItem: (/** @type {string} */ key) => void stored.delete(key),
    };
    const page = {
      get timeOrigin() {
        return timeOrigin;
      },
      now: () => 0,
      getEntriesByType: () => [{ type: 'reload' }],
    };
    const document = { documentElement: { dataset: { basePath: '/shootout' } } };
    const location = { href: 'http://site.example/shootout/ajaxtest', origin: 'http://site.example' };
    Object.assign(globalThis, { window: { sessionStorage }, document, location });
    Object.defineProperty(globalThis, 'performance', { value: page, configurable: true, writable: true });
    ({ createKeptTrials } = await import('../../public/js/ui/kept-trials.js'));
  });
  after(() => {
    Object.defineProperty(globalThis, 'performance', { value: performance, configurable: true, writable: true });
    for (const name of ['window', 'document', 'location']) Reflect.deleteProperty(globalThis, name);
  });
  beforeEach(() => {
    stored.clear();
    timeOrigin = 1e12;
  });

  it('are those of one site, if its origin has several', () => {
    open().keep(documentOf([createRun(0)]), []);
    assert.ok(stored.size > 0);
    for (const key of stored.keys()) assert.match(key, /^sockshootout\/.*\/shootout$/);
  });

  it('are the newest 100', () => {
    const runs = Array.from({ length: 150 }, (_, i) => createRun(10 * i));
    assert.deepEqual(
      keepAndRead(runs),
      runs.slice(50).map(({ trial }) => trial.startedAtMs),
    );
  });

  it('have at most 50,000 samples, and no gaps', () => {
    const runs = [createRun(0, 20_000), createRun(1, 20_000), createRun(2, 10_001), createRun(3, 20_000)];
    assert.deepEqual(keepAndRead(runs), [2, 3]);
    assert.deepEqual(keepAndRead([createRun(0, 50_000)]), [0]);
    assert.deepEqual(keepAndRead([createRun(0), createRun(1, 50_001)]), []);
  });

  it('are none after they were emptied, nor where a list is empty', () => {
    const kept = open();
    kept.keep(documentOf([createRun(0)]), []);
    kept.forget();
    assert.equal(stored.size, 0);
    assert.deepEqual(keepAndRead([]), []);
  });

  it('are none where another page kept something else', () => {
    stored.set('sockshootout/last-run/ajax/1', JSON.stringify({ run: { document: {} }, link: '/ajaxtest' }));
    assert.equal(open().read(), undefined);
  });

  it('have the readings of one clock, which goes on in the next page', () => {
    open().keep(documentOf([createRun(5)]), [0.123]);
    for (const [openedAfterMs, reading] of [
      [60_000, 60_001],
      // The device’s clock was set back: the run before had ended at 6.5 ms.
      [-60_000, 7.5],
    ]) {
      timeOrigin = 1e12 + openedAfterMs;
      const kept = open();
      assert.deepEqual(kept.read()?.lateMs, [0.1]);
      assert.equal(kept.readingOf(1), reading);
    }
  });

  it('are on one clock over several pages', () => {
    open().keep(documentOf([createRun(5)]), []);
    timeOrigin += 1000;
    const second = open();
    const { document } = second.read() ?? assert.fail();
    second.keep(documentOf([...document.runs, createRun(second.readingOf(7))]), []);
    timeOrigin += 1000;
    const third = open();
    assert.deepEqual(
      third.read()?.document.runs.map((/** @type {any} */ { trial }) => trial.startedAtMs),
      [5, 1007],
    );
    assert.equal(third.readingOf(9), 2009);
  });
});
