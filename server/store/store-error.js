/**
 * Why the store cannot be used: what a visitor, the log and whoever asks whether this server is ready must tell apart.
 */

/** @typedef {'full' | 'read-only' | 'damaged' | 'unavailable'} StoreReason */

/** @type {Record<StoreReason, string>} */
const EXPECTED = {
  full: 'room for more, got a full disk',
  'read-only': 'a database that can be written, got one that can only be read',
  damaged: 'a whole database, got a damaged one',
  unavailable: 'a database that can be used, got none',
};

/** For the log and the operator: its message has the path, the cause and what to do. */
export class StoreError extends Error {
  /**
   * @param {{ reason: StoreReason, path: string, remedy: string, cause: any }} options the path is of the file, or of the
   *   database, without a password; the remedy is what the operator can do; the cause is what the database said
   */
  constructor({ reason, path, remedy, cause }) {
    super(`${path}: expected ${EXPECTED[reason]} (${cause.message || cause.code}); ${remedy}`, { cause });
    this.name = 'StoreError';
    this.reason = reason;
    this.path = path;
    this.remedy = remedy;
    /** @type {string | undefined} the database's own, or the system's */
    this.code = cause.code;
  }
}

/**
 * @typedef {Readonly<Record<StoreReason, string>>} Remedies
 *
 * @param {{ path: string, remedies: Remedies, reasonOf: (error: any) => StoreReason | undefined }} options
 * @returns {(error: any) => Error} a StoreError, or the error itself where `reasonOf` gives none
 */
export function createExplain({ path, remedies, reasonOf }) {
  return (error) => {
    const reason = error instanceof StoreError ? undefined : reasonOf(error);
    return reason ? new StoreError({ reason, path, remedy: remedies[reason], cause: error }) : error;
  };
}

/**
 * @template {Record<string, (...args: any[]) => Promise<any>>} T
 * @param {T} functions
 * @param {(error: any) => Error} explain
 * @returns {T} the same, but for their errors
 */
export function explainAll(functions, explain) {
  const explained = Object.entries(functions).map(([name, act]) => [
    name,
    async (/** @type {any[]} */ ...args) => {
      try {
        return await act(...args);
      } catch (error) {
        throw explain(error);
      }
    },
  ]);
  return Object.fromEntries(explained);
}
