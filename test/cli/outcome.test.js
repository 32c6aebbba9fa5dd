import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf } from '../../cli/run/outcome.js';
import { readCsv, readSavedDocument } from '../support/saved-documents.js';

describe('the CSV of a run', () => {
  const { experiment, document } = readSavedDocument('jobs-whole');
  const csv = readCsv('jobs-whole');
  for (const [name, out, expected] of /** @type {const} */ ([
    ['begins with a byte-order mark in a file', 'run.csv', `\ufeff${csv}`],
    ['has none on standard output, for programs that read lines', undefined, csv],
  ])) {
    it(name, () => {
      const options = { format: /** @type {const} */ ('csv'), conditions: [], out };
      assert.equal(outcomeOf(document, { experiment, options }).text, expected);
    });
  }
});
