/**
 * What the validation library found, as everything else here says it: expected, got.
 *
 * @param {{ message: string, expected: string | null, received: string, type?: string }} issue
 * @returns {string} a schema's message where it has one
 */
export function formatIssue({ message, expected, received }) {
  if (message.startsWith('expected ')) return message;
  if (expected === 'never') return 'expected no such field';
  if (expected === null) return message;
  return `expected ${expected.replace(/[()]/g, '').replaceAll(' | ', ', ')}, got ${received.slice(0, 60)}`;
}
