import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findName } from '../../cli/program/command.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';

describe('the name of an experiment on the command line', () => {
  /** @param {string} given */
  const find = (given) => findName(given, 'npx sockshootout run');

  it('may be the one in its address', async () => {
    for (const { name, path = '/' } of EXPERIMENTS) {
      for (const given of [name, path.slice(1)]) if (given) assert.equal(await find(given), name);
    }
  });

  it('that is wrong is quoted, beside the one that was meant, if any', async () => {
    for (const [given, got] of /** @type {const} */ ([
      ['shotout', /“shotout”.*Did you mean shootout\?/],
      ['pigeon', /“pigeon”/],
      ['', /nothing/],
    ]))
      await assert.rejects(find(given), got);
  });
});
