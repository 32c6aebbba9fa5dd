import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tell } from '../../server/start-failure.js';

it('what a person reads at a start is for terminals alone', () => {
  for (const [isTTY, expected] of /** @type {const} */ ([
    [true, ['It is ready.\n']],
    [false, []],
    [undefined, []],
  ])) {
    /** @type {string[]} */
    const written = [];
    tell('It is ready.', { isTTY, write: (text) => written.push(text) });
    assert.deepEqual(written, expected);
  }
});
