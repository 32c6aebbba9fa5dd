const MIB = 1024 * 1024;

/**
 * A size as people read it, and exact, so that no two are called the same.
 *
 * @param {number} bytes a whole number
 * @returns {string}
 * @example formatSize(100_000) // '100 kB'
 */
export function formatSize(bytes) {
  if (bytes > 0 && bytes % MIB === 0) return `${bytes / MIB} MiB`;
  if (bytes >= 1e6) return `${bytes / 1e6} MB`;
  return bytes >= 1000 ? `${bytes / 1000} kB` : `${bytes} B`;
}
