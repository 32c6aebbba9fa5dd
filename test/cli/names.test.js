import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findExperimentName, wrongName } from '../../cli/program/names.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';

describe('the name of an experiment on the command line', () => {
  it('may be the one in its address', async () => {
    for (const { name, path = '/' } of EXPERIMENTS) {
      for (const given of [name, path.slice(1)]) if (given) assert.equal(await findExperimentName(given), name);
    }
    for (const given of ['', 'shotout']) assert.equal(await findExperimentName(given), undefined);
  });

  it('that is wrong is quoted, beside the one that was meant, if any', () => {
    const names = ['shootout', 'jobs'];
    for (const [given, got] of /** @type {const} */ ([
      ['shotout', '“shotout”. Did you mean “shootout”?'],
      ['pigeon', '“pigeon”'],
      ['', 'nothing'],
      [undefined, 'nothing'],
    ]))
      assert.equal(wrongName('run', given, names).message, `run: expected one of shootout, jobs, got ${got}`);
  });
});
