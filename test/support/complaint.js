/**
 * Errors about input, looked at for their facts: which input, that something was expected, what came.
 */
import assert from 'node:assert/strict';
import { InvalidInputError } from '../../core/base/foreign-text.js';

/**
 * @param {unknown} error an Error, its message, or all that a program wrote to standard error
 * @param {string} name of the input, with which it begins: "--users", "plan.sizes"
 * @param {string | number} [got] what it says it got
 */
export function assertComplaint(error, name, got) {
  const message = error instanceof Error ? error.message : String(error);
  assert.ok(message.startsWith(`${name}: expected `), `expected '${name}: expected ...', got '${message}'`);
  if (got === undefined) return;
  const said = message.slice(message.lastIndexOf('got '));
  assert.ok(said.includes(String(got)), `expected '... got ${got}', got '${message}'`);
}

/**
 * For assert.throws and assert.rejects.
 *
 * @param {string} name
 * @param {string | number} [got]
 * @returns {(error: unknown) => true}
 */
export function complaintOf(name, got) {
  return (error) => {
    assert.ok(error instanceof InvalidInputError, String(error));
    assertComplaint(error, name, got);
    return true;
  };
}

/**
 * @param {() => unknown} check looks at the words of a command line
 * @returns {Promise<Error>} with which it refuses them, of a class for which the program ends with 2 (cli/program/program.js)
 */
export async function refusalOf(check) {
  try {
    await check();
  } catch (error) {
    assert.ok(error instanceof InvalidInputError, String(error));
    return error;
  }
  return assert.fail('Expected a refusal, got none');
}

/**
 * That a program was refused: it ended with 2, printed nothing, and said so in one line.
 *
 * @param {{ code: number | null, out: string, err: string }} ended
 * @param {string} name
 * @param {string | number} [got]
 */
export function assertRefused({ code, out, err }, name, got) {
  assert.deepEqual([code, out], [2, ''], err);
  assertComplaint(err, name, got);
  assert.match(err, /^[^\n]+\n$/);
}
