/** What becomes of a result that cannot be written where --out says. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf, printOutcome } from '../../cli/run/outcome.js';
import { RunError } from '../../cli/program/program.js';
import { assertComplaint, refusalOf } from '../support/complaint.js';
import { readCsv, readSavedDocument } from '../support/saved-documents.js';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const REASON = 'One of its messages failed.';

/** @param {string} out */
const optionsOf = (out) => ({ baseUrl: 'http://localhost', out, shared: undefined });

describe('--out', () => {
  it('on a full disk is refused in one line, after the result was printed and why the run failed', async (t) => {
    const printed = t.mock.method(process.stdout, 'write', () => true);
    const said = t.mock.method(process.stderr, 'write', () => true);
    const others = new Set(SIGNALS.flatMap((name) => process.listeners(name)));
    const outcome = { text: 'the result\n', listReasons: () => [REASON] };
    const error = await printOutcome(optionsOf('/dev/full'), async () => outcome).catch((fault) => fault);
    for (const name of SIGNALS) {
      for (const own of process.listeners(name)) if (!others.has(own)) process.off(name, own);
    }
    const texts = printed.mock.calls.map(({ arguments: [text] }) => text);
    printed.mock.restore();

    assert.ok(texts.includes(outcome.text));
    assert.deepEqual(
      said.mock.calls.map(({ arguments: [text] }) => text),
      [`${REASON}\n`],
    );
    assert.ok(error instanceof RunError, String(error));
    assertComplaint(error, '--out', '“/dev/full” (ENOSPC');
    assert.doesNotMatch(error.message, /\n/);
  });

  it('is refused before the run where it is a folder', async () => {
    const { message } = await refusalOf(() => printOutcome(optionsOf('/'), assert.fail));
    assertComplaint(message, '--out', '“/”');
  });
});

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
