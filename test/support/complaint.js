/**
 * Errors about input, looked at for their facts: which input, that something was expected, what came.
 */
import assert from 'node:assert/strict';

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
    assert.ok(error instanceof RangeError || error instanceof TypeError, String(error));
    assertComplaint(error, name, got);
    return true;
  };
}
