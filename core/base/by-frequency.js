/**
 * @param {readonly string[]} texts
 * @returns {[text: string, count: number][]} each once, the most frequent first
 * @example byFrequency(['a', 'b', 'b']) // [['b', 2], ['a', 1]]
 */
export function byFrequency(texts) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
