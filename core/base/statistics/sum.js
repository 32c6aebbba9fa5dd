/**
 * @template T
 * @param {readonly T[]} list
 * @param {(item: T) => number | undefined} valueOf what is absent adds nothing
 * @returns {number}
 * @example sumOf(['a', 'bc'], ({ length }) => length) // 3
 */
export function sumOf(list, valueOf) {
  return list.reduce((sum, item) => sum + (valueOf(item) ?? 0), 0);
}
